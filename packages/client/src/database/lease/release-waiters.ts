/**
 * Callers in this process that wait for the release of a lease.
 *
 * @module
 */

/** Wakes callers by the key of a lease. */
export class ReleaseWaiters {
  readonly #waiters: Map<string, Set<() => void>> = new Map();

  /** The keys that callers wait for. */
  get keys(): string[] {
    return [...this.#waiters.keys()];
  }

  get isEmpty(): boolean {
    return this.#waiters.size === 0;
  }

  /** Resolves when the key is woken, or after a number of milliseconds. */
  wait(key: string, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiters.get(key) ?? new Set();
      this.#waiters.set(key, waiting);
      const wake = (): void => {
        clearTimeout(timer);
        waiting.delete(wake);
        if (waiting.size === 0 && this.#waiters.get(key) === waiting) this.#waiters.delete(key);
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      waiting.add(wake);
    });
  }

  /** Wakes all that wait for a key. */
  wake(key: string): void {
    for (const wake of [...(this.#waiters.get(key) ?? [])]) wake();
  }

  wakeAll(): void {
    for (const key of this.keys) this.wake(key);
  }
}
