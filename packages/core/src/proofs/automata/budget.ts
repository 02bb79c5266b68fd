// The work budget of the proofs. It counts steps, not time, so the same input always gives the same result.

import { checkOptions, type OptionTypes, quoteValue } from '../../bytes/check-options.ts';

/** Limits of a proof. */
export interface ProofOptions {
  /**
   * Maximum number of states of one automaton, and of the product of several. The work to construct them is
   * bounded in proportion.
   *
   * @defaultValue 2,000,000
   */
  readonly maxStates?: number;
  /** A budget that several proofs share, such as all proofs of one command. If it is given, `maxStates` is ignored. */
  readonly budget?: Budget;
}

const PROOF_OPTIONS: OptionTypes<ProofOptions> = { maxStates: 'number', budget: 'object' };

const MAX_STATES = 2_000_000;
/** Units of work per state. With the default number of states a proof takes at most about two seconds. */
const WORK_PER_STATE = 2;
/** Maximum memory of one automaton in bytes. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Thrown when a proof exceeds its budget. */
class BudgetExceededError extends Error {}

/**
 * The only instance. A proof can exceed its share of a budget tens of thousands of times, and recording a stack trace would take longer
 * than most searches.
 */
export const BUDGET_EXCEEDED: BudgetExceededError = /* @__PURE__ */ new BudgetExceededError();

/**
 * A budget of work that several proofs can share.
 *
 * One unit of work takes a quarter to half a microsecond: one item of an automaton's state, or a few bytes of
 * input.
 */
export class Budget {
  readonly maxStates: number;
  readonly maxBytes: number = MAX_BYTES;
  #remaining: number;
  #spent = 0;

  /**
   * @param maxStates - maximum number of states of one automaton, and of the product of several.
   * @throws {RangeError} if `maxStates` is less than 1 or not a number.
   */
  constructor(maxStates: number = MAX_STATES) {
    if (!(maxStates >= 1)) throw new RangeError(`maxStates must be at least 1, got ${String(maxStates)}`);
    this.maxStates = maxStates;
    this.#remaining = maxStates * WORK_PER_STATE;
  }

  /**
   * Checks the options of a proof, and returns the budget in them, or creates one.
   *
   * @param owner - the function that the options belong to, for messages.
   * @param further - the types of the other options of this function.
   * @throws {TypeError} for an unknown option, or one of a wrong type.
   */
  static from<Options extends ProofOptions>(
    owner: string,
    options: Options,
    further: OptionTypes<Omit<Options, keyof ProofOptions>>,
  ): Budget {
    checkOptions<ProofOptions>(owner, options, { ...PROOF_OPTIONS, ...further });
    const { budget, maxStates } = options;
    if (budget !== undefined && !(budget instanceof Budget))
      throw new TypeError(`${owner}: the option "budget" must be a Budget, not ${quoteValue(budget)}`);
    return budget ?? new Budget(maxStates);
  }

  /** Units of work spent so far. Never more than the budget. */
  get spent(): number {
    return this.#spent;
  }

  /**
   * Spends units of work.
   *
   * @param work - units of work that the caller is about to do.
   * @throws {BudgetExceededError} if `work` exceeds the remaining budget.
   */
  spend(work: number): void {
    this.#remaining -= work;
    if (this.#remaining < 0) throw BUDGET_EXCEEDED;
    this.#spent += work;
  }

  /**
   * Spends units of work if a share of the remaining budget has as many.
   *
   * @param share - from 0 to 1.
   * @returns whether it has. Thousands of proofs without a budget are faster than with an exception each.
   */
  trySpend(work: number, share: number): boolean {
    if (this.#remaining * share < work) return false;
    this.spend(work);
    return true;
  }

  /**
   * Runs `prove` with a share of the remaining budget.
   *
   * @param share - from 0 to 1.
   * @returns the result of `prove`, or `undefined` if it exceeds its share.
   */
  runWithin<T>(share: number, prove: () => T): T | undefined {
    const allowed = Math.max(this.#remaining, 0) * share;
    const reserved = this.#remaining - allowed;
    this.#remaining = allowed;
    try {
      return prove();
    } catch (error) {
      if (error === BUDGET_EXCEEDED) return undefined;
      throw error;
    } finally {
      this.#remaining = reserved + Math.max(this.#remaining, 0);
    }
  }
}
