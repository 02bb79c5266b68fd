// How fast the service sends requests for pages and sitemaps to one host, for all clients together. Otherwise the
// clients of a public service could use it to overload a site.
import { setTimeout as sleep } from 'node:timers/promises';
import { FairQueue, type QueueClient } from './fair-queue.ts';
import type { Limits } from './limits.ts';

/** Hosts in memory; above that, those without requests are dropped. */
const MAX_HOSTS = 10_000;

interface HostQueue {
  readonly places: FairQueue;
  /** Requests that run or wait. */
  requests: number;
  /** When the next request may start. */
  notBefore: number;
}

/** Settings of {@link HostSpacing}. Times are milliseconds of one clock. */
export interface HostSpacingOptions {
  readonly limits: Pick<Limits, 'hostSpacing' | 'hostRequests'>;
  /** @defaultValue `performance.now` */
  readonly now?: () => number;
  /** @defaultValue a timer */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
}

/** Lets one request at a time pass to each host, `hostSpacing` after the start of the one before. */
export class HostSpacing {
  readonly #options: Required<HostSpacingOptions>;
  readonly #queues: Map<string, HostQueue> = new Map();

  constructor(options: HostSpacingOptions) {
    this.#options = {
      now: () => performance.now(),
      wait: (milliseconds, signal) => sleep(milliseconds, undefined, { signal }),
      ...options,
    };
  }

  /**
   * Runs a request to a host when it may start. Clients wait in a queue that is fair between them.
   *
   * @throws {Problem} `overloaded` if too many requests wait for the host.
   * @throws the signal's reason if it aborts while the request waits.
   */
  async run<T>(
    host: string,
    client: QueueClient,
    signal: AbortSignal,
    request: () => Promise<T>,
  ): Promise<T> {
    const queue = this.#getQueue(host);
    queue.requests++;
    try {
      return await queue.places.run(client, signal, async () => {
        await this.#waitForStart(queue, signal);
        return request();
      });
    } finally {
      queue.requests--;
    }
  }

  async #waitForStart(queue: HostQueue, signal: AbortSignal): Promise<void> {
    const { now, wait, limits } = this.#options;
    const milliseconds = queue.notBefore - now();
    if (milliseconds > 0) {
      await wait(milliseconds, signal).catch(() => {});
      signal.throwIfAborted();
    }
    queue.notBefore = now() + limits.hostSpacing;
  }

  #getQueue(host: string): HostQueue {
    const known = this.#queues.get(host);
    if (known !== undefined) return known;
    if (this.#queues.size >= MAX_HOSTS) this.#dropIdleQueues();
    const places = new FairQueue({ places: 1, limit: this.#options.limits.hostRequests });
    const queue = { places, requests: 0, notBefore: Number.NEGATIVE_INFINITY };
    this.#queues.set(host, queue);
    return queue;
  }

  #dropIdleQueues(): void {
    const now = this.#options.now();
    for (const [host, { requests, notBefore }] of this.#queues)
      if (requests === 0 && notBefore <= now) this.#queues.delete(host);
  }
}
