/**
 * One crawler's rules as an automaton to walk through: every state that a path can lead to, and which rule wins there.
 *
 * @module
 */
import { DraftState } from '../../matching/draft-state.ts';
import { NONE, type RuleTable } from '../../matching/rule-table.ts';
import type { SortedPatterns } from '../../matching/sorted-patterns.ts';
import { StateSet } from '../../matching/state-set.ts';
import { BoundReached, type Budget } from './budget.ts';
import type { ByteClass } from './byte-classes.ts';
import { Transitions } from './transitions.ts';

/** A state with more items is given up. */
const MAX_ITEMS = 2048;
/** Work for each range of patterns of a state that is counted, and for each item of a state that is made. */
const WORK_PER_RANGE = 1 / 10;
/** Items are kept in order. In the worst case the work to insert one grows with their number. */
const ITEMS_IN_ORDER = 64;

/** The state under construction, of all automata: it is never left half-made. */
const draft: DraftState = /* @__PURE__ */ new DraftState(MAX_ITEMS);

/** Rules in the order in which they win: a rule table, or some of its entries. */
export type Rules = Pick<RuleTable, 'count' | 'read' | 'forbids' | 'line'>;

/** Some entries of rules as rules of their own. */
export function pickRules(rules: Rules, entries: readonly number[]): Rules {
  const entryAt = (index: number): number => entries[index] as number;
  return {
    count: entries.length,
    read: (index) => rules.read(entryAt(index)),
    forbids: (index) => rules.forbids(entryAt(index)),
    line: (index) => rules.line(entryAt(index)),
  };
}

/** For each entry of a table its number among the rules that two tables share; none for one of its own. */
export type Shared = ReadonlyMap<number, number>;

/** Stands for what is not shared. */
export const OWN = -1;

/** An automaton of rules to walk through. Its states are numbers; state 0 is before the first byte class. */
export interface Walk {
  /** The entry that wins where the path ends in a state, or `NONE`. */
  winner(state: number): number;
  /** Whether the same entry wins wherever a path goes on from a state. */
  isSettled(state: number): boolean;
  /** An entry that matches wherever a path goes on from a state, the first of them, or `NONE`. */
  best(state: number): number;
  /**
   * The shared rule that wins wherever a path goes on from a state, unless another shared one comes to match; `OWN` if a rule
   * that is not shared has won, or still may.
   */
  sharedBest(state: number): number;
  /** Whether all paths that go on from a state are forbidden (`true`), or none is (`false`); `undefined` if that is open. */
  settledVerdict(state: number): boolean | undefined;
  /**
   * The state that follows on a byte class.
   *
   * @throws {BoundReached} if it takes more than it may.
   */
  next(state: number, byteClass: number): number;
}

/** The automaton of a rule table, made as it is walked through. */
export class RuleWalk implements Walk {
  readonly #classes: readonly ByteClass[];
  readonly #budget: Budget;
  readonly #states: StateSet;
  readonly #table: Rules;
  readonly #shared: Shared;
  /** How many patterns before each are not shared. */
  readonly #ownBefore: Int32Array;
  /** How many patterns before each forbid what they match. */
  readonly #forbiddingBefore: Int32Array;
  readonly #transitions: Transitions;

  constructor(
    table: Rules,
    patterns: SortedPatterns,
    shared: Shared,
    classes: readonly ByteClass[],
    budget: Budget,
  ) {
    this.#table = table;
    this.#shared = shared;
    this.#classes = classes;
    this.#ownBefore = countBefore(patterns, (entry) => !shared.has(entry));
    this.#forbiddingBefore = countBefore(patterns, (entry) => table.forbids(entry));
    this.#budget = budget;
    const { maxStates, maxBytes } = budget;
    this.#transitions = new Transitions(classes.length);
    const extraStateBytes = this.#transitions.bytesOfState;
    this.#states = new StateSet(patterns, { maxBytes, maxStates, extraStateBytes });
    draft.begin(patterns);
    this.#intern();
  }

  winner(state: number): number {
    return this.#states.answer(state);
  }

  isSettled(state: number): boolean {
    return this.#states.isSettled(state);
  }

  best(state: number): number {
    return this.#states.best(state);
  }

  sharedBest(state: number): number {
    const best = this.#states.best(state);
    if (best !== NONE && !this.#shared.has(best)) return OWN;
    if (this.#count(state, this.#ownBefore).counted > 0) return OWN;
    return best === NONE ? NONE : (this.#shared.get(best) as number);
  }

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
    let ranges = 0;
    this.#states.forEachRange(state, (low, high) => {
      ranges++;
      all += high - low;
      counted += (before[high] as number) - (before[low] as number);
    });
    this.#budget.spend(ranges * WORK_PER_RANGE);
    return { all, counted };
  }

  next(state: number, byteClass: number): number {
    const known = this.#transitions.get(state, byteClass);
    if (known >= 0) return known;
    this.#states.advance(draft, state, (this.#classes[byteClass] as ByteClass).inPatterns);
    this.#budget.spend(1 + draft.count * (1 + draft.count / ITEMS_IN_ORDER));
    const next = this.#intern();
    this.#transitions.set(state, byteClass, next);
    return next;
  }

  #intern(): number {
    const state = draft.isTooLarge ? -1 : this.#states.intern(draft);
    if (state < 0) throw new BoundReached();
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
