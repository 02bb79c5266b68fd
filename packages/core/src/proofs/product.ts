/**
 * Walking through several automata at once, along all paths that can be in a request, the shortest first.
 *
 * @module
 */
import { BoundReached, type Budget } from './budget.ts';
import type { Letter } from './letters.ts';
import { NO_PATH, PATH_STATES, type RequestPaths } from './request-paths.ts';
import type { RuleWalk } from './rule-walk.ts';

/** What a new step costs, in the measure of the budget. */
const STEP_WORK = 10;

/** Two automata are walked through in step, so that their states can be one number together. */
const MAX_STATES = 2 ** 21;

/** Whether to walk on. */
export type Next = 'go on' | 'stop';

/**
 * Walks through two automata in step.
 *
 * @param isOver - whether nothing of interest follows on a pair of states.
 * @param visit - gets the winners of both for each of their states where a path can end, and that path, when it is asked for.
 *   There may be several paths to the same winners: the first is a shortest one.
 * @throws {BoundReached} if it takes more than it may.
 */
export function walkTogether(
  first: RuleWalk,
  second: RuleWalk,
  paths: RequestPaths,
  letters: readonly Letter[],
  budget: Budget,
  isOver: (a: number, b: number) => boolean,
  visit: (winners: readonly [number, number], path: () => string) => Next,
): void {
  const known = new Set<number>();
  // A queue: of each step the states, the step before and the letter between.
  const steps: {
    readonly a: number[];
    readonly b: number[];
    readonly at: number[];
    readonly from: number[];
    readonly by: number[];
  } = {
    a: [],
    b: [],
    at: [],
    from: [],
    by: [],
  };
  const push = (a: number, b: number, at: number, from: number, by: number): void => {
    if (a >= MAX_STATES || b >= MAX_STATES || known.size >= budget.maxStates) throw new BoundReached();
    const key = (a * MAX_STATES + b) * PATH_STATES + at;
    if (known.has(key)) return;
    known.add(key);
    budget.spend(STEP_WORK);
    steps.a.push(a);
    steps.b.push(b);
    steps.at.push(at);
    steps.from.push(from);
    steps.by.push(by);
  };
  const pathTo = (step: number): string => {
    let path = '';
    for (let each = step; each > 0; each = steps.from[each] as number)
      path = String.fromCharCode((letters[steps.by[each] as number] as Letter).code) + path;
    return path;
  };
  push(0, 0, paths.start, 0, 0);
  for (let step = 0; step < steps.a.length; step++) {
    const [a, b, at] = [steps.a[step], steps.b[step], steps.at[step]] as [number, number, number];
    if (paths.accepts(at) && visit([first.winner(a), second.winner(b)], () => pathTo(step)) === 'stop')
      return;
    if (isOver(a, b)) continue;
    // Wherever a path goes on from here, nothing new comes of it.
    if (paths.accepts(at) && first.isSettled(a) && second.isSettled(b)) continue;
    budget.spend(letters.length);
    for (const [letter, { code }] of letters.entries()) {
      const next = paths.step(at, code);
      if (next !== NO_PATH) push(first.next(a, letter), second.next(b, letter), next, step, letter);
    }
  }
}
