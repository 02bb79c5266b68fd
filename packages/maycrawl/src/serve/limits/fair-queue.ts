// A queue that is fair between clients. The next task belongs to the client with the fewest running tasks; among the tasks of one
// client the smallest is next. However many large tasks one client submits, the first task of another client runs next.
//
// With `clientPlaces`, places are also reserved: a client may run at most as many tasks as places are free for the others (dynamic
// thresholds, Choudhury and Hahne 1998), so clients whose tasks never end do not occupy all places.
import { Problem } from '../http/problems.ts';

/** A client of a queue, compared by identity. */
export interface QueueClient {
  /** The /48 network of an IPv6 client; its clients share what is reserved. */
  readonly site?: object | undefined;
}

export interface FairQueueOptions {
  readonly places: number;
  /** Tasks of one client that run at the same time. @defaultValue `places`, and no places are reserved */
  readonly clientPlaces?: number;
  /** Waiting tasks of all clients. @defaultValue unlimited */
  readonly limit?: number;
}

interface WaitingTask {
  readonly size: number;
  readonly start: () => void;
}

/** Runs asynchronous tasks, a limited number at a time. */
export class FairQueue {
  readonly #options: FairQueueOptions;
  #free: number;
  #waitingTasks = 0;
  /** Tasks by client. The client whose task was started last is at the end. */
  readonly #waiting: Map<QueueClient, Set<WaitingTask>> = new Map();
  /** Running tasks, by client and by site. */
  readonly #running: Map<object, number> = new Map();

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#free = options.places;
  }

  /**
   * Runs a task as soon as the client has a place.
   *
   * @param size - of the task, in any unit: the smallest task of a client runs first.
   * @throws {Problem} `client-limit` or `overloaded` if too many tasks wait.
   * @throws the signal's reason if it aborts while the task waits.
   */
  async run<T>(client: QueueClient, signal: AbortSignal, task: () => Promise<T>, size = 0): Promise<T> {
    signal.throwIfAborted();
    // The place of a waiting task is taken when the task is chosen, not when its promise resolves.
    if (this.#mayStart(client)) this.#count(client, 1);
    else await this.#wait(client, size, signal);
    try {
      return await task();
    } finally {
      this.#count(client, -1);
      while (this.#startNext());
    }
  }

  #mayStart(client: QueueClient): boolean {
    const { clientPlaces } = this.#options;
    if (this.#free <= 0 || clientPlaces === undefined) return this.#free > 0;
    const { site } = client;
    return (
      this.#getRunning(client) < Math.min(clientPlaces, this.#free) &&
      (site === undefined || this.#getRunning(site) < this.#free)
    );
  }

  #getRunning(client: object): number {
    return this.#running.get(client) ?? 0;
  }

  #count(client: QueueClient, change: 1 | -1): void {
    this.#free -= change;
    for (const key of client.site === undefined ? [client] : [client, client.site]) {
      const count = this.#getRunning(key) + change;
      if (count > 0) this.#running.set(key, count);
      else this.#running.delete(key);
    }
  }

  #wait(client: QueueClient, size: number, signal: AbortSignal): Promise<void> {
    this.#requireSpace(client);
    return new Promise((resolve, reject) => {
      const remove = (): void => {
        signal.removeEventListener('abort', abort);
        const tasks = this.#waiting.get(client);
        tasks?.delete(task);
        if (tasks?.size === 0) this.#waiting.delete(client);
        this.#waitingTasks--;
      };
      const abort = (): void => {
        remove();
        reject(signal.reason);
      };
      const start = (): void => {
        remove();
        this.#count(client, 1);
        resolve();
      };
      const task: WaitingTask = { size, start };
      const tasks = this.#waiting.get(client) ?? new Set();
      this.#waiting.set(client, tasks.add(task));
      this.#waitingTasks++;
      signal.addEventListener('abort', abort, { once: true });
    });
  }

  /** @throws {Problem} if too many tasks wait. */
  #requireSpace(client: QueueClient): void {
    const { limit = Number.POSITIVE_INFINITY } = this.#options;
    const free = limit - this.#waitingTasks;
    const own = this.#waiting.get(client)?.size ?? 0;
    // As for all resources, a client uses at most as much as is free for the others (clients.ts).
    if (own > 0 && own + 1 > free)
      throw new Problem('client-limit', `${own} tasks of this client are waiting`, { 'retry-after': '5' });
    if (free <= 0) throw new Problem('overloaded', `${limit} tasks are waiting`, { 'retry-after': '5' });
  }

  /** Starts the next task. @returns whether there is one that may start. */
  #startNext(): boolean {
    let [next, fewest]: [QueueClient | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const client of this.#waiting.keys()) {
      const running = this.#getRunning(client);
      if (running < fewest && this.#mayStart(client)) [next, fewest] = [client, running];
    }
    const tasks = next && this.#waiting.get(next);
    if (next === undefined || tasks === undefined) return false;
    let smallest: WaitingTask | undefined;
    for (const task of tasks) if (smallest === undefined || task.size < smallest.size) smallest = task;
    this.#waiting.delete(next);
    this.#waiting.set(next, tasks);
    smallest?.start();
    return true;
  }
}
