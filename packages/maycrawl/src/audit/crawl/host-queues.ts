/**
 * The hosts of a crawl, each with a queue of URLs and a pace.
 *
 * @module
 */
import type { Waiting } from '../run/run-store.ts';
import { HostPace, type PaceOptions } from './host-pace.ts';

/** Maximum number of concurrent hosts. */
export const MAX_HOSTS = 64;

/** A host, and its next URLs. */
export interface HostQueue {
  readonly pace: HostPace;
  next: Waiting[];
  /** Whether its robots.txt is being fetched. */
  isFetchingRobots: boolean;
  /** Whether a request is in progress that tests whether it responds again. */
  isProbing: boolean;
}

/** The queues of all hosts. */
export class HostQueues implements Iterable<[host: string, queue: HostQueue]> {
  readonly #options: PaceOptions;
  readonly #queues: Map<string, HostQueue> = new Map();

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Whether there is a queue without URLs. */
  get isShort(): boolean {
    for (const { next } of this.#queues.values()) if (next.length === 0) return true;
    return this.#queues.size === 0;
  }

  /** Returns the queue of a host. A new one replaces those that have nothing to do. */
  get(host: string): HostQueue {
    let queue = this.#queues.get(host);
    if (queue !== undefined) return queue;
    const { concurrency, spacing } = this.#options;
    queue = {
      pace: new HostPace({ concurrency, spacing }),
      next: [],
      isFetchingRobots: false,
      isProbing: false,
    };
    for (const [name, { next, pace }] of this.#queues)
      if (this.#queues.size >= MAX_HOSTS && next.length === 0 && pace.isIdle) this.#queues.delete(name);
    this.#queues.set(host, queue);
    return queue;
  }

  [Symbol.iterator](): Iterator<[string, HostQueue]> {
    return this.#queues[Symbol.iterator]();
  }
}
