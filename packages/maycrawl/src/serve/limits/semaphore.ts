/**
 * A counting semaphore: only so many calls run at the same time, the others wait in their order.
 *
 * @module
 */

/** Lets so many calls run at the same time. */
export class Semaphore {
  readonly #limit: number;
  #running = 0;
  readonly #waiting: Set<() => void> = new Set();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Calls `start` when it may run.
   *
   * @throws the signal's reason if it aborts while the call waits.
   */
  async run<T>(start: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#running < this.#limit) this.#running++;
    else await this.#wait(signal);
    try {
      return await start();
    } finally {
      // The place is handed on; it is free only if no call waits.
      const [next] = this.#waiting;
      if (next === undefined) this.#running--;
      else {
        this.#waiting.delete(next);
        next();
      }
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        this.#waiting.delete(go);
        reject(signal.reason);
      };
      signal.throwIfAborted();
      this.#waiting.add(go);
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}
