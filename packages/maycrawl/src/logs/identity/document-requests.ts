// Requests of lists of addresses and of directories of keys: small documents of many servers, over the HTTP layer of the client.
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
} from '@maycrawl/client/internal';
import { checkOptions } from '@maycrawl/core/internal';

const TIMEOUT = 30_000;

/** How documents are requested. */
export interface DocumentRequestOptions {
  /** The User-Agent header. */
  readonly userAgent: string;
  /** Milliseconds for a connection, and for a response. @defaultValue 30,000 */
  readonly timeout?: number | undefined;
  /** Whether servers may have private addresses, as in `createAddressPolicy`. @defaultValue `false` */
  readonly allowPrivateAddresses?: boolean | undefined;
}

/** What is requested. */
export interface DocumentRequest {
  /** Bytes of the decoded body. */
  readonly maxBytes: number;
  /** The number of redirects that are followed. A redirect from https to http is not. */
  readonly maxRedirects: number;
  readonly signal?: AbortSignal | undefined;
}

/** A document cannot be requested. The message is one line, which may have text of the server. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly code = 'document-unavailable';
}

type Response = RedirectResponse & Pick<CollectedResponse, 'body'>;

/** Requests documents. The caller closes it. */
export class DocumentRequests {
  readonly #pool: ConnectionPool;
  readonly #userAgent: string;

  /** @throws {TypeError} for an unknown option, or one of a wrong type. */
  constructor(options: DocumentRequestOptions) {
    checkOptions<DocumentRequestOptions>(
      'DocumentRequests',
      options,
      { userAgent: 'string', timeout: 'number', allowPrivateAddresses: 'boolean' },
      ['userAgent'],
    );
    const { userAgent, timeout = TIMEOUT, allowPrivateAddresses = false } = options;
    this.#userAgent = userAgent;
    const addressPolicy = createAddressPolicy({ allowPrivateAddresses });
    this.#pool = new ConnectionPool({ connections: 2, timeout, addressPolicy });
  }

  /**
   * Requests a document with a response of the status 200.
   *
   * @param url - an http or https URL.
   * @throws {DocumentError} if there is none, or it is too long.
   * @throws the signal's reason if it is aborted.
   */
  async get(url: string, { maxBytes, maxRedirects, signal }: DocumentRequest): Promise<Uint8Array> {
    try {
      const { response, problem } = await followRedirects<Response>(url, {
        maxRedirects,
        request: (next) => this.#request(next, maxBytes, signal),
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
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof DocumentError || (!isRemoteFailure(error) && !isLocalFailure(error))) throw error;
      throw new DocumentError(describeRequestFailure(error).reason, { cause: error });
    }
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await this.#pool.close();
  }

  async #request(url: string, maxBytes: number, signal: AbortSignal | undefined): Promise<Response> {
    const request = {
      headers: { 'user-agent': this.#userAgent, accept: '*/*', 'accept-encoding': ACCEPT_ENCODING },
      maxBytes,
      isRead: () => true,
    };
    const { status, headers, body } = await this.#pool.collect(url, request, signal);
    const location = headers.find(([name]) => name === 'location')?.[1];
    return { url, status, body, location: decodeLocation(location) };
  }
}
