// Repeats failed requests, with exponential backoff.
import { setTimeout as sleep } from 'node:timers/promises';
import { getBackoff } from '@maycrawl/client/internal';
import { RemoteError, type RetryOptions } from './remote-options.ts';

const COUNT = 5;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 60_000;
/** The longest pause that a server may request, in milliseconds. */
const MAX_RETRY_AFTER = 300_000;
/** Half of a pause is removed at random, so that threads that failed together do not retry together. */
const JITTER = 0.5;
/** New bytes after which failures no longer count: a server that breaks each connection would otherwise be requested for ever. */
const PROGRESS_BYTES = 1024 * 1024;

/** Counts the failures of one input. */
export class Retries {
  readonly #options: RetryOptions;
  readonly #signal: AbortSignal | undefined;
  #failures = 0;
  #received = 0;

  constructor(options: RetryOptions = {}, signal: AbortSignal | undefined = undefined) {
    this.#options = options;
    this.#signal = signal;
  }

  receive(bytes: number): void {
    this.#received += bytes;
    if (this.#received < PROGRESS_BYTES) return;
    this.#received = 0;
    this.#failures = 0;
  }

  /**
   * Waits before the next request.
   *
   * @throws the failure if it is no {@link RemoteError}, or permanent, or one too many.
   * @throws the signal's reason if it is aborted.
   */
  async wait(failure: unknown): Promise<void> {
    if (!(failure instanceof RemoteError) || failure.isPermanent) throw failure;
    const { count = COUNT, firstPause = FIRST_PAUSE } = this.#options;
    if (++this.#failures > count)
      throw new RemoteError(`${failure.message}, after ${this.#failures} requests`, { cause: failure });
    const backoff = { first: firstPause, longest: LONGEST_PAUSE, jitter: JITTER };
    const pause = getBackoff(backoff, this.#failures, Math.random());
    const requested = Math.min(failure.retryAfter, MAX_RETRY_AFTER);
    await sleep(Math.max(pause, requested), undefined, this.#signal && { signal: this.#signal });
  }

  /** Runs a request again until it succeeds. @throws as {@link wait} does. */
  async run<T>(request: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await request();
      } catch (error) {
        await this.wait(error);
      }
    }
  }
}
