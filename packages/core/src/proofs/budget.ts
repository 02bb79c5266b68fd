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
  readonly maxStates: number;
  readonly maxBytes: number = MAX_BYTES;
  #left: number;

  /** @param maxStates - of one automaton, or of several walked through together. The work to make them is in proportion. */
  constructor(maxStates: number = MAX_STATES) {
    this.maxStates = maxStates;
    this.#left = maxStates * WORK_PER_STATE;
  }

  /**
   * Takes some of it.
   *
   * @param work - how many patterns are looked at, about, to find out what follows on a letter.
   * @throws {BoundReached} if this was too much.
   */
  spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new BoundReached();
  }

  /** What `prove` finds; `undefined` if it takes more than this share of what is left. */
  within<T>(share: number, prove: () => T): T | undefined {
    const allowed = Math.max(this.#left, 0) * share;
    const kept = this.#left - allowed;
    this.#left = allowed;
    try {
      return prove();
    } catch (error) {
      if (error instanceof BoundReached) return undefined;
      throw error;
    } finally {
      this.#left = kept + Math.max(this.#left, 0);
    }
  }
}
