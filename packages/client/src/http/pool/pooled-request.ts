// One request of a pool: its deadline, its end, and its failure. What becomes of the response is up to the subclass.
import type { Dispatcher } from 'undici';
import type { ConnectionGuard, ResponseHeaders } from '../connection-guard.ts';
import { isRemoteFailure } from '../local-failure.ts';
import { describeRequestFailure, RequestError } from '../request-failure.ts';

/** What every request of a pool has. */
export interface PooledRequestOptions {
  /** Milliseconds from the moment at which the request is sent to the end of its body. */
  readonly timeout: number;
  /** How many bytes of the body are of use. A connection that carries far more is closed. */
  readonly maxBytes: number;
  /** Is called when the request is over. */
  readonly onEnd: (request: PooledRequest) => void;
}

/** One request, from the events of undici to a result. */
export abstract class PooledRequest<Response = unknown> implements Dispatcher.DispatchHandler {
  /** Returns the guard of the connection. The client sets it before it sends the request. */
  getGuard: () => ConnectionGuard | undefined = () => undefined;
  /** When the request was sent, by `performance.now()`. Until then it waits for a connection, which is not the server's time. */
  protected sentAt = 0;
  /** Settles with the response, or with the error that ended the request before there was one. */
  readonly promise: Promise<Response>;
  #resolve: (response: unknown) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  readonly #options: PooledRequestOptions;
  #controller: Dispatcher.DispatchController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #headers: ResponseHeaders = {};
  #isOver = false;

  constructor(options: PooledRequestOptions) {
    this.#options = options;
    this.promise = new Promise<unknown>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    }) as Promise<Response>;
  }

  protected abstract receiveHead(status: number, headers: ResponseHeaders): void;
  /** Takes a piece of the body. */
  protected abstract receiveData(chunk: Uint8Array): void;
  /** Takes the end of the body. */
  protected abstract receiveEnd(): void;

  protected resolve(response: Response): void {
    this.#resolve(response);
  }

  /** Takes the error that ended the request. */
  protected receiveError(error: unknown): void {
    this.#reject(error);
  }

  /** Ends the request, with an error of the caller's. */
  abort(reason: unknown): void {
    if (this.end()) this.receiveError(reason);
  }

  /** Ends the request. The rest of the response is discarded. Returns whether the request was not over before. */
  protected end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#options.onEnd(this);
    this.#controller?.abort(new Error('the rest of the response is not needed'));
    return true;
  }

  /** Ends the request, with an error of this machine or the program, or with a {@link RequestError} that says why there is no response. */
  protected fail(error: unknown): void {
    if (!this.end()) return;
    if (error instanceof RequestError || !isRemoteFailure(error)) {
      this.receiveError(error);
      return;
    }
    const { code, reason } = describeRequestFailure(error);
    this.receiveError(new RequestError(code, reason, { cause: error }));
  }

  protected pause(): void {
    this.#controller?.pause();
  }

  protected resume(): void {
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) {
      controller.abort(new Error('the request was aborted'));
      return;
    }
    const { timeout, maxBytes } = this.#options;
    this.getGuard()?.startResponse(maxBytes);
    this.sentAt = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.fail(new RequestError('timeout', `no complete response within ${timeout} ms`)),
      timeout,
    );
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    // Informational responses, such as 103, come before the response itself.
    if (this.#isOver || status < 200) return;
    this.#headers = headers;
    this.receiveHead(status, headers);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (!this.#isOver) this.receiveData(chunk);
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    // There is no rest to discard.
    this.#controller = undefined;
    const reset = this.getGuard()?.getReset(this.#headers);
    if (reset === undefined) this.receiveEnd();
    else this.fail(reset);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }
}
