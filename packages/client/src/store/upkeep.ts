// What a store outside of this process does besides the calls of its callers: work in the background, pruning when it is due, and
// counting failures.
import type { StoreLimits } from './limits.ts';

/** A process looks whether the store is over its limits after this time, and after it wrote this share of them. Milliseconds. */
const PRUNE_INTERVAL = 300_000;
const PRUNE_SHARE = 1 / 1024;

export class StoreUpkeep {
  readonly #limits: StoreLimits;
  readonly #evict: () => Promise<unknown>;
  /** What goes on that no caller waits for. */
  readonly #background: Set<Promise<void>> = new Set();
  #isClosed = false;
  #isPruning = false;
  /** A process that writes one entry and ends prunes, too. */
  #prunedAt = Number.NEGATIVE_INFINITY;
  /** The share of the limits that was written since the store was pruned. */
  #writtenShare = 0;
  #failures = 0;
  /** Why pruning failed the last time; `undefined` if it did not. */
  #pruneError: unknown;

  /** @param evict - evicts what is over the limits and what is too old. */
  constructor(limits: StoreLimits, evict: () => Promise<unknown>) {
    this.#limits = limits;
    this.#evict = evict;
  }

  /** The number of calls that failed. */
  get failures(): number {
    return this.#failures;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** From now on nothing is pruned. */
  close(): void {
    this.#isClosed = true;
  }

  /** Resolves when nothing goes on in the background. */
  async idle(): Promise<void> {
    await Promise.all(this.#background);
  }

  /** Counts failures. */
  async guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#failures++;
      throw error;
    }
  }

  /** Does something that no caller waits for. A failure of it is counted where it happens. */
  run(work: () => Promise<unknown>): void {
    const done = work()
      .catch(() => {})
      .then(() => {
        this.#background.delete(done);
      });
    this.#background.add(done);
  }

  /** Counts what was written, and prunes in the background. @returns whether it is time to prune, which may go on already. */
  addWritten(bytes: number): boolean {
    this.#writtenShare += Math.max(bytes / this.#limits.maxBytes, 1 / this.#limits.maxOrigins);
    const isDue = this.#writtenShare > PRUNE_SHARE || performance.now() - this.#prunedAt > PRUNE_INTERVAL;
    if (!isDue || this.#isClosed) return false;
    if (this.#isPruning) return true;
    this.#isPruning = true;
    this.#writtenShare = 0;
    this.run(async () => {
      try {
        await this.#evict();
        this.#pruneError = undefined;
      } catch (error) {
        this.#pruneError = error;
      } finally {
        this.#isPruning = false;
        this.#prunedAt = performance.now();
      }
    });
    return true;
  }

  /** Prunes if the last pruning failed, for example while there was no connection. @throws its error if it fails again. */
  async requirePruned(): Promise<void> {
    if (this.#pruneError === undefined) return;
    await this.#evict();
    this.#pruneError = undefined;
  }
}
