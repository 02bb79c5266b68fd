// The tasks of one client, also those without a caller that waits, and the listener for its events.
import { callListener } from '../event-loop/call-listener.ts';
import { type ClientEvent, publishEvent } from './events/client-event.ts';

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

  /** Publishes an event, and calls the listener. */
  notify(event: ClientEvent): void {
    publishEvent(event);
    callListener('onEvent of a RobotsClient', () => this.#onEvent?.(event));
  }
}
