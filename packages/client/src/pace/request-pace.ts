// How fast requests are sent to one server: how many at a time, how far apart, and fewer when it is overloaded (AIMD: additive increase,
// multiplicative decrease). It knows no clock and no queue: the client has a pace for each origin, an audit for each host.
import { type Backoff, getBackoff } from '../http/backoff.ts';

/** The bounds of a pace. */
export interface PaceBounds {
  /** Requests at the same time, at most. */
  readonly concurrency: number;
  /** Milliseconds from one request to the next, at least. */
  readonly spacing: number;
  /** Milliseconds after which a host is down that fails. @defaultValue three minutes */
  readonly downTime?: number;
  /** The longest pause that the server may request (Retry-After), in milliseconds. @defaultValue a minute */
  readonly maxRetryAfter?: number;
  /** The pauses after failures in a row. @defaultValue from half a second to 15 seconds */
  readonly backoff?: Backoff;
  /** A number from 0 to 1, for the jitter of pauses. @defaultValue always 0: no jitter */
  readonly random?: () => number;
}

/** How a request ended. */
export interface Ended {
  /** From the request to the headers of the response, or to the failure. */
  readonly milliseconds: number;
  /** The host did not respond, or is overloaded. */
  readonly isFailure: boolean;
  /** The pause that the host requests (Retry-After), in milliseconds; `null` if it requests none. */
  readonly retryAfter: number | null;
}

/** The pauses after failures in a row. */
const PAUSES: Backoff = { first: 500, longest: 15_000 };
/** The longest pause that a host may request, in milliseconds. */
const MAX_RETRY_AFTER = 60_000;
/** A host is slower than at best if responses take this many times as long, and this many milliseconds longer. */
const SLOWER = 3;
const SLOWER_BY = 200;
/** The weight of a new response in the mean. */
const WEIGHT = 0.1;
/** After this many failures in a row the host fails, not a page; after this many, or this time in milliseconds, it is down. */
const FAILING_AFTER = 8;
const DOWN_AFTER = 60;
const DOWN_TIME = 180_000;

/** The pace of requests to one server. All times are milliseconds of one clock. */
export class RequestPace {
  readonly #concurrency: number;
  readonly #downTime: number;
  readonly #maxRetryAfter: number;
  readonly #backoff: Backoff;
  readonly #random: () => number;
  #spacing: number;
  /** How many requests are good now, which need not be a whole number. */
  #window: number;
  #running = 0;
  #notBefore = 0;
  /** Pauses since the last success. */
  #pauses = 0;
  #mean: number | null = null;
  #best = Number.POSITIVE_INFINITY;
  #failures = 0;
  #failingSince = 0;
  #isDown = false;

  constructor(bounds: PaceBounds) {
    const {
      concurrency,
      spacing,
      downTime = DOWN_TIME,
      maxRetryAfter = MAX_RETRY_AFTER,
      backoff = PAUSES,
      random = () => 0,
    } = bounds;
    this.#downTime = downTime;
    this.#maxRetryAfter = maxRetryAfter;
    this.#backoff = backoff;
    this.#random = random;
    this.#concurrency = concurrency;
    this.#window = concurrency;
    this.#spacing = spacing;
  }

  /** Whether the last request failed. */
  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  /** Whether too many requests have failed for the pages to be the cause. */
  get isFailing(): boolean {
    return this.#failures >= FAILING_AFTER;
  }

  /** Whether further requests are useless. */
  get isDown(): boolean {
    return this.#isDown;
  }

  /** Whether no request is in flight. */
  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** When the next request may start at the earliest. */
  get notBefore(): number {
    return this.#notBefore;
  }

  /** Milliseconds that a response takes, about; 0 before the first one. */
  get responseTime(): number {
    return this.#mean ?? 0;
  }

  /** Milliseconds between requests. */
  get spacing(): number {
    return this.#spacing;
  }

  /** Milliseconds until the next request may start; 0 if it may now, `null` if another one must end before. */
  wait(now: number): number | null {
    if (this.#running >= Math.max(1, Math.floor(this.#window))) return null;
    return Math.max(0, this.#notBefore - now);
  }

  /** Sets the milliseconds between requests that the site requests (Crawl-delay). */
  spaceBy(milliseconds: number): void {
    this.#spacing = Math.max(this.#spacing, milliseconds);
  }

  /** Sets the milliseconds between requests. */
  setSpacing(milliseconds: number): void {
    this.#spacing = milliseconds;
  }

  /** Counts a request that is sent now. */
  start(now: number): void {
    this.#running++;
    this.spaceFrom(now);
  }

  /** Counts the time to the next request from `now`, because the last one was sent later than it started. */
  spaceFrom(now: number): void {
    this.#notBefore = Math.max(this.#notBefore, now + this.#spacing);
  }

  /** Ends a request that was not sent, or whose result says nothing about the server. */
  cancel(): void {
    this.#running--;
  }

  /** Counts the end of a request. */
  end(now: number, { milliseconds, isFailure, retryAfter }: Ended): void {
    this.#running--;
    if (isFailure) {
      if (this.#failures === 0) this.#failingSince = now;
      this.#failures++;
      const isLong = now - this.#failingSince >= this.#downTime;
      this.#isDown = this.#failures >= DOWN_AFTER || (this.isFailing && isLong);
      const requested = Math.min(retryAfter ?? 0, this.#maxRetryAfter);
      this.#notBefore = Math.max(this.#notBefore, now + Math.max(requested, this.#growPause(now)));
      return;
    }
    this.#failures = 0;
    this.#pauses = 0;
    this.#mean = this.#mean === null ? milliseconds : this.#mean + WEIGHT * (milliseconds - this.#mean);
    this.#best = Math.min(this.#best, this.#mean);
    const isSlow = this.#mean > this.#best * SLOWER && this.#mean > this.#best + SLOWER_BY;
    this.#window = isSlow
      ? Math.max(1, this.#window - 1 / this.#window)
      : Math.min(this.#concurrency, this.#window + 1 / this.#window);
  }

  /** Returns the pause after a failure, and sends fewer requests at the same time. */
  #growPause(now: number): number {
    // Requests that ran with one that failed fail for the same reason.
    if (now < this.#notBefore - this.#spacing) return 0;
    this.#window = Math.max(1, this.#window / 2);
    return getBackoff(this.#backoff, ++this.#pauses, this.#random());
  }
}
