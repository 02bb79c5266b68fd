// A request of a pool whose body is collected in memory, as far as it is of use.
import { Readable } from 'node:stream';
import type { ResponseHeaders } from '../connection-guard.ts';
import { getCodings, readBody } from '../content-decoding.ts';
import { PooledRequest, type PooledRequestOptions } from './pooled-request.ts';

/** A complete response. */
export interface CollectedResponse {
  readonly status: number;
  /** In their order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Decoded; at most one byte more than the limit, which shows that the body was longer. Empty if the body was not read. */
  readonly body: Uint8Array;
  /** Milliseconds from the moment at which the request was sent to the headers, and to the end. */
  readonly headersAfter: number;
  readonly milliseconds: number;
}

/** What a request collects. */
export interface CollectedRequestOptions extends PooledRequestOptions {
  /** Decides by the headers of the response whether its body is read. */
  readonly isRead: (headers: CollectedResponse['headers']) => boolean;
}

/** A body that is not read is received to its end if it is no longer, so that the connection can be kept. Bytes. */
const MAX_SKIPPED = 65_536;

export class CollectedRequest extends PooledRequest<CollectedResponse> {
  readonly #options: CollectedRequestOptions;
  #status = 0;
  readonly #headers: [string, string][] = [];
  #codings: readonly string[] = [];
  #headersAfter = 0;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;
  #isRead = true;
  /** Whether all bytes of use have arrived. */
  #isReceived = false;

  constructor(options: CollectedRequestOptions) {
    super(options);
    this.#options = options;
  }

  protected override receiveHead(status: number, headers: ResponseHeaders): void {
    this.#status = status;
    this.#headersAfter = performance.now() - this.sentAt;
    for (const [name, values] of Object.entries(headers))
      for (const value of [values ?? []].flat()) this.#headers.push([name, value]);
    this.#codings = getCodings(headers);
    this.#isRead = this.#options.isRead(this.#headers);
  }

  protected override receiveData(chunk: Uint8Array): void {
    if (this.#isReceived) return;
    this.#length += chunk.length;
    if (this.#isRead) this.#chunks.push(chunk);
    if (this.#length > this.#maxBytes) this.receiveEnd();
  }

  protected override receiveEnd(): void {
    // The rest of a body that is too long arrives while its start is decoded.
    if (this.#isReceived) return;
    this.#isReceived = true;
    const { maxBytes } = this.#options;
    const codings = this.#codings;
    if (this.#chunks.length === 0 || codings.length === 0) {
      const [first] = this.#chunks;
      const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
      this.#finish(body.subarray(0, maxBytes + 1));
      return;
    }
    const isWhole = this.#length <= this.#maxBytes;
    if (!isWhole) this.pause();
    readBody(Readable.from(this.#chunks), codings, maxBytes).then(
      (body) => this.#finish(body),
      (error: unknown) => this.fail(isWhole ? error : new Error('the encoded body is longer than the limit')),
    );
  }

  get #maxBytes(): number {
    return this.#isRead ? this.#options.maxBytes : MAX_SKIPPED;
  }

  #finish(body: Uint8Array): void {
    if (!this.end()) return;
    this.resolve({
      status: this.#status,
      headers: this.#headers,
      body,
      headersAfter: this.#headersAfter,
      milliseconds: performance.now() - this.sentAt,
    });
  }
}
