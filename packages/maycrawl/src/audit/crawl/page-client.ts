/**
 * Asking for pages over HTTP: connections that are kept, bodies as far as they count, and a time limit.
 *
 * @module
 */
import { Readable } from 'node:stream';
import type { AddressPolicy } from '@maycrawl/client/http';
import {
  createPoolConnector,
  decodeBody,
  getSharedResolver,
  isLocalFailure,
  type PooledConnectionOptions,
  parseContentEncoding,
  type Resolver,
  readBody,
} from '@maycrawl/client/http';
import { isHtmlMediaType, parseMediaType } from '@maycrawl/core/indexability';
import { Agent, type Dispatcher } from 'undici';
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
  /** Finds the addresses of names. @defaultValue the one of this process */
  readonly resolver?: Resolver;
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
  /** How many connections to an origin wait for their turn to resolve its name. */
  readonly #queued: Map<string, number> = new Map();
  readonly #closing: AbortController = new AbortController();

  constructor(options: ClientOptions) {
    const { connections, userAgent, headers } = options;
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
      connect: createPoolConnector((origin) => this.#getConnectionOptions(origin)),
    } as Agent.Options);
  }

  /**
   * Asks for a page.
   *
   * @throws {NoAnswer} if there is no complete answer.
   * @throws the reason why all was given up.
   */
  async fetch(url: string): Promise<Fetched> {
    const { origin, pathname, search } = new URL(url);
    const asked = new Asked(origin, this.#options, (each) => this.#asked.delete(each));
    this.#asked.add(asked);
    if (this.#queued.has(origin)) asked.pause();
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
    // Of other responses the body does not matter.
    const codings = statusCode === 200 ? parseContentEncoding(headers['content-encoding']) : [];
    return { status: statusCode, location, body: await decodeBody(body, codings) };
  }

  /** A connection has as long as a page, its time in the queue not counted. */
  #getConnectionOptions(origin: string): PooledConnectionOptions {
    const { addressPolicy, resolver = getSharedResolver(), timeout } = this.#options;
    const deadline = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    let isQueued = false;
    const leaveQueue = (): void => {
      if (!isQueued) return;
      isQueued = false;
      this.#leaveQueue(origin);
    };
    return {
      resolver,
      policy: addressPolicy,
      signal: AbortSignal.any([this.#closing.signal, deadline.signal]),
      onPhase: (phase) => {
        if (phase === 'queue') {
          clearTimeout(timer);
          timer = undefined;
          isQueued = true;
          this.#enterQueue(origin);
          return;
        }
        leaveQueue();
        const late = new NoAnswer('timeout', `no connection within ${timeout} ms`);
        timer ??= setTimeout(() => deadline.abort(late), timeout);
      },
      onEnd: () => {
        clearTimeout(timer);
        leaveQueue();
      },
    };
  }

  #enterQueue(origin: string): void {
    this.#queued.set(origin, (this.#queued.get(origin) ?? 0) + 1);
    for (const asked of this.#asked) if (asked.origin === origin) asked.pause();
  }

  #leaveQueue(origin: string): void {
    const others = (this.#queued.get(origin) ?? 0) - 1;
    if (others > 0) this.#queued.set(origin, others);
    else {
      this.#queued.delete(origin);
      for (const asked of this.#asked) if (asked.origin === origin) asked.resume();
    }
  }

  #headersFor(url: string): Record<string, string> {
    return this.#options.headerHosts.has(hostOf(url)) ? this.#ownHeaders : this.#headers;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the client is closed'));
    await this.#agent.destroy();
  }
}

/** One request, from the client's events to a promise. */
class Asked implements Dispatcher.DispatchHandler {
  readonly promise: Promise<Fetched>;
  readonly #options: ClientOptions;
  readonly origin: string;
  readonly #start: number = performance.now();
  #timer: NodeJS.Timeout | undefined;
  /** Milliseconds that are left, and since when they run; `undefined` while they stand still. */
  #left: number;
  #runsSince: number | undefined;
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

  constructor(origin: string, options: ClientOptions, onEnd: (asked: Asked) => void) {
    this.origin = origin;
    this.#options = options;
    this.#onEnd = onEnd;
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#left = options.timeout;
    this.resume();
  }

  /** Stops the time for the page while its connection waits in a queue of this process. Once it is sent, time runs on. */
  pause(): void {
    if (this.#controller !== undefined || this.#runsSince === undefined) return;
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#runsSince;
    this.#runsSince = undefined;
  }

  /** Lets the time for the page run on. */
  resume(): void {
    if (this.#isOver || this.#runsSince !== undefined) return;
    this.#runsSince = performance.now();
    const { timeout } = this.#options;
    const late = (): void => this.#fail(new NoAnswer('timeout', `no complete answer within ${timeout} ms`));
    this.#timer = setTimeout(late, Math.max(0, this.#left));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.resume();
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
    this.#isRead = isHtmlMediaType(parseMediaType(this.#header('content-type')));
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
    const codings = parseContentEncoding(this.#header('content-encoding'));
    if (this.#chunks.length === 0 || codings.length === 0) {
      const [first] = this.#chunks;
      const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
      this.#answer(body.subarray(0, maxBytes + 1));
      return;
    }
    const isWhole = this.#length <= this.#maxBytes;
    readBody(Readable.from(this.#chunks), codings, maxBytes).then(
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
    // A failure of this machine says nothing about the page.
    if (error instanceof NoAnswer || isLocalFailure(error)) {
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
