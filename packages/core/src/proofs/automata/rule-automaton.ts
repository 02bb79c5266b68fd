// The rules of one crawler as a lazy DFA by subset construction: for each state the winning rule, and what
// can still win.

import { NONE, type RuleTable } from '../../matching/rule-table.ts';
import { BUDGET_EXCEEDED, type Budget } from './budget.ts';
import type { ByteClass } from './byte-classes.ts';
import { DraftState } from './draft-state.ts';
import type { SortedPatterns } from './sorted-patterns.ts';
import { StateSet } from './state-set.ts';
import { Transitions } from './transitions.ts';

const MAX_ITEMS = 2048;
/** Units of work per range of patterns that is counted. */
const WORK_PER_RANGE = 1 / 10;
/** Items are sorted: inserting one costs an extra unit of work per 64 items of the state. */
const ITEMS_PER_UNIT = 64;

/** The state under construction. All automata use this one: it is complete before another begins. */
const draft: DraftState = /* @__PURE__ */ new DraftState(MAX_ITEMS);

/** Rules in match order: a rule table, or a selection of its entries. */
export type Rules = Pick<RuleTable, 'count' | 'read' | 'forbids' | 'line'>;

export function pickRules(rules: Rules, entries: readonly number[]): Rules {
  const getEntry = (index: number): number => entries[index] as number;
  return {
    count: entries.length,
    read: (index) => rules.read(getEntry(index)),
    forbids: (index) => rules.forbids(getEntry(index)),
    line: (index) => rules.line(getEntry(index)),
  };
}

/** For each entry of a table that another table shares, the number of the shared rule. */
export type SharedEntries = ReadonlyMap<number, number>;

/** Represents a rule that only one table has. */
export const UNSHARED = -1;

/** The automaton of a set of rules. States are numbered from 0, the initial state. */
export interface Automaton {
  /** Returns the entry that wins if the path ends in a state, or `NONE`. */
  getWinner(state: number): number;
  /** Returns whether the same entry wins for all continuations of the path. */
  isSettled(state: number): boolean;
  /** Returns the first entry that matches all continuations of the path, or `NONE`. */
  getBest(state: number): number;
  /**
   * Returns the number of the shared rule that wins for all continuations unless another shared rule matches,
   * or `NONE`; `UNSHARED` if a rule that is not shared has won or still can.
   */
  getSharedBest(state: number): number;
  /**
   * Returns whether all continuations are disallowed (`true`) or all are allowed (`false`); `undefined` if
   * neither is known.
   */
  getSettledVerdict(state: number): boolean | undefined;
  /**
   * Returns the next state.
   *
   * @throws {BudgetExceededError} if constructing the state exceeds the budget.
   */
  next(state: number, byteClass: number): number;
}

/** The automaton of a rule table. Constructs states on demand. */
export class RuleAutomaton implements Automaton {
  readonly #classes: readonly ByteClass[];
  readonly #budget: Budget;
  readonly #states: StateSet;
  readonly #table: Rules;
  readonly #shared: SharedEntries;
  /** Prefix sums: the number of patterns before each index that are not shared. */
  readonly #unsharedBefore: Int32Array;
  /** Prefix sums: the number of patterns before each index that disallow. */
  readonly #disallowingBefore: Int32Array;
  readonly #transitions: Transitions;

  constructor(
    table: Rules,
    patterns: SortedPatterns,
    shared: SharedEntries,
    classes: readonly ByteClass[],
    budget: Budget,
  ) {
    this.#table = table;
    this.#shared = shared;
    this.#classes = classes;
    this.#unsharedBefore = createPrefixSums(patterns, (entry) => !shared.has(entry));
    this.#disallowingBefore = createPrefixSums(patterns, (entry) => table.forbids(entry));
    this.#budget = budget;
    const { maxStates, maxBytes } = budget;
    this.#transitions = new Transitions(classes.length);
    const extraStateBytes = this.#transitions.bytesPerState;
    this.#states = new StateSet(patterns, { maxBytes, maxStates, extraStateBytes });
    draft.begin(patterns);
    this.#intern();
  }

  getWinner(state: number): number {
    return this.#states.winner(state);
  }

  isSettled(state: number): boolean {
    return this.#states.isSettled(state);
  }

  getBest(state: number): number {
    return this.#states.best(state);
  }

  getSharedBest(state: number): number {
    const best = this.#states.best(state);
    if (best !== NONE && !this.#shared.has(best)) return UNSHARED;
    if (this.#count(state, this.#unsharedBefore).counted > 0) return UNSHARED;
    return best === NONE ? NONE : (this.#shared.get(best) as number);
  }

  getSettledVerdict(state: number): boolean | undefined {
    const best = this.#states.best(state);
    const forbids = best !== NONE && this.#table.forbids(best);
    const { all, counted } = this.#count(state, this.#disallowingBefore);
    return counted === (forbids ? all : 0) ? forbids : undefined;
  }

  /** Counts the patterns that can still match after a state, and those among them that the prefix sums `before` count. */
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
    const cached = this.#transitions.get(state, byteClass);
    if (cached >= 0) return cached;
    this.#states.advance(draft, state, (this.#classes[byteClass] as ByteClass).patternCode);
    this.#budget.spend(1 + draft.count * (1 + draft.count / ITEMS_PER_UNIT));
    const next = this.#intern();
    this.#transitions.set(state, byteClass, next);
    return next;
  }

  #intern(): number {
    const state = draft.isTooLarge ? -1 : this.#states.intern(draft);
    if (state < 0) throw BUDGET_EXCEEDED;
    return state;
  }
}

/** Creates the prefix sums of the patterns with a property; the last element is the total. */
function createPrefixSums(patterns: SortedPatterns, isCounted: (entry: number) => boolean): Int32Array {
  const before = new Int32Array(patterns.count + 1);
  for (let index = 0; index < patterns.count; index++)
    before[index + 1] = (before[index] as number) + (isCounted(patterns.entry(index)) ? 1 : 0);
  return before;
}
