// The time of one page. It does not run while requests of the page wait in queues of this process.

/** Counts down. */
export class PageClock {
  #left: number;
  readonly #onEnd: () => void;
  #startedAt = 0;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param milliseconds - the time of the page. */
  constructor(milliseconds: number, onEnd: () => void) {
    this.#left = milliseconds;
    this.#onEnd = onEnd;
  }

  start(): void {
    if (this.#timer !== undefined || this.#waiting > 0) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onEnd, Math.max(0, this.#left));
  }

  /** A request waits in a queue. */
  pause(): void {
    this.#waiting++;
    this.stop();
  }

  /** It is sent. */
  resume(): void {
    this.#waiting--;
    this.start();
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#left -= performance.now() - this.#startedAt;
  }
}
