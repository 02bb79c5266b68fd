// Schedules requests by origin. The pause of an origin delays no other one; if there are more requests than the total limit, origins take
// turns. What waits is bounded and can be aborted.
import { checkOptions, type OptionTypes, quoteValue } from '@maycrawl/core/internal';
import { requireSignal } from '../http/caller-objects.ts';
import type { OriginQueue, Waiter } from './origin-queue.ts';
import { OriginQueues } from './origin-queues.ts';
import type { PaceError } from './pace-error.ts';
import {
  type Clock,
  type PaceOptions,
  type ResolvedPaceOptions,
  requireMaxWait,
  resolvePaceOptions,
  SYSTEM_CLOCK,
} from './pace-options.ts';
import { Places } from './places.ts';
import type { Outcome } from './response-outcome.ts';
import { createTurn, runInTurn, type Turn } from './turn.ts';

/** How a request waits for its turn. */
export interface TurnOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. @defaultValue `maxWait` of the pace */
  readonly maxWait?: number | undefined;
  /** The time between requests that the site requests (Crawl-delay), in milliseconds. @defaultValue that of the last call, at first 0 */
  readonly crawlDelay?: number;
}

const TURN_TYPES: OptionTypes<TurnOptions> = { signal: 'object', maxWait: 'number', crawlDelay: 'number' };

/** A pace that several processes share. */
export interface SharedPace {
  /**
   * Waits until no other process sends a request to an origin.
   *
   * @param signal - ends the wait. It does not end an attempt.
   * @returns a function that ends the turn, and keeps other processes away for some milliseconds.
   * @throws the reason of the signal.
   */
  take(origin: string, signal: AbortSignal): Promise<(pause: number) => void>;
}

/**
 * Gives turns to requests, by origin. `RobotsClient` has one for its requests; a program can use another one alone.
 *
 * @example
 * const pacer = new Pacer({ spacing: 1000 });
 * const response = await pacer.run('https://example.com', () => fetch('https://example.com/page'));
 */
export class Pacer {
  readonly #options: ResolvedPaceOptions;
  readonly #clock: Clock;
  readonly #shared: SharedPace | undefined;
  readonly #queues: OriginQueues;
  /** Queues whose next request may start as soon as the total limit permits, in their order. */
  readonly #ready: Set<OriginQueue> = new Set();
  readonly #places: Places;
  #waiting = 0;

  /**
   * @param shared - makes several processes take turns.
   * @throws {TypeError} {RangeError} for invalid options.
   */
  constructor(options: PaceOptions = {}, clock: Clock = SYSTEM_CLOCK, shared?: SharedPace) {
    this.#options = resolvePaceOptions('pace', options);
    this.#clock = clock;
    this.#shared = shared;
    this.#queues = new OriginQueues(this.#options, clock);
    this.#places = new Places(this.#options.maxRequests);
  }

  /** The options, with defaults. */
  get options(): ResolvedPaceOptions {
    return this.#options;
  }

  /** The number of origins whose state is in memory. */
  get origins(): number {
    return this.#queues.size;
  }

  /**
   * Waits until a request to an origin may be sent. The caller must end the turn.
   *
   * @param origin - requests with the same origin wait for each other. Any string will do.
   * @throws {PaceError} if a limit is reached.
   * @throws {RangeError} if `maxWait` or `crawlDelay` is not a time.
   * @throws the reason of the signal if it aborts.
   */
  async take(origin: string, options: TurnOptions = {}): Promise<Turn> {
    checkOptions<TurnOptions>('Pacer.take', options, TURN_TYPES);
    const { signal, maxWait = this.#options.maxWait, crawlDelay } = options;
    requireSignal(signal);
    signal?.throwIfAborted();
    if (options.maxWait !== undefined) requireMaxWait(maxWait);
    const queue = this.#queues.get(origin, crawlDelay);
    const deadline = this.#clock.now() + maxWait;
    if (!this.#start(queue)) {
      this.#requireSpace(queue, maxWait);
      await this.#wait(queue, deadline, signal);
    }
    if (this.#shared !== undefined) return this.#share(this.#shared, queue, deadline, signal);
    return this.#createTurn(queue);
  }

  /**
   * Returns a turn if a request may be sent without a wait; `undefined` if not, or if processes share the pace.
   *
   * @param crawlDelay - as in the options of {@link take}.
   * @throws {PaceError} if there are too many origins.
   * @throws {RangeError} if `crawlDelay` is not a time.
   */
  tryTake(origin: string, crawlDelay?: number): Turn | undefined {
    if (this.#shared !== undefined) return undefined;
    const queue = this.#queues.get(origin, crawlDelay);
    return this.#start(queue) ? this.#createTurn(queue) : undefined;
  }

  /**
   * Sends a request in its turn.
   *
   * @param run - sends it. Its result is the response of an HTTP client, or has `status` and `headers`; anything else counts as a success.
   * @returns what `run` returns.
   * @throws what `run` throws, and as {@link take} does.
   */
  async run<T>(origin: string, run: () => T | Promise<T>, options?: TurnOptions): Promise<T> {
    if (typeof run !== 'function') throw new TypeError(`Pacer.run: not a function: ${quoteValue(run)}`);
    return runInTurn(await this.take(origin, options), run, options?.signal);
  }

  /** Starts a request, unless it must wait. @returns whether it was started. */
  #start(queue: OriginQueue): boolean {
    if (queue.waiting.size > 0 || this.#places.areTaken) return false;
    const now = this.#clock.now();
    if (queue.pace.wait(now) !== 0) return false;
    this.#places.take();
    queue.pace.start(now);
    return true;
  }

  #createTurn(queue: OriginQueue, release?: (pause: number) => void): Turn {
    const startedAt = this.#clock.now();
    // The caller may get its turn later than the scheduler gave it.
    queue.pace.spaceFrom(startedAt);
    return createTurn(queue.origin, this.#clock.date, (outcome) => {
      const now = this.#clock.now();
      this.#end(queue, now - startedAt, outcome);
      release?.(Math.max(0, queue.pace.notBefore - now));
    });
  }

  #end(queue: OriginQueue, milliseconds: number, outcome: Outcome | undefined): void {
    this.#places.leave();
    this.#leave(queue, milliseconds, outcome);
  }

  #leave(queue: OriginQueue, milliseconds: number, outcome: Outcome | undefined): void {
    if (outcome === undefined) queue.pace.cancel();
    else queue.pace.end(this.#clock.now(), { ...outcome, milliseconds });
    if (outcome?.isFailure) queue.refuseLate();
    if (queue.waiting.size > 0) this.#schedule(queue);
    this.#serve();
  }

  /** Waits for the turn of this process. */
  #wait(queue: OriginQueue, deadline: number, given: AbortSignal | undefined): Promise<void> {
    // Many requests can share a signal, and Node reports more than ten listeners of one as a leak.
    const signal = given && AbortSignal.any([given]);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        if (!queue.waiting.delete(waiter)) return;
        this.#waiting--;
        cancelTimer();
        signal?.removeEventListener('abort', onAbort);
        if (queue.waiting.size === 0) queue.cancelWake();
      };
      const refuse = (error: unknown): void => {
        leave();
        reject(error);
      };
      const onAbort = (): void => refuse(signal?.reason);
      const waiter: Waiter = {
        deadline,
        start: () => {
          leave();
          resolve();
        },
        refuse,
      };
      const cancelTimer = this.#clock.after(deadline - this.#clock.now(), () =>
        refuse(queue.createError('max-wait')),
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.waiting.add(waiter);
      this.#waiting++;
      this.#schedule(queue);
      this.#serve();
    });
  }

  /** Decides what the next request of a queue waits for: the end of a request, the end of a pause, or the total limit. */
  #schedule(queue: OriginQueue): void {
    if (queue.waiting.size === 0) {
      this.#ready.delete(queue);
      queue.cancelWake();
      return;
    }
    const now = this.#clock.now();
    const pause = queue.pace.wait(now);
    if (pause === 0) this.#ready.add(queue);
    else {
      this.#ready.delete(queue);
      if (pause !== null)
        queue.wakeAt(now + pause, () => {
          this.#schedule(queue);
          this.#serve();
        });
    }
  }

  /** Starts one request of each ready queue in turn, up to the total limit. */
  #serve(): void {
    while (!this.#places.areTaken) {
      // First those for which other processes wait.
      if (this.#places.giveToWaiting()) continue;
      const [queue] = this.#ready;
      if (queue === undefined) return;
      this.#ready.delete(queue);
      const [waiter] = queue.waiting;
      if (waiter === undefined) continue;
      this.#places.take();
      queue.pace.start(this.#clock.now());
      waiter.start();
      this.#schedule(queue);
    }
  }

  async #share(
    shared: SharedPace,
    queue: OriginQueue,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<Turn> {
    const late = new AbortController();
    const cancelTimer = this.#clock.after(Math.max(0, deadline - this.#clock.now()), () =>
      late.abort(queue.createError('max-wait')),
    );
    const ended = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    let release: ((pause: number) => void) | undefined;
    try {
      // It sends nothing while other processes use its origin, so that other origins can have its place.
      this.#places.leave();
      this.#serve();
      release = await shared.take(queue.origin, ended);
      signal?.throwIfAborted();
      await this.#places.wait(ended);
      return this.#createTurn(queue, release);
    } catch (error) {
      release?.(0);
      this.#leave(queue, 0, undefined);
      throw error;
    } finally {
      cancelTimer();
    }
  }

  /** @throws {PaceError} if a request must not wait. */
  #requireSpace(queue: OriginQueue, maxWait: number): void {
    const { maxQueued, maxTotalQueued } = this.#options;
    const error = this.#findLimit(queue, maxWait, maxQueued, maxTotalQueued);
    if (error !== undefined) throw error;
  }

  #findLimit(
    queue: OriginQueue,
    maxWait: number,
    maxQueued: number,
    maxTotalQueued: number,
  ): PaceError | undefined {
    if (queue.waiting.size >= maxQueued) return queue.createError('max-queued', maxQueued);
    if (this.#waiting >= maxTotalQueued) return queue.createError('max-total-queued', maxTotalQueued);
    const pause = queue.pace.notBefore - this.#clock.now();
    return maxWait === 0 || pause > maxWait ? queue.createError('max-wait', maxWait) : undefined;
  }
}
