// A request of a pool whose body is a stream.
import { Readable } from 'node:stream';
import type { ResponseHeaders } from '../connection-guard.ts';
import { decodeLocation, isRedirectStatus, type RedirectResponse } from '../redirects.ts';
import { PooledRequest, type PooledRequestOptions } from './pooled-request.ts';

/** A response whose body has not been read. The caller destroys the body, read or not. */
export interface StreamedResponse extends RedirectResponse {
  readonly headers: ResponseHeaders;
  /** As it was sent, not decoded. It fails with a RequestError if it does not come to its end. */
  readonly body: Readable;
}

export class StreamedRequest extends PooledRequest<StreamedResponse> {
  readonly #url: string;
  #body: Readable | undefined;

  constructor(url: string, options: PooledRequestOptions) {
    super(options);
    this.#url = url;
  }

  protected override receiveHead(status: number, headers: ResponseHeaders): void {
    const location = isRedirectStatus(status) ? decodeLocation(headers['location']) : undefined;
    const body = new Readable({
      read: () => this.resume(),
      destroy: (error, callback) => {
        this.end();
        callback(error);
      },
    });
    this.#body = body;
    this.resolve({ url: this.#url, status, location, headers, body });
  }

  protected override receiveData(chunk: Uint8Array): void {
    if (this.#body?.push(chunk) === false) this.pause();
  }

  protected override receiveEnd(): void {
    this.end();
    this.#body?.push(null);
  }

  protected override receiveError(error: unknown): void {
    super.receiveError(error);
    this.#body?.destroy(error as Error);
  }
}
