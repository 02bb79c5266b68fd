// Requests of an audit: which headers a host gets, and which bodies are read. Connections, deadlines and limits are those of the pool.
import {
  ACCEPT_ENCODING,
  type CollectedResponse,
  ConnectionPool,
  type ConnectionPoolOptions,
  decodeLocation,
  isRedirectStatus,
  type RedirectResponse,
  type StreamedResponse,
} from '@maycrawl/client/internal';
import { isHtmlMediaType, parseMediaType } from '@maycrawl/core/indexability';
import { getOrigin } from '@maycrawl/core/url';

/** Options of requests. */
export interface PageClientOptions extends ConnectionPoolOptions {
  readonly userAgent: string;
  /** Further headers, and the origins that receive them: they may be secrets. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly headerOrigins: ReadonlySet<string>;
  /** Maximum number of bytes of a page, decoded. */
  readonly maxBytes: number;
}

/** A response whose body was not read. */
export interface CheckedResponse extends RedirectResponse, Pick<CollectedResponse, 'headers'> {}

/** Requests pages and sitemaps. */
export class PageClient {
  readonly #pool: ConnectionPool;
  readonly #options: PageClientOptions;
  readonly #headers: Readonly<Record<string, string>>;
  /** With those that only some hosts get. */
  readonly #ownHeaders: Readonly<Record<string, string>>;

  constructor(options: PageClientOptions) {
    const { userAgent, headers, headerOrigins: _, maxBytes: _bytes, ...poolOptions } = options;
    this.#options = options;
    this.#pool = new ConnectionPool(poolOptions);
    this.#headers = {
      'user-agent': userAgent,
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'accept-encoding': ACCEPT_ENCODING,
    };
    this.#ownHeaders = { ...this.#headers, ...Object.fromEntries(headers) };
  }

  /** Requests a page, which the abort of the signal ends. Only the body of HTML is read. @throws as {@link ConnectionPool.collect} does. */
  fetch(url: string, signal?: AbortSignal): Promise<CollectedResponse> {
    const { maxBytes } = this.#options;
    return this.#pool.collect(url, { headers: this.#getHeaders(url), maxBytes, isRead: isHtml }, signal);
  }

  /**
   * Requests a file with its body, whatever its type is. The abort of the signal ends the request.
   *
   * @param headers - those that replace others.
   * @throws as {@link ConnectionPool.collect} does.
   */
  fetchFile(
    url: string,
    maxBytes: number,
    headers: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<CollectedResponse> {
    const sent = { ...this.#getHeaders(url), ...headers };
    return this.#pool.collect(url, { headers: sent, maxBytes, isRead: () => true }, signal);
  }

  /**
   * Requests a URL without its body. Redirects are not followed. The abort of the signal ends the request.
   *
   * @throws as {@link ConnectionPool.collect} does.
   */
  async check(url: string, method: 'GET' | 'HEAD', signal: AbortSignal): Promise<CheckedResponse> {
    const headers = { ...this.#getHeaders(url), accept: '*/*' };
    const request = { method, headers, maxBytes: 0, isRead: () => false };
    const { status, headers: received } = await this.#pool.collect(url, request, signal);
    const header = received.find(([name]) => name === 'location')?.[1];
    const location = isRedirectStatus(status) ? decodeLocation(header) : undefined;
    return { url, status, location, headers: received };
  }

  /** Requests a file whose body may be long. @throws as {@link ConnectionPool.stream} does. */
  open(url: string, maxBytes: number, signal: AbortSignal): Promise<StreamedResponse> {
    return this.#pool.stream(url, { headers: this.#getHeaders(url), maxBytes }, signal);
  }

  /** Ends all requests. */
  abort(reason: unknown): void {
    this.#pool.abort(reason);
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#pool.close();
  }

  #getHeaders(url: string): Readonly<Record<string, string>> {
    return this.#options.headerOrigins.has(getOrigin(url)) ? this.#ownHeaders : this.#headers;
  }
}

/**
 * Returns the origins that receive the headers of an audit: those of its starts, and of http starts also the https ones, to which sites
 * redirect. A link from https to http would send secrets in plain text.
 */
export function getHeaderOrigins(starts: readonly string[]): ReadonlySet<string> {
  const origins = starts.map(getOrigin);
  return new Set([...origins, ...origins.map((origin) => origin.replace(/^http:/, 'https:'))]);
}

function isHtml(headers: CollectedResponse['headers']): boolean {
  return isHtmlMediaType(parseMediaType(headers.findLast(([name]) => name === 'content-type')?.[1]));
}
