/**
 * Asking for pages over HTTP: connections that are kept, bodies as far as they count, and a time limit.
 *
 * @module
 */
import { lookup } from 'node:dns';
import { isIP } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isHtmlType, mediaTypeOf } from '@maycrawl/core/page';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { readBody } from '../../fetch/body.ts';
import { guardLookup, type Lookup } from '../../fetch/guard.ts';
import { type AddressPolicy, requirePermitted } from '../../http/address-policy.ts';
import { requireOpenPort } from '../../http/blocked-ports.ts';
import { hostOf } from '../run/run-store.ts';

export interface ClientOptions {
  readonly userAgent: string;
  /** Further headers, names and values, and the hosts that get them: they may be secrets. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly headerHosts: ReadonlySet<string>;
  /** Connections to one host. */
  readonly connections: number;
  /** Milliseconds for one page. */
  readonly timeout: number;
  readonly addressPolicy: AddressPolicy;
  /** Of a body, decompressed; what is beyond is not read. */
  readonly maxBytes: number;
}

/** A response. */
export interface Fetched {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** At most one byte more than the limit, which shows that there was more. Empty if it was not read, for being no HTML. */
  readonly body: Uint8Array;
  /** Milliseconds to the headers, and to the end. */
  readonly answeredIn: number;
  readonly milliseconds: number;
}

/** There was no answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  readonly code: 'timeout' | 'network' | 'private-address' | 'blocked-port';

  constructor(code: NoAnswer['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A body that does not matter is read to its end if it is no longer, so that the connection can be kept. */
const WORTH_READING = 65_536;

/** Asks for pages. */
export class PageClient {
  readonly #agent: Agent;
  readonly #options: ClientOptions;
  readonly #headers: Record<string, string>;
  /** With those that only some hosts get. */
  readonly #ownHeaders: Record<string, string>;
  readonly #asked: Set<Asked> = new Set();

  constructor(options: ClientOptions) {
    const { connections, timeout, userAgent, headers, addressPolicy } = options;
    this.#options = options;
    this.#headers = {
      'user-agent': userAgent,
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'accept-encoding': 'gzip, deflate, br',
    };
    this.#ownHeaders = { ...this.#headers, ...Object.fromEntries(headers) };
    this.#agent = new Agent({
      connections,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxRedirections: 0,
      connect: guarded(addressPolicy, timeout),
    } as Agent.Options);
  }

  /**
   * Asks for a page.
   *
   * @throws {NoAnswer} if there is no complete answer.
   * @throws the reason why all was given up.
   */
  async fetch(url: string): Promise<Fetched> {
    const asked = new Asked(this.#options, (each) => this.#asked.delete(each));
    this.#asked.add(asked);
    const { origin, pathname, search } = new URL(url);
    // A query that is empty is one too.
    const path = url.endsWith('?') ? `${pathname}?` : `${pathname}${search}`;
    this.#agent.dispatch({ origin, path, method: 'GET', headers: this.#headersFor(url) }, asked);
    return asked.promise;
  }

  /** Gives up all that is asked for. */
  giveUp(reason: unknown): void {
    for (const asked of this.#asked) asked.giveUp(reason);
  }

  /** Opens a response whose body may be long. Redirects are not followed. */
  async open(
    url: string,
    signal: AbortSignal,
  ): Promise<{ readonly status: number; readonly location: string | null; readonly body: Readable }> {
    const { origin, pathname, search } = new URL(url);
    const { statusCode, headers, body } = await this.#agent.request({
      ...{ origin, path: `${pathname}${search}`, method: 'GET', signal },
      headers: this.#headersFor(url),
    });
    const [location = null] = statusCode >= 300 && statusCode < 400 ? [headers['location'] ?? []].flat() : [];
    return { status: statusCode, location, body: decoded(body, encodingsOf(headers['content-encoding'])) };
  }

  #headersFor(url: string): Record<string, string> {
    return this.#options.headerHosts.has(hostOf(url)) ? this.#ownHeaders : this.#headers;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** One request, from the client's events to a promise. */
class Asked implements Dispatcher.DispatchHandler {
  readonly promise: Promise<Fetched>;
  readonly #options: ClientOptions;
  readonly #start: number = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #onEnd: (asked: Asked) => void;
  #resolve: (fetched: Fetched) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;

  #status = 0;
  #headers: [string, string][] = [];
  #answeredIn = 0;
  #chunks: Uint8Array[] = [];
  #length = 0;
  #isRead = true;
  #maxBytes = 0;

  constructor(options: ClientOptions, onEnd: (asked: Asked) => void) {
    this.#options = options;
    this.#onEnd = onEnd;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const { timeout } = options;
    this.#timer = setTimeout(
      () => this.#fail(new NoAnswer('timeout', `no complete answer within ${timeout} ms`)),
      timeout,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new Error('given up'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // What comes before the answer, such as 103.
    if (status < 200) return;
    this.#status = status;
    this.#answeredIn = performance.now() - this.#start;
    for (const [name, values] of Object.entries(headers))
      for (const value of [values ?? []].flat()) this.#headers.push([name, value]);
    this.#isRead = isHtmlType(mediaTypeOf(this.#header('content-type')));
    this.#maxBytes = this.#isRead ? this.#options.maxBytes : WORTH_READING;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#length += chunk.length;
    if (this.#isRead) this.#chunks.push(chunk);
    // One byte more shows that there was more.
    if (this.#length > this.#maxBytes) this.#finish();
  }

  onResponseEnd(): void {
    this.#finish();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #header(name: string): string | undefined {
    return this.#headers.findLast(([each]) => each === name)?.[1];
  }

  #finish(): void {
    if (this.#isOver) return;
    const { maxBytes } = this.#options;
    const encodings = encodingsOf(this.#header('content-encoding'));
    const isEncoded = this.#chunks.length > 0 && encodings.some((each) => each !== '' && each !== 'identity');
    if (!isEncoded) {
      const [first] = this.#chunks;
      const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
      this.#answer(body.subarray(0, maxBytes + 1));
      return;
    }
    const isWhole = this.#length <= this.#maxBytes;
    readBody(Readable.from(this.#chunks), encodings, maxBytes).then(
      (body) => this.#answer(body),
      (error: unknown) =>
        isWhole ? this.#fail(error) : this.#fail(new Error('more than is read, compressed')),
    );
  }

  #answer(body: Uint8Array): void {
    if (!this.#end()) return;
    const milliseconds = performance.now() - this.#start;
    this.#resolve({
      ...{ status: this.#status, headers: this.#headers, body, answeredIn: this.#answeredIn, milliseconds },
    });
  }

  #fail(error: unknown): void {
    if (!this.#end()) return;
    if (error instanceof NoAnswer) {
      this.#reject(error);
      return;
    }
    const { code = '', message } = error as Error & { code?: string };
    const isRefusal = code === 'private-address' || code === 'blocked-port';
    const detail = message || code || 'no answer';
    this.#reject(new NoAnswer(isRefusal ? code : 'network', detail, { cause: error }));
  }

  giveUp(reason: unknown): void {
    if (this.#end()) this.#reject(reason);
  }

  /** @returns whether it was not over before. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#onEnd(this);
    // Without effect if the response is complete.
    this.#controller?.abort(new Error('no more of it is wanted'));
    return true;
  }
}

function encodingsOf(header: string | string[] | undefined): string[] {
  return [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((each) => each.trim().toLowerCase());
}

/** A body without its encodings. */
function decoded(body: Readable, encodings: readonly string[]): Readable {
  return encodings.reduceRight<Readable>((stream, encoding) => {
    const decoder = DECODERS[encoding]?.();
    if (decoder === undefined) return stream;
    // An error of either is one of what is read.
    return pipeline(stream, decoder, () => {});
  }, body);
}

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};

/** Refuses addresses that are written in the URL; those of names are looked at when they are found. */
function guarded(policy: AddressPolicy, timeout: number): buildConnector.connector {
  return (options, callback) => {
    const { protocol, hostname, port } = options;
    const host = hostname.replace(/^\[|\]$/g, '');
    const origin = `${protocol}//${options.host}`;
    try {
      if (port !== '') requireOpenPort(protocol, Number(port));
      if (isIP(host) !== 0) requirePermitted(policy, origin, host, host);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    buildConnector({ timeout, lookup: guardLookup(lookup as Lookup, policy, origin) as never })(
      options,
      callback,
    );
  };
}
