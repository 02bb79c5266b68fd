/**
 * One crawler's rules as an automaton to walk through: every state that a path can lead to, and which rule wins there.
 *
 * @module
 */
import { DraftState } from '../draft-state.ts';
import { NONE } from '../rule-table.ts';
import type { SortedPatterns } from '../sorted-patterns.ts';
import { StateSet } from '../state-set.ts';
import { BoundReached, type Budget } from './budget.ts';
import type { Rules } from './difference.ts';
import type { Letter } from './letters.ts';

/** A state with more items is given up. */
const MAX_ITEMS = 2048;
/** A transition that is not known yet; known ones are a state + 1. */
const UNKNOWN = 0;
const TRANSITION_BYTES = 4;

/** For each entry of a table its number among the rules that two tables share; none for one of its own. */
export type Shared = ReadonlyMap<number, number>;

/** Stands for what is not shared. */
export const OWN = -1;

/** The automaton of a rule table, made as it is walked through. */
export class RuleWalk {
  readonly #letters: readonly Letter[];
  readonly #budget: Budget;
  readonly #states: StateSet;
  readonly #draft: DraftState = new DraftState(MAX_ITEMS);
  readonly #table: Rules;
  readonly #shared: Shared;
  /** How many patterns before each are not shared. */
  readonly #ownBefore: Int32Array;
  /** How many patterns before each forbid what they match. */
  readonly #forbiddingBefore: Int32Array;
  #transitions: Int32Array;

  constructor(
    table: Rules,
    patterns: SortedPatterns,
    shared: Shared,
    letters: readonly Letter[],
    budget: Budget,
  ) {
    this.#table = table;
    this.#shared = shared;
    this.#letters = letters;
    this.#ownBefore = countBefore(patterns, (entry) => !shared.has(entry));
    this.#forbiddingBefore = countBefore(patterns, (entry) => table.forbids(entry));
    this.#budget = budget;
    const { maxStates, maxBytes } = budget;
    const furtherBytes = TRANSITION_BYTES * letters.length;
    this.#states = new StateSet(patterns, { maxBytes, maxStates, furtherBytes });
    this.#transitions = new Int32Array(0);
    this.#draft.begin(patterns);
    this.#intern();
  }

  /** The entry of the table that wins where the path ends in a state, or `NONE`. State 0 is before the first letter. */
  winner(state: number): number {
    return this.#states.answer(state);
  }

  /** Whether the same entry wins wherever a path goes on from a state. */
  isSettled(state: number): boolean {
    return this.#states.isSettled(state);
  }

  /**
   * The shared rule that wins wherever a path goes on from a state, unless another shared one comes to match; `OWN` if a rule
   * that is not shared has won, or still may.
   */
  sharedBest(state: number): number {
    const best = this.#states.best(state);
    if (best !== NONE && !this.#shared.has(best)) return OWN;
    if (this.#count(state, this.#ownBefore).counted > 0) return OWN;
    return best === NONE ? NONE : (this.#shared.get(best) as number);
  }

  /** Whether all paths that go on from a state are forbidden (`true`), or none is (`false`); `undefined` if that is open. */
  settledVerdict(state: number): boolean | undefined {
    const best = this.#states.best(state);
    const forbids = best !== NONE && this.#table.forbids(best);
    const { all, counted } = this.#count(state, this.#forbiddingBefore);
    return counted === (forbids ? all : 0) ? forbids : undefined;
  }

  /** How many patterns can still come to match after a state, and how many of them are counted in `before`. */
  #count(state: number, before: Int32Array): { readonly all: number; readonly counted: number } {
    let all = 0;
    let counted = 0;
    this.#states.eachRange(state, (low, high) => {
      all += high - low;
      counted += (before[high] as number) - (before[low] as number);
    });
    return { all, counted };
  }

  /**
   * The state that follows on a letter.
   *
   * @throws {BoundReached} if it takes more than it may.
   */
  next(state: number, letter: number): number {
    const at = state * this.#letters.length + letter;
    const known = this.#transitions[at] as number;
    if (known !== UNKNOWN) return known - 1;
    this.#states.advance(this.#draft, state, (this.#letters[letter] as Letter).inPatterns);
    this.#budget.spend(1 + this.#draft.count);
    const next = this.#intern();
    this.#transitions[at] = next + 1;
    return next;
  }

  #intern(): number {
    const state = this.#draft.isTooLarge ? -1 : this.#states.intern(this.#draft);
    if (state < 0) throw new BoundReached();
    const needed = this.#states.capacity * this.#letters.length;
    if (needed > this.#transitions.length) {
      const transitions = new Int32Array(needed);
      transitions.set(this.#transitions);
      this.#transitions = transitions;
    }
    return state;
  }
}

/** For each pattern, how many before it have an entry of some kind; at the end, how many there are. */
function countBefore(patterns: SortedPatterns, isCounted: (entry: number) => boolean): Int32Array {
  const before = new Int32Array(patterns.count + 1);
  for (let index = 0; index < patterns.count; index++)
    before[index + 1] = (before[index] as number) + (isCounted(patterns.entry(index)) ? 1 : 0);
  return before;
}
