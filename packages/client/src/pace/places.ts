// The total limit of requests that run.

export class Places {
  readonly #limit: number;
  #taken = 0;
  /** Requests whose origin no other process uses any more, and that wait for a place. */
  readonly #waiting: Set<() => void> = new Set();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get areTaken(): boolean {
    return this.#taken >= this.#limit;
  }

  /** Takes a place. The caller has seen that there is one. */
  take(): void {
    this.#taken++;
  }

  leave(): void {
    this.#taken--;
  }

  /** Gives a place to the request that has waited longest in {@link wait}. @returns whether one waited. */
  giveToWaiting(): boolean {
    const [enter] = this.#waiting;
    if (enter === undefined) return false;
    this.take();
    enter();
    return true;
  }

  /** Takes a place, as soon as there is one. @throws the reason of the signal. */
  async wait(signal: AbortSignal): Promise<void> {
    if (!this.areTaken) return this.take();
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(enter);
        signal.removeEventListener('abort', onAbort);
      };
      const enter = (): void => {
        leave();
        resolve();
      };
      const onAbort = (): void => {
        leave();
        reject(signal.reason);
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort);
      this.#waiting.add(enter);
    });
  }
}
