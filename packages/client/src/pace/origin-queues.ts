// The queues of all origins. A queue without a use is deleted, so that their number does not grow with the sites.
import { quoteValue } from '@maycrawl/core/internal';
import { OriginQueue } from './origin-queue.ts';
import type { Clock, ResolvedPaceOptions } from './pace-options.ts';

/** Queues that are examined at each new origin, so that those without a use are deleted without a pass over all; and if there is no space. */
const EXAMINED = 8;
const EXAMINED_IF_FULL = 1_000;

export class OriginQueues {
  readonly #options: ResolvedPaceOptions;
  readonly #clock: Clock;
  /** Those that were not examined for longest come first. */
  readonly #queues: Map<string, OriginQueue> = new Map();

  constructor(options: ResolvedPaceOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /** The number of queues. */
  get size(): number {
    return this.#queues.size;
  }

  /**
   * Returns the queue of an origin, and creates a missing one.
   *
   * @param crawlDelay - milliseconds. @defaultValue that of the last call, at first 0
   * @throws {PaceError} if there are too many origins.
   * @throws {RangeError} if `crawlDelay` is not a time.
   */
  get(origin: string, crawlDelay: number | undefined): OriginQueue {
    const { spacing, maxCrawlDelay } = this.#options;
    if (crawlDelay !== undefined && !(crawlDelay >= 0))
      throw new RangeError(`pace: "crawlDelay" must be milliseconds, not ${quoteValue(crawlDelay)}`);
    const queue = this.#queues.get(origin) ?? this.#create(origin);
    if (crawlDelay !== undefined)
      queue.pace.setSpacing(Math.max(spacing, Math.min(crawlDelay, maxCrawlDelay)));
    return queue;
  }

  #create(origin: string): OriginQueue {
    const { maxOrigins } = this.#options;
    this.#forget(this.#queues.size >= maxOrigins);
    const queue = new OriginQueue(origin, this.#options, this.#clock);
    if (this.#queues.size >= maxOrigins) throw queue.createError('max-origins', maxOrigins);
    this.#queues.set(origin, queue);
    return queue;
  }

  /** Deletes queues without a use among those that were not examined for longest. */
  #forget(isFull: boolean): void {
    let examined = isFull ? EXAMINED_IF_FULL : EXAMINED;
    for (const [origin, queue] of this.#queues) {
      if (examined-- === 0) return;
      this.#queues.delete(origin);
      if (!queue.isForgettable(isFull)) this.#queues.set(origin, queue);
    }
  }
}
