/**
 * A queue that is fair between clients: the next task is one of the client of which the fewest tasks run, and of the tasks of one
 * client the smallest. However many large tasks a client sends, the first of another client is the next to run.
 *
 * @module
 */

import { Problem } from '../http/problems.ts';
import type { Client } from './clients.ts';

interface Waiting {
  readonly size: number;
  readonly start: () => void;
}

/** Settings of {@link FairQueue}. */
export interface FairQueueOptions {
  /** Tasks that run at the same time. */
  readonly places: number;
  /** Tasks of all clients that wait. */
  readonly limit: number;
  /** Whether each client has its share of the tasks (`clientTasks` of the limits). */
  readonly isShared: boolean;
}

/** Runs tasks, so many at a time. */
export class FairQueue {
  readonly #options: FairQueueOptions;
  #free: number;
  #waitingTasks = 0;
  /** The client that was served last is the last. */
  readonly #waiting: Map<Client, Set<Waiting>> = new Map();
  readonly #running: Map<Client, number> = new Map();

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#free = options.places;
  }

  /**
   * Runs a task when it is its turn.
   *
   * @param size - of the task, in bytes.
   * @throws {Problem} if too many tasks wait, of this client or of all.
   * @throws the signal's reason if it aborts while the task waits.
   */
  async run<T>(client: Client, size: number, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const release = this.#options.isShared ? client.take('tasks') : undefined;
    try {
      if (this.#free > 0) this.#free--;
      else await this.#wait(client, size, signal);
      this.#running.set(client, this.#count(client) + 1);
      try {
        return await task();
      } finally {
        const others = this.#count(client) - 1;
        if (others > 0) this.#running.set(client, others);
        else this.#running.delete(client);
        this.#startNext();
      }
    } finally {
      release?.();
    }
  }

  #count(client: Client): number {
    return this.#running.get(client) ?? 0;
  }

  #wait(client: Client, size: number, signal: AbortSignal): Promise<void> {
    const { limit } = this.#options;
    const free = limit - this.#waitingTasks;
    const own = this.#waiting.get(client)?.size ?? 0;
    // As many as are free for the others, as with all resources (clients.ts).
    if (own > 0 && own + 1 > free)
      throw new Problem('client-limit', `${own} tasks of one client wait already`, { 'retry-after': '5' });
    if (free <= 0) throw new Problem('overloaded', `${limit} tasks wait already`, { 'retry-after': '5' });
    return new Promise((resolve, reject) => {
      const remove = (): void => {
        signal.removeEventListener('abort', stop);
        const tasks = this.#waiting.get(client);
        tasks?.delete(waiting);
        if (tasks?.size === 0) this.#waiting.delete(client);
        this.#waitingTasks--;
      };
      const stop = (): void => {
        remove();
        reject(signal.reason);
      };
      const start = (): void => {
        remove();
        resolve();
      };
      const waiting: Waiting = { size, start };
      const tasks = this.#waiting.get(client) ?? new Set();
      this.#waiting.set(client, tasks.add(waiting));
      this.#waitingTasks++;
      signal.addEventListener('abort', stop, { once: true });
    });
  }

  #startNext(): void {
    let [next, fewest]: [Client | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const client of this.#waiting.keys()) {
      const count = this.#count(client);
      if (count < fewest) [next, fewest] = [client, count];
    }
    const tasks = next && this.#waiting.get(next);
    if (next === undefined || tasks === undefined) {
      this.#free++;
      return;
    }
    let smallest: Waiting | undefined;
    for (const task of tasks) if (smallest === undefined || task.size < smallest.size) smallest = task;
    this.#waiting.delete(next);
    this.#waiting.set(next, tasks);
    smallest?.start();
  }
}
