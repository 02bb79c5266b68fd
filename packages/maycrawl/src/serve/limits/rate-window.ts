// Counts requests and the time of work in fixed windows of one minute.

/** Milliseconds. */
const WINDOW = 60_000;

export interface RateLimits {
  /** Requests in a minute. @defaultValue unlimited */
  readonly requests?: number | undefined;
  /** Milliseconds of work in a minute (work.ts). */
  readonly workTime: number;
}

/** The counters of one client, or of all clients of one /48 network. */
export class RateWindow {
  readonly limits: RateLimits;
  readonly #now: () => number;
  #endsAt = 0;
  #requests = 0;
  #workTime = 0;

  /** @param now - a monotonic clock in milliseconds. */
  constructor(limits: RateLimits, now: () => number) {
    this.limits = limits;
    this.#now = now;
  }

  /** Counts requests. Refused ones count too: a client that does not slow down stays refused. @returns whether they are allowed. */
  countRequests(count: number): boolean {
    this.#startIfOver();
    this.#requests += count;
    return this.#requests <= (this.limits.requests ?? Number.POSITIVE_INFINITY);
  }

  /** Counts work that was done. The total may exceed the limit; {@link hasWorkLeft} is then `false`. */
  addWork(milliseconds: number): void {
    this.#startIfOver();
    this.#workTime += milliseconds;
  }

  /** Whether more work is allowed in this minute. */
  hasWorkLeft(): boolean {
    this.#startIfOver();
    return this.#workTime < this.limits.workTime;
  }

  /** Seconds until the next window, at least 1. */
  get secondsLeft(): number {
    return Math.max(1, Math.ceil((this.#endsAt - this.#now()) / 1000));
  }

  #startIfOver(): void {
    const now = this.#now();
    if (now < this.#endsAt) return;
    this.#endsAt = now + WINDOW;
    this.#requests = 0;
    this.#workTime = 0;
  }
}
