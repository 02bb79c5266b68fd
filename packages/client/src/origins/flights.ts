/**
 * Single flight: work that several callers need at the same time runs once, for as long as one of them waits.
 *
 * @module
 */
import { unlessAborted } from '../robots/abort.ts';

/** Work that some callers wait for. */
interface Flight<T> {
  readonly promise: Promise<T>;
  readonly controller: AbortController;
  waiting: number;
}

/** Work under way, by key. */
export class Flights<T> {
  readonly #flights: Map<string, Flight<T>> = new Map();

  /**
   * Waits for the work of a key, and starts it if it is not under way. When no caller waits any more, the work is aborted, and the
   * next caller starts it anew.
   *
   * @param start - starts the work. It gets the signal that aborts it.
   * @throws what the work throws.
   * @throws the reason of `signal` if the caller aborts. The other callers continue to wait.
   */
  async join(key: string, start: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const flight = this.#flights.get(key) ?? this.#start(key, start);
    flight.waiting++;
    try {
      return await (signal === undefined ? flight.promise : unlessAborted(flight.promise, signal));
    } finally {
      if (--flight.waiting === 0) {
        this.#end(key, flight.controller);
        flight.controller.abort(new Error('no caller waits any more'));
      }
    }
  }

  #start(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController();
    const promise = start(controller.signal).finally(() => this.#end(key, controller));
    const flight = { promise, controller, waiting: 0 };
    this.#flights.set(key, flight);
    return flight;
  }

  #end(key: string, controller: AbortController): void {
    if (this.#flights.get(key)?.controller === controller) this.#flights.delete(key);
  }
}
