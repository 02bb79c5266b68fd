/**
 * What a proof may take: then it is given up, and nothing is claimed.
 *
 * @module
 */

/** What a proof may take. */
export interface ProofOptions {
  /** How many states are looked at, at most; 2,000,000 if left out. The work to make them is bounded in proportion. */
  readonly maxStates?: number;
}

const MAX_STATES = 2_000_000;
/** For each state that may be looked at, so much work may be done: with the states as they are if left out, about two seconds. */
const WORK_PER_STATE = 4;
/** Memory of one automaton. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A proof takes more than it may. */
export class BoundReached extends Error {}

/** What a proof may take, and has taken, all its parts together. */
export class Budget {
  /** How much of `maxWork` is taken. */
  spent = 0;
  readonly maxStates: number;
  readonly maxWork: number;
  readonly maxBytes: number = MAX_BYTES;

  /**
   * @param maxStates - of one automaton, or of several walked through together.
   * @param maxWork - how many patterns are looked at, about, to find out what follows on a letter; in
   *   proportion to `maxStates` if left out.
   */
  constructor(maxStates: number = MAX_STATES, maxWork: number = maxStates * WORK_PER_STATE) {
    this.maxStates = maxStates;
    this.maxWork = maxWork;
  }

  /** @throws {BoundReached} if this was too much. */
  spend(work: number): void {
    this.spent += work;
    if (this.spent > this.maxWork) throw new BoundReached();
  }
}

/** What `prove` finds; `undefined` if it takes more than it may. */
export function within<T>(budget: Budget, prove: (budget: Budget) => T): T | undefined {
  try {
    return prove(budget);
  } catch (error) {
    if (error instanceof BoundReached) return undefined;
    throw error;
  }
}
