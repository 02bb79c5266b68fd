// The product construction: breadth-first search through several automata in parallel, so the first path to a
// product state is a shortest one.
import { NONE } from '../../matching/rule-table.ts';
import { BUDGET_EXCEEDED, type Budget } from './budget.ts';
import type { ByteClass } from './byte-classes.ts';
import type { Language } from './language.ts';
import { NO_PATH, PATH_STATES } from './path-automaton.ts';
import type { Automaton } from './rule-automaton.ts';

/** Units of work per product state. */
const STEP_WORK = 10;

/** With a leader, transitions cost this factor less: most of them end in a dead state of the leader. */
const LEADING = 4;

/** Limit of the packed state numbers. */
const MAX_STATES = 2 ** 21;

/** Whether the search continues. */
export type VisitResult = 'continue' | 'stop';

/** One state per automaton. */
export type States = readonly number[];

/** Returns whether no continuation of the path matches a rule. */
function isDeadState(automaton: Automaton, state: number): boolean {
  return automaton.isSettled(state) && automaton.getWinner(state) === NONE;
}

/**
 * Explores the product of one or more automata.
 *
 * @param leader - an automaton whose dead states ({@link isDeadState}) end the search.
 * @param canPrune - returns whether the continuations of some states need no exploration.
 * @param visit - receives product states in which a path can end, and a function that returns that path as
 *   requested. It may receive the same states for several paths; the first path is a shortest one.
 * @throws {BudgetExceededError} if the search exceeds the budget.
 */
export function exploreProduct(
  leader: Automaton | undefined,
  others: readonly Automaton[],
  { paths, classes }: Language,
  budget: Budget,
  canPrune: (states: States) => boolean,
  visit: (states: States, path: () => string) => VisitResult,
): void {
  const automata = leader === undefined ? others : [leader, ...others];
  const visited = new VisitedStates();
  // The queue: for each step the states of the automata and of the path, the previous step, and the byte class between.
  const queue: States[] = [];
  const pathStates: number[] = [];
  const previousSteps: number[] = [];
  const byteClasses: number[] = [];
  const push = (states: States, pathState: number, previous: number, byteClass: number): void => {
    if (visited.size >= budget.maxStates) throw BUDGET_EXCEEDED;
    if (!visited.add(states, pathState)) return;
    budget.spend(STEP_WORK);
    queue.push(states);
    pathStates.push(pathState);
    previousSteps.push(previous);
    byteClasses.push(byteClass);
  };
  const pathTo = (step: number): string => {
    let text = '';
    for (let each = step; each > 0; each = previousSteps[each] as number)
      text = String.fromCharCode((classes[byteClasses[each] as number] as ByteClass).code) + text;
    return paths.toRequest(text);
  };
  push(
    automata.map(() => 0),
    paths.start,
    0,
    0,
  );
  for (let step = 0; step < queue.length; step++) {
    const states = queue[step] as States;
    const pathState = pathStates[step] as number;
    const isEnd = paths.accepts(pathState);
    if (isEnd && visit(states, () => pathTo(step)) === 'stop') return;
    if (canPrune(states)) continue;
    // All automata are settled: no continuation changes a winner.
    if (isEnd && automata.every((automaton, index) => automaton.isSettled(states[index] as number))) continue;
    budget.spend(leader === undefined ? classes.length : classes.length / LEADING);
    for (const [byteClass, { code }] of classes.entries()) {
      const next = paths.step(pathState, code);
      if (next === NO_PATH || (leader && isDeadState(leader, leader.next(states[0] as number, byteClass))))
        continue;
      push(
        automata.map((automaton, index) => automaton.next(states[index] as number, byteClass)),
        next,
        step,
        byteClass,
      );
    }
  }
}

/** A set of product states, each with a state of the path automaton. */
class VisitedStates {
  readonly #steps: Set<number> = new Set();
  /** Numbers for the states of all automata except the last, if there are more than two. */
  readonly #numbers: Map<number, number> = new Map();

  get size(): number {
    return this.#steps.size;
  }

  /** @returns whether the states are new. */
  add(states: States, pathState: number): boolean {
    let number = 0;
    for (const [index, state] of states.entries()) {
      if (state >= MAX_STATES) throw BUDGET_EXCEEDED;
      // Two state numbers and a path state fit into the 53 bits of a number, three do not.
      number = (index < 2 ? number : this.#toNumber(number)) * MAX_STATES + state;
    }
    const key = number * PATH_STATES + pathState;
    const { size } = this.#steps;
    return this.#steps.add(key).size > size;
  }

  /** Assigns a state-sized number to a pair of states. */
  #toNumber(number: number): number {
    const known = this.#numbers.get(number) ?? this.#numbers.size;
    if (known >= MAX_STATES) throw BUDGET_EXCEEDED;
    this.#numbers.set(number, known);
    return known;
  }
}
