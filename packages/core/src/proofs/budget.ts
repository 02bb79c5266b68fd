/**
 * What a proof may take: then it is given up, and nothing is claimed.
 *
 * @module
 */

/** What a proof may take. */
export interface ProofOptions {
  /** How many states are looked at, at most; 2,000,000 if left out. */
  readonly maxStates?: number;
}

const MAX_STATES = 2_000_000;
/** A second or two. */
const MAX_WORK = 20_000_000;
const MAX_BYTES = 256 * 1024 * 1024;

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

/** What `prove` finds; `undefined` if it takes more than it may. */
export function withinBudget<T>(options: ProofOptions, prove: (budget: Budget) => T): T | undefined {
  try {
    return prove(new Budget(options.maxStates ?? MAX_STATES, MAX_WORK, MAX_BYTES));
  } catch (error) {
    if (error instanceof BoundReached) return undefined;
    throw error;
  }
}
