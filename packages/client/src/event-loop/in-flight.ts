// Single flight: work that several callers need at the same time runs once, as long as one of them waits.
import { unlessAborted } from './abort.ts';

/** Work that some callers wait for. */
interface SharedWork<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work in flight, by key. */
export class InFlight<T> {
  readonly #work: Map<string, SharedWork<T>> = new Map();

  /**
   * Waits for the work of a key, and starts it if it is not in flight. When no caller waits any more, the work is aborted, and the
   * next caller starts it again.
   *
   * @param start - starts the work. Its signal aborts when no caller waits.
   * @throws the error of the work.
   * @throws the reason of `signal` if the caller aborts. The other callers continue to wait.
   */
  async join(key: string, start: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const work = this.#work.get(key) ?? this.#start(key, start);
    work.waiting++;
    try {
      return await (signal === undefined ? work.promise : unlessAborted(work.promise, signal));
    } finally {
      if (--work.waiting === 0) {
        this.#end(key, work.controller);
        work.controller.abort(new Error('no caller waits any more'));
      }
    }
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): SharedWork<T> {
    const controller = new AbortController();
    const promise = start(controller.signal).finally(() => this.#end(key, controller));
    const work = { promise, controller, waiting: 0 };
    this.#work.set(key, work);
    return work;
  }

  #end(key: string, controller: AbortController): void {
    if (this.#work.get(key)?.controller === controller) this.#work.delete(key);
  }
}
