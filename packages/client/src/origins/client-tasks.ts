// The tasks of one client, also those without a caller that waits, and the listener for its events.
import { type ClientEvent, publishEvent } from './client-event.ts';

/** Tracks tasks, and calls the listener. */
export class ClientTasks {
  readonly #running: Set<Promise<unknown>> = new Set();
  readonly #onEvent: ((event: ClientEvent) => void) | undefined;

  constructor(onEvent: ((event: ClientEvent) => void) | undefined) {
    this.#onEvent = onEvent;
  }

  /** Adds a promise to the running tasks. */
  track<T>(promise: Promise<T>): Promise<T> {
    this.#running.add(promise);
    const end = (): boolean => this.#running.delete(promise);
    promise.then(end, end);
    return promise;
  }

  /** Resolves when no task runs. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** Publishes an event, and calls the listener. An error that it throws, or rejects with, must not fail a decision or end the process. */
  notify(event: ClientEvent): void {
    publishEvent(event);
    try {
      const result: unknown = this.#onEvent?.(event);
      // A listener may be an async function.
      Promise.resolve(result).catch(warnOfListener);
    } catch (error) {
      warnOfListener(error);
    }
  }
}

/** @param error - anything: not every value can be converted to a string. */
function warnOfListener(error: unknown): void {
  const message = typeof error === 'string' ? error : 'a value that is not an Error';
  process.emitWarning(error instanceof Error ? error : new Error(message, { cause: error }), {
    detail: 'thrown by onEvent of a RobotsClient',
  });
}
