// The result of one fetch of a robots.txt, in the terms of RFC 9309 section 2.3.1 (Google's page, on errors and HTTP status codes).
// A failure on this machine, such as too many open sockets, is not a result: the fetch throws (http/local-failure.ts).

import type { Timings } from './phases.ts';

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
export const NO_HEADERS: CacheHeaders = /* @__PURE__ */ Object.freeze({
  cacheControl: null,
  expires: null,
  date: null,
  age: null,
  etag: null,
  lastModified: null,
  retryAfter: null,
});

/** The properties of all results. */
export interface FetchDetails {
  /** The requests that got a response, in order. */
  readonly hops: readonly Hop[];
  /** Headers of the last response; `null` if there was none, or in FTP, which has none. */
  readonly headers: CacheHeaders | null;
  readonly timings: Timings;
}

/** The validators of a stored response, which a server can confirm (RFC 9110 section 8.8). */
export interface Validators {
  /** The URL of the stored response after redirects: no other URL can confirm it. */
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Codes of results without a file. */
export type FetchCode =
  /** A status other than 2xx. */
  | 'http-status'
  /** A negative reply of an FTP server. */
  | 'ftp-reply'
  /** More than the maximum number of redirects, or a loop. */
  | 'too-many-redirects'
  /** A redirect to a URL of another scheme, to an invalid URL, or without a URL. */
  | 'bad-redirect'
  /** A redirect to a URL that its own site disallows. */
  | 'disallowed-redirect'
  /** No complete response in time. */
  | 'timeout'
  /** A private address that the address policy refuses. */
  | 'private-address'
  /** A port that the Fetch Standard blocks. */
  | 'blocked-port'
  /** No connection, or no complete and valid response. */
  | 'network';

const FETCH_CODES: Readonly<Record<FetchCode, true>> = {
  ...{ 'http-status': true, 'ftp-reply': true, 'too-many-redirects': true, 'bad-redirect': true },
  ...{ 'disallowed-redirect': true, timeout: true, 'private-address': true, 'blocked-port': true },
  network: true,
};

/** Checks whether a value is the code of a result without a file. */
export function isFetchCode(value: unknown): value is FetchCode {
  return typeof value === 'string' && Object.hasOwn(FETCH_CODES, value);
}

/** The server sent the file (2xx). */
type Successful = FetchDetails & {
  readonly kind: 'successful';
  /** At most `maxBytes` + 1 bytes of the body: the additional one shows that it is longer. */
  readonly bytes: Uint8Array;
};

/** The file has not changed since the stored response (304). */
type NotModified = FetchDetails & { readonly kind: 'not-modified' };

interface NoFile extends FetchDetails {
  readonly code: FetchCode;
  /** A description for people, which may quote the server. */
  readonly message: string;
  /** The error of the fetch. */
  readonly cause?: unknown;
}

/** There is no file, so there are no restrictions: 4xx, too many redirects, a redirect that is not followed, FTP 550. */
type Unavailable = NoFile & { readonly kind: 'unavailable' };

/** It is not known whether there is a file: 5xx, 429, no connection, no complete and valid response in time. */
type Unreachable = NoFile & {
  readonly kind: 'unreachable';
  /** The body of a 5xx says that the page was not found. Only with `readsErrorBodies`. */
  readonly saysNotFound?: true;
};

/** The result of one fetch. */
export type FetchResult = Successful | NotModified | Unavailable | Unreachable;

/** The result of a fetch without validators. */
export type UnconditionalResult = Exclude<FetchResult, NotModified>;

/** A result without its timings. */
export type Untimed<T> = T extends FetchDetails ? Omit<T, 'timings'> : never;
