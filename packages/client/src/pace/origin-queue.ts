// The requests to one origin that wait for their turn, and its pace.
import { PaceError, type PaceErrorCode } from './pace-error.ts';
import type { Clock, ResolvedPaceOptions } from './pace-options.ts';
import { RequestPace } from './request-pace.ts';

/** How long a failure is remembered, so that a server that fails every few minutes gets growing pauses. Milliseconds. */
const FAILURE_MEMORY = 3_600_000;
/** A queue that tries again by `retryAt` must not do nothing else while a server takes long for its first response. Milliseconds. */
const SHORTEST_WAIT = 100;
/** Jitter spreads the requests of many processes after a pause. */
const JITTER = 0.2;

/** A request that waits. */
export interface Waiter {
  /** When it has waited too long. */
  readonly deadline: number;
  readonly start: () => void;
  readonly refuse: (error: PaceError) => void;
}

/** The queue of one origin. All times are milliseconds of the clock. */
export class OriginQueue {
  readonly origin: string;
  readonly pace: RequestPace;
  readonly waiting: Set<Waiter> = new Set();
  readonly #clock: Clock;
  #cancelTimer: (() => void) | undefined;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(origin: string, options: ResolvedPaceOptions, clock: Clock) {
    const { concurrency, spacing, maxRetryAfter, firstPause, longestPause } = options;
    this.origin = origin;
    this.#clock = clock;
    this.pace = new RequestPace({
      concurrency,
      spacing,
      maxRetryAfter,
      backoff: { first: firstPause, longest: longestPause, jitter: JITTER },
      random: clock.random,
    });
  }

  /** Returns about how long a new request would wait. */
  #estimateWait(): number {
    const { pace } = this;
    const pause = Math.max(0, pace.notBefore - this.#clock.now());
    const before = this.waiting.size + (pace.isIdle ? 0 : 1);
    return Math.max(SHORTEST_WAIT, pause + before * Math.max(pace.spacing, pace.responseTime));
  }

  /**
   * Whether nothing is lost if the queue is deleted.
   *
   * @param isFull - there is no space to remember failures whose pause is over: many sites that fail must not keep the others waiting.
   */
  isForgettable(isFull: boolean): boolean {
    if (this.waiting.size > 0 || !this.pace.isIdle) return false;
    const ready = this.#clock.now() - this.pace.notBefore;
    return ready >= (this.pace.hasFailed && !isFull ? FAILURE_MEMORY : 0);
  }

  /** Calls a function at the end of the pause, and not twice for the same one. */
  wakeAt(time: number, call: () => void): void {
    if (this.#timerAt <= time) return;
    this.cancelWake();
    this.#timerAt = time;
    this.#cancelTimer = this.#clock.after(Math.max(0, time - this.#clock.now()), () => {
      this.cancelWake();
      call();
    });
  }

  /** No request waits any more. */
  cancelWake(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  /** Refuses the requests whose time ends before the pause does. */
  refuseLate(): void {
    const { notBefore } = this.pace;
    for (const waiter of this.waiting)
      if (waiter.deadline < notBefore) waiter.refuse(this.createError('max-wait'));
  }

  createError(code: PaceErrorCode, limit?: number): PaceError {
    const retryAt = Math.ceil(this.#clock.date() + this.#estimateWait());
    const what = DESCRIPTIONS[code];
    const count = limit === undefined ? '' : `: ${limit}`;
    const message = `${this.origin} gets no request now: ${what} (${code}${count}). Try again at ${new Date(retryAt).toISOString()}`;
    return new PaceError(code, message, this.origin, retryAt);
  }
}

const DESCRIPTIONS: Readonly<Record<PaceErrorCode, string>> = {
  'max-wait': 'the request would wait too long',
  'max-queued': 'too many requests to it wait',
  'max-total-queued': 'too many requests wait',
  'max-origins': 'too many origins pause',
};
