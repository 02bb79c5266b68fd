/**
 * How fast a host is asked: so many requests at a time, so far apart, and less when it has trouble to answer.
 *
 * @module
 */

export interface PaceOptions {
  /** Requests at the same time, at most. */
  readonly concurrency: number;
  /** Milliseconds from one request to the next, at least. */
  readonly spacing: number;
}

/** How a request ended. */
export interface Ended {
  /** From the request to the headers of the response, or to the failure. */
  readonly milliseconds: number;
  /** The host could not answer, or said that it is too much. */
  readonly isTrouble: boolean;
  /** What it asks for, in milliseconds; `null` if it asks for nothing. */
  readonly retryAfter: number | null;
}

/** The first pause after trouble, and the longest; and how much the host may ask for. Milliseconds. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 15_000;
const LONGEST_ASKED = 60_000;
/** A host is slower than it can be if answers take so many times as long as at best, and so much longer. */
const SLOWER = 3;
const SLOWER_BY = 200;
/** How much a new answer counts in the mean. */
const WEIGHT = 0.1;
/** After so many failures in a row it is the host that fails, not a page; after so many, or so long, it is down. */
const FAILING_AFTER = 8;
const DOWN_AFTER = 60;
const DOWN_TIME = 180_000;

/** The pace at which one host is asked. All times are milliseconds of one clock. */
export class HostPace {
  readonly #concurrency: number;
  #spacing: number;
  /** How many requests are good now, which need not be a whole number. */
  #window: number;
  #running = 0;
  #notBefore = 0;
  #pause = FIRST_PAUSE;
  #mean: number | null = null;
  #best = Number.POSITIVE_INFINITY;
  #failures = 0;
  #failingSince = 0;
  #isDown = false;

  constructor({ concurrency, spacing }: PaceOptions) {
    this.#concurrency = concurrency;
    this.#window = concurrency;
    this.#spacing = spacing;
  }

  /** Whether nothing has come for so long that it cannot be for the pages. */
  get isFailing(): boolean {
    return this.#failures >= FAILING_AFTER;
  }

  /** Whether there is no use in going on. */
  get isDown(): boolean {
    return this.#isDown;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Milliseconds until the next request may start; 0 if it may now, `null` if another one must end before. */
  wait(now: number): number | null {
    if (this.#running >= Math.max(1, Math.floor(this.#window))) return null;
    return Math.max(0, this.#notBefore - now);
  }

  /** The site wants so many milliseconds between requests. */
  spaceBy(milliseconds: number): void {
    this.#spacing = Math.max(this.#spacing, milliseconds);
  }

  start(now: number): void {
    this.#running++;
    this.#notBefore = Math.max(this.#notBefore, now + this.#spacing);
  }

  end(now: number, { milliseconds, isTrouble, retryAfter }: Ended): void {
    this.#running--;
    if (isTrouble) {
      if (this.#failures === 0) this.#failingSince = now;
      this.#failures++;
      const isLong = now - this.#failingSince >= DOWN_TIME;
      this.#isDown = this.#failures >= DOWN_AFTER || (this.isFailing && isLong);
      // Requests that were under way with this one have the same trouble.
      if (now < this.#notBefore - this.#spacing) return;
      this.#window = Math.max(1, this.#window / 2);
      const pause = Math.max(Math.min(retryAfter ?? 0, LONGEST_ASKED), this.#pause);
      this.#notBefore = Math.max(this.#notBefore, now + pause);
      this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
      return;
    }
    this.#failures = 0;
    this.#pause = FIRST_PAUSE;
    this.#mean = this.#mean === null ? milliseconds : this.#mean + WEIGHT * (milliseconds - this.#mean);
    this.#best = Math.min(this.#best, this.#mean);
    const isSlow = this.#mean > this.#best * SLOWER && this.#mean > this.#best + SLOWER_BY;
    this.#window = isSlow
      ? Math.max(1, this.#window - 1 / this.#window)
      : Math.min(this.#concurrency, this.#window + 1 / this.#window);
  }
}
