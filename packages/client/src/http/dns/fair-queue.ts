/**
 * A queue in which a few groups of slow tasks do not delay the tasks of others. Knows nothing of DNS.
 *
 * A task that has run for a while no longer takes one of the places for prompt tasks, so that tasks which wait for silent servers do
 * not use them up. Groups take turns (round robin), and one group has a limited share of all places.
 *
 * @module
 */
import { LocalFailureError } from '../local-failure.ts';

/** How many tasks run. */
export interface FairQueueLimits {
  /** Tasks that run and are not slow yet. */
  readonly prompt: number;
  /** All tasks that run. */
  readonly total: number;
  /** Tasks of one group that run. */
  readonly perGroup: number;
  /** Tasks that wait. */
  readonly waiting: number;
  /** Milliseconds after which a task is slow. */
  readonly slowAfter: number;
  /** Milliseconds that a task waits at most. */
  readonly maxWait: number;
}

/** A task that waits. */
interface Waiter {
  readonly start: () => void;
}

/** Lets tasks run within limits. */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** Tasks that wait, by group. The group whose turn is next comes first. */
  readonly #groups: Map<string, Set<Waiter>> = new Map();
  /** How many tasks of a group run. */
  readonly #running: Map<string, number> = new Map();
  #waiting = 0;
  #prompt = 0;
  #total = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /**
   * Waits until a task may run.
   *
   * @returns a function that the task calls when it has ended.
   * @throws {LocalFailureError} with the code `resolver-overloaded` if too many tasks wait, or this one has waited for too long.
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

  /** Starts the tasks for which there are places, one of each group in turn. */
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
