// The queue of DNS queries, in which a few domains with slow name servers do not delay the queries for other domains.
//
// A query that has run for a while no longer takes one of the places for prompt queries, so that queries which wait for silent servers
// do not use them up. Groups (domains) take turns (round robin), and one group has a limited share of all places.
import { checkOptions } from '@maycrawl/core/internal';
import { LocalFailureError } from '../local-failure.ts';

/** Numbers of queries, and how long they wait. */
export interface QueryQueueLimits {
  /** Queries that run and are not slow yet. */
  readonly prompt: number;
  /** All queries that run. */
  readonly total: number;
  /** Queries of one group that run. */
  readonly perGroup: number;
  readonly waiting: number;
  /** Milliseconds after which a query is slow. */
  readonly slowAfter: number;
  /** Milliseconds that a query waits at most. */
  readonly maxWait: number;
}

/** Checks names and types of limits. @throws {TypeError} if one is unknown, or has a wrong type. */
export function checkQueueLimits(limits: Partial<QueryQueueLimits>): void {
  checkOptions<Partial<QueryQueueLimits>>('limits of createResolver', limits, {
    ...{ prompt: 'number', total: 'number', perGroup: 'number', waiting: 'number' },
    ...{ slowAfter: 'number', maxWait: 'number' },
  });
}

interface Waiter {
  readonly start: () => void;
}

/** Lets queries run within limits. */
export class QueryQueue {
  readonly #limits: QueryQueueLimits;
  /** Queries that wait, by group. The group whose turn is next comes first. */
  readonly #groups: Map<string, Set<Waiter>> = new Map();
  /** The number of queries of a group that run. */
  readonly #running: Map<string, number> = new Map();
  #waiting = 0;
  #prompt = 0;
  #total = 0;

  constructor(limits: QueryQueueLimits) {
    this.#limits = limits;
  }

  /**
   * Waits until a query may run.
   *
   * @returns a function that the query calls when it has ended.
   * @throws {LocalFailureError} with the code `resolver-overloaded` if too many queries wait, or this one has waited for too long.
   * @throws the signal's reason if it is aborted.
   */
  async enter(group: string, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (!this.#groups.has(group) && this.#hasPlace(group)) return this.#run(group);
    if (this.#waiting >= this.#limits.waiting)
      throw new LocalFailureError(
        'resolver-overloaded',
        `more than ${this.#waiting} names wait to be resolved`,
      );
    return this.#wait(group, signal);
  }

  #wait(group: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#remove(group, waiter);
      };
      const waiter: Waiter = {
        start: () => {
          leave();
          resolve(this.#run(group));
        },
      };
      const fail = (error: unknown): void => {
        leave();
        reject(error);
      };
      const onAbort = (): void => fail(signal.reason);
      const { maxWait } = this.#limits;
      const message = `no turn to resolve a name within ${maxWait} ms`;
      const timer = setTimeout(() => fail(new LocalFailureError('resolver-overloaded', message)), maxWait);
      signal.addEventListener('abort', onAbort, { once: true });
      const waiters = this.#groups.get(group) ?? new Set();
      waiters.add(waiter);
      this.#groups.set(group, waiters);
      this.#waiting++;
    });
  }

  #remove(group: string, waiter: Waiter): void {
    const waiters = this.#groups.get(group);
    if (waiters?.delete(waiter) !== true) return;
    this.#waiting--;
    if (waiters.size === 0) this.#groups.delete(group);
  }

  #hasPlace(group: string): boolean {
    const { prompt, total, perGroup } = this.#limits;
    return this.#prompt < prompt && this.#total < total && (this.#running.get(group) ?? 0) < perGroup;
  }

  #run(group: string): () => void {
    this.#prompt++;
    this.#total++;
    this.#running.set(group, (this.#running.get(group) ?? 0) + 1);
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.#prompt--;
      this.#startNext();
    }, this.#limits.slowAfter);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (!isSlow) this.#prompt--;
      this.#total--;
      const others = (this.#running.get(group) ?? 0) - 1;
      if (others > 0) this.#running.set(group, others);
      else this.#running.delete(group);
      this.#startNext();
    };
  }

  /** Starts the queries for which there are places, one of each group in turn. */
  #startNext(): void {
    for (const [group, waiters] of this.#groups) {
      if (this.#prompt >= this.#limits.prompt || this.#total >= this.#limits.total) return;
      const [first] = waiters;
      if (first === undefined || !this.#hasPlace(group)) continue;
      first.start();
      // The group goes to the end of the line. The loop reaches it there again, if it still has a waiter.
      if (waiters.size > 0) {
        this.#groups.delete(group);
        this.#groups.set(group, waiters);
      }
    }
  }
}
