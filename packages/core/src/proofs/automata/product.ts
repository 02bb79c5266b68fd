/**
 * Walking through several automata at once, along all paths, the shortest first.
 *
 * @module
 */
import { NONE } from '../../matching/rule-table.ts';
import { BoundReached, type Budget } from './budget.ts';
import type { ByteClass } from './byte-classes.ts';
import type { Language } from './language.ts';
import { NO_PATH, PATH_STATES } from './paths.ts';
import type { Walk } from './rule-walk.ts';

/** What a new step costs, in the measure of the budget. */
const STEP_WORK = 10;

/** How much less a byte class costs on which a leader goes no further. */
const LEADING = 4;

/** More states of one automaton could not be told apart. */
const MAX_STATES = 2 ** 21;

/** Whether to walk on. */
export type Next = 'go on' | 'stop';

/** A state of each automaton. */
export type States = readonly number[];

/** Whether no rule matches wherever a path goes on from a state. */
function isOut(walk: Walk, state: number): boolean {
  return walk.isSettled(state) && walk.winner(state) === NONE;
}

/**
 * Walks through two or more automata in step.
 *
 * @param leader - one that is followed no further once it {@link isOut}; the others are then not even looked at.
 * @param isOver - whether nothing of interest follows on some states.
 * @param visit - gets the states where a path can end, and that path as it is requested, when it is asked for. There may be
 *   several paths to the same states: the first is a shortest one.
 * @throws {BoundReached} if it takes more than it may.
 */
export function walkTogether(
  leader: Walk | undefined,
  others: readonly Walk[],
  { paths, classes }: Language,
  budget: Budget,
  isOver: (states: States) => boolean,
  visit: (states: States, path: () => string) => Next,
): void {
  const walks = leader === undefined ? others : [leader, ...others];
  const met = new Met();
  // A queue of steps, and of each the states, the state of the path, the step before and the byte class between.
  const queue: States[] = [];
  const places: number[] = [];
  const from: number[] = [];
  const by: number[] = [];
  const push = (states: States, place: number, before: number, byteClass: number): void => {
    if (met.size >= budget.maxStates) throw new BoundReached();
    if (!met.add(states, place)) return;
    budget.spend(STEP_WORK);
    queue.push(states);
    places.push(place);
    from.push(before);
    by.push(byteClass);
  };
  const pathTo = (step: number): string => {
    let text = '';
    for (let each = step; each > 0; each = from[each] as number)
      text = String.fromCharCode((classes[by[each] as number] as ByteClass).code) + text;
    return paths.requestOf(text);
  };
  push(
    walks.map(() => 0),
    paths.start,
    0,
    0,
  );
  for (let step = 0; step < queue.length; step++) {
    const states = queue[step] as States;
    const place = places[step] as number;
    const isEnd = paths.accepts(place);
    if (isEnd && visit(states, () => pathTo(step)) === 'stop') return;
    if (isOver(states)) continue;
    // Wherever a path goes on from here, nothing new comes of it.
    if (isEnd && walks.every((walk, index) => walk.isSettled(states[index] as number))) continue;
    budget.spend(leader === undefined ? classes.length : classes.length / LEADING);
    for (const [byteClass, { code }] of classes.entries()) {
      const next = paths.step(place, code);
      if (next === NO_PATH || (leader && isOut(leader, leader.next(states[0] as number, byteClass))))
        continue;
      push(
        walks.map((walk, index) => walk.next(states[index] as number, byteClass)),
        next,
        step,
        byteClass,
      );
    }
  }
}

/** The states that were met, together with those of the path. */
class Met {
  readonly #steps: Set<number> = new Set();
  /** Numbers for the states of all automata but the last, if those are more than one. */
  readonly #numbers: Map<number, number> = new Map();

  get size(): number {
    return this.#steps.size;
  }

  /** @returns whether they are new. */
  add(states: States, place: number): boolean {
    let number = 0;
    for (const [index, state] of states.entries()) {
      if (state >= MAX_STATES) throw new BoundReached();
      // With two numbers behind it there is no more room for a third.
      number = (index < 2 ? number : this.#numberOf(number)) * MAX_STATES + state;
    }
    const key = number * PATH_STATES + place;
    const { size } = this.#steps;
    return this.#steps.add(key).size > size;
  }

  /** A small number for one that is made of two. */
  #numberOf(number: number): number {
    const known = this.#numbers.get(number) ?? this.#numbers.size;
    if (known >= MAX_STATES) throw new BoundReached();
    this.#numbers.set(number, known);
    return known;
  }
}
