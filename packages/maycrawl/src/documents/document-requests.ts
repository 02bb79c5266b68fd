// Requests of lists of addresses, directories of keys and cards: small documents of many servers, over the HTTP layer of the client.
import {
  ACCEPT_ENCODING,
  type CollectedResponse,
  ConnectionPool,
  createAddressPolicy,
  decodeLocation,
  describeRequestFailure,
  followRedirects,
  isLocalFailure,
  isRemoteFailure,
  type RedirectResponse,
  requireUserAgent,
} from '@maycrawl/client/internal';
import { checkOptions } from '@maycrawl/core/internal';

const TIMEOUT = 30_000;

/** How documents are requested. */
export interface DocumentRequestOptions {
  /** The User-Agent header. */
  readonly userAgent: string;
  /** Milliseconds for a connection, and for a response. @defaultValue 30,000 */
  readonly timeout?: number | undefined;
  /** Whether servers may have private addresses, as in `createAddressPolicy`. @defaultValue `false`, except for `openOrigins` */
  readonly allowPrivateAddresses?: boolean | undefined;
}

/** How documents are requested that the user named. */
export interface NamedDocumentOptions extends DocumentRequestOptions {
  /** URLs that the user wrote, as in `createAddressPolicy`. @defaultValue none */
  readonly openOrigins?: readonly string[] | undefined;
}

/** What is requested. */
export interface SingleDocumentRequest {
  /** Bytes of the decoded body. */
  readonly maxBytes: number;
  /** Headers of the request, which replace the default ones. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** What is requested, and how far redirects are followed. */
export interface DocumentRequest extends SingleDocumentRequest {
  /** The number of redirects that are followed. A redirect from https to http is not. */
  readonly maxRedirects: number;
}

/** A document cannot be requested. The message is one line, which may have text of the server. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly code = 'document-unavailable';
}

/** A response of any status. The body is at most one byte longer than the limit. */
export type DocumentResponse = RedirectResponse & Pick<CollectedResponse, 'body' | 'headers'>;

/** Requests documents. The caller closes it. */
export class DocumentRequests {
  readonly #pool: ConnectionPool;
  readonly #userAgent: string;

  /**
   * @throws {TypeError} for an unknown option, or one of a wrong type.
   * @throws {RangeError} for an invalid User-Agent header.
   */
  constructor(options: NamedDocumentOptions) {
    checkOptions<NamedDocumentOptions>(
      'DocumentRequests',
      options,
      { userAgent: 'string', timeout: 'number', allowPrivateAddresses: 'boolean', openOrigins: 'array' },
      ['userAgent'],
    );
    const { userAgent, timeout = TIMEOUT, allowPrivateAddresses, openOrigins = [] } = options;
    requireUserAgent(userAgent);
    this.#userAgent = userAgent;
    const addressPolicy = createAddressPolicy({ allowPrivateAddresses, openOrigins });
    this.#pool = new ConnectionPool({ connections: 2, timeout, addressPolicy });
  }

  /**
   * Requests a document with a response of the status 200.
   *
   * @param url - an http or https URL.
   * @throws {DocumentError} if there is none, or it is too long.
   * @throws the signal's reason if it is aborted.
   */
  async get(url: string, { maxRedirects, ...request }: DocumentRequest): Promise<Uint8Array> {
    const { maxBytes } = request;
    return withDocumentErrors(request.signal, async () => {
      const { response, problem } = await followRedirects<DocumentResponse>(url, {
        maxRedirects,
        request: (next) => this.#request(next, request),
        release: async () => {},
        mayFollow: (next, from) => !(from.url.startsWith('https:') && next.startsWith('http:')),
      });
      if (problem !== undefined)
        throw new DocumentError(
          `status ${response.status}, a redirect that is not followed: ${problem.kind}`,
        );
      if (response.status !== 200) throw new DocumentError(`status ${response.status}`);
      if (response.body.length > maxBytes) throw new DocumentError(`more than ${maxBytes} bytes`);
      return response.body;
    });
  }

  /**
   * Requests a document. Redirects are not followed.
   *
   * @param url - an http or https URL.
   * @throws {DocumentError} if there is no response.
   * @throws the signal's reason if it is aborted.
   */
  async request(url: string, request: SingleDocumentRequest): Promise<DocumentResponse> {
    return withDocumentErrors(request.signal, () => this.#request(url, request));
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #request(
    url: string,
    { maxBytes, headers: own, signal }: SingleDocumentRequest,
  ): Promise<DocumentResponse> {
    const request = {
      headers: { 'user-agent': this.#userAgent, accept: '*/*', 'accept-encoding': ACCEPT_ENCODING, ...own },
      maxBytes,
      isRead: () => true,
    };
    const { status, headers, body } = await this.#pool.collect(url, request, signal);
    const location = headers.find(([name]) => name === 'location')?.[1];
    return { url, status, headers, body, location: decodeLocation(location) };
  }
}

/** @throws {DocumentError} in place of failures of the network, of the server and of this machine. */
async function withDocumentErrors<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DocumentError || (!isRemoteFailure(error) && !isLocalFailure(error))) throw error;
    throw new DocumentError(describeRequestFailure(error).reason, { cause: error });
  }
}
