/**
 * One crawler's rules as an automaton to walk through: every state that a path can lead to, and which rule wins there.
 *
 * @module
 */
import { DraftState } from '../draft-state.ts';
import type { SortedPatterns } from '../sorted-patterns.ts';
import { StateSet } from '../state-set.ts';
import type { Letter } from './letters.ts';

/** A state with more items is given up. */
const MAX_ITEMS = 2048;
/** A transition that is not known yet; known ones are a state + 1. */
const UNKNOWN = 0;
const TRANSITION_BYTES = 4;

/** A proof takes more than it may. */
export class BoundReached extends Error {}

/** What a proof may take, and has taken, all its parts together. */
export class Budget {
  #work: number;
  readonly maxStates: number;
  readonly maxBytes: number;

  /**
   * @param maxStates - of one automaton, or of several walked through together.
   * @param maxWork - how many patterns are looked at, about, to find out what follows on a letter.
   * @param maxBytes - memory of one automaton.
   */
  constructor(maxStates: number, maxWork: number, maxBytes: number) {
    this.maxStates = maxStates;
    this.#work = maxWork;
    this.maxBytes = maxBytes;
  }

  /** @throws {BoundReached} if this was too much. */
  spend(work: number): void {
    this.#work -= work;
    if (this.#work < 0) throw new BoundReached();
  }
}

/** The automaton of a rule table, made as it is walked through. */
export class RuleWalk {
  readonly #letters: readonly Letter[];
  readonly #budget: Budget;
  readonly #states: StateSet;
  readonly #draft: DraftState = new DraftState(MAX_ITEMS);
  #transitions: Int32Array;

  constructor(patterns: SortedPatterns, letters: readonly Letter[], budget: Budget) {
    this.#letters = letters;
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
