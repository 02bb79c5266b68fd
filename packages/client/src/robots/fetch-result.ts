/**
 * The result of one fetch of a robots.txt, in the words of RFC 9309 section 2.3.1 (Google's page, on errors and HTTP status codes).
 * A failure on this machine, such as too many open sockets, is not a result: the fetch throws (http/local-failure.ts).
 *
 * @module
 */

import type { Timings } from './outage/phases.ts';

/** One request of a fetch, and its response. */
export interface Hop {
  readonly url: string;
  /** Status of the response; in FTP the code of the reply. */
  readonly status: number;
  /** The Location header of a redirect, as it was sent. */
  readonly location?: string;
}

/** The headers of a response that a cache stores, as they were sent; `null` for those that were not. */
export interface CacheHeaders {
  readonly cacheControl: string | null;
  readonly expires: string | null;
  readonly date: string | null;
  readonly age: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly retryAfter: string | null;
}

/** A response without any of these headers. */
export const NO_HEADERS: CacheHeaders = {
  ...{ cacheControl: null, expires: null, date: null, age: null },
  ...{ etag: null, lastModified: null, retryAfter: null },
};

interface FetchDetails {
  /** The requests that got a response, in order; the last is where the fetch ended. */
  readonly hops: readonly Hop[];
  /** Headers of the last response; `null` if there was none, or in FTP, which has none. */
  readonly headers: CacheHeaders | null;
  readonly timings: Timings;
}

/** By these a server can confirm a stored response (RFC 9110 section 8.8). */
export interface Validators {
  /** The URL of the stored response after redirects: no other URL can confirm it. */
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Why there is no file: stable names for programs. */
export type FetchCode =
  /** A status that says so. */
  | 'http-status'
  /** A reply of an FTP server that says so. */
  | 'ftp-reply'
  /** More redirects than are followed, or a loop. */
  | 'too-many-redirects'
  /** A redirect to a URL of another scheme, to an invalid URL, or without a URL. */
  | 'bad-redirect'
  /** A redirect to a URL that its own site disallows. */
  | 'disallowed-redirect'
  /** No complete response in time. */
  | 'timeout'
  /** An address that is not of the public Internet, and that may not be connected to. */
  | 'private-address'
  /** A port of services other than web servers. */
  | 'blocked-port'
  /** No connection, or no complete and valid response. */
  | 'network';

/** The server sent the file (2xx). */
type Successful = FetchDetails & {
  readonly kind: 'successful';
  /** At most `maxBytes` + 1 bytes of the body: the additional one shows that there was more. */
  readonly bytes: Uint8Array;
};

/** The file has not changed since the stored response (304). */
type NotModified = FetchDetails & { readonly kind: 'not-modified' };

interface NoFile extends FetchDetails {
  readonly code: FetchCode;
  /** A description for people. It may quote what the server sent. */
  readonly message: string;
  /** What was thrown, if anything was. */
  readonly cause?: unknown;
}

/** There is no file, so there are no restrictions: 4xx, too many redirects, a redirect that is not followed, FTP 550. */
type Unavailable = NoFile & { readonly kind: 'unavailable' };

/** It is not known whether there is a file: 5xx, 429, no connection, no complete and valid response in time. */
type Unreachable = NoFile & {
  readonly kind: 'unreachable';
  /** The body of a 5xx says that the page was not found. Only where such bodies are read. */
  readonly saysNotFound?: true;
};

/** The result of one fetch. */
export type FetchResult = Successful | NotModified | Unavailable | Unreachable;

/** The result of a fetch that sent no validators. */
export type UnconditionalResult = Exclude<FetchResult, NotModified>;

/** A result, before it is known how long the fetch took. */
export type Untimed<T> = T extends FetchDetails ? Omit<T, 'timings'> : never;
