/**
 * The work budget of proofs. It counts steps, not time, so that the same input always gives the same result.
 *
 * @module
 */

/** What a proof may take. */
export interface ProofOptions {
  /**
   * Maximum number of states of one automaton, and of several in step. The work to make them is bounded in proportion.
   *
   * @defaultValue 2,000,000
   */
  readonly maxStates?: number;
  /** A budget that several proofs share, such as all those of one command; then `maxStates` does not count. */
  readonly budget?: Budget;
}

const MAX_STATES = 2_000_000;
/** Units of work for each state that may be made. With the default number of states all work takes about two seconds. */
const WORK_PER_STATE = 2;
/** Maximum memory of one automaton in bytes. */
const MAX_BYTES = 256 * 1024 * 1024;

/** A proof takes more than it may. */
export class BoundReached extends Error {}

/**
 * What some proofs may take together. A unit of work takes a quarter to half a microsecond: one item of an automaton's state, a
 * few bytes of a file that is read.
 */
export class Budget {
  readonly maxStates: number;
  readonly maxBytes: number = MAX_BYTES;
  #left: number;
  #spent = 0;

  /**
   * @param maxStates - maximum number of states of one automaton, and of several in step.
   * @throws {RangeError} if that is not a number from 1 on.
   */
  constructor(maxStates: number = MAX_STATES) {
    if (!(maxStates >= 1)) throw new RangeError(`maxStates is a number from 1 on, not ${String(maxStates)}`);
    this.maxStates = maxStates;
    this.#left = maxStates * WORK_PER_STATE;
  }

  /** The budget that the caller passed, or a new one. */
  static from({ budget, maxStates }: ProofOptions): Budget {
    return budget ?? new Budget(maxStates);
  }

  /** Units of work so far. It exceeds the budget by at most the last step. */
  get spent(): number {
    return this.#spent;
  }

  /**
   * Counts work.
   *
   * @param work - units of work that the caller is about to do.
   * @throws {BoundReached} if this is more than is left.
   */
  spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new BoundReached();
    this.#spent += work;
  }

  /** What `prove` returns; `undefined` if it takes more than this share of what is left. */
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
