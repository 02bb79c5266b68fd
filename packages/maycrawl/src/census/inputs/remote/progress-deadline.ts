// A deadline without progress: the time that a server takes for a number of bytes. The time in which the caller uses them does not count.
import { RemoteError } from './remote-options.ts';

/** Bytes that are progress. A server that sends less in the time is not worth waiting for. */
const PROGRESS_BYTES = 16 * 1024;

/** Measures the time of waiting. The caller calls {@link ProgressDeadline.end}. */
export class ProgressDeadline {
  readonly #timeout: number;
  readonly #outer: AbortSignal | undefined;
  readonly #controller: AbortController = new AbortController();
  readonly #onAbort = (): void => this.#controller.abort(this.#outer?.reason);
  #left: number;
  #received = 0;

  /** @param timeout - milliseconds. @param signal - its abort ends the waiting. */
  constructor(timeout: number, signal: AbortSignal | undefined) {
    this.#timeout = timeout;
    this.#left = timeout;
    this.#outer = signal;
    signal?.throwIfAborted();
    signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Aborts if the deadline is missed, or the caller aborts. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Waits for an operation that ends with {@link signal}.
   *
   * @throws {RemoteError} if the deadline is missed.
   * @throws the caller's reason if it aborts, and what the operation throws.
   */
  async wait<T>(run: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const timer = setTimeout(
      () =>
        this.#controller.abort(
          new RemoteError(`the server sent less than ${PROGRESS_BYTES} bytes within ${this.#timeout} ms`),
        ),
      Math.max(0, this.#left),
    );
    try {
      return await run();
    } catch (error) {
      this.signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#left -= performance.now() - startedAt;
    }
  }

  /** Reports bytes that arrived. */
  receive(bytes: number): void {
    this.#received += bytes;
    if (this.#received >= PROGRESS_BYTES) this.restart();
  }

  /** Gives the server the whole time again. */
  restart(): void {
    this.#received = 0;
    this.#left = this.#timeout;
  }

  end(): void {
    this.#outer?.removeEventListener('abort', this.#onAbort);
  }
}
