/**
 * What fetching a robots.txt can come to (RFC 9309 section 2.3.1; Google's page, on errors and HTTP status codes).
 *
 * @module
 */

import type { Timings } from './phases.ts';

/** One request of a fetch. */
export interface Hop {
  readonly url: string;
  /** Of the response; in FTP the code of the reply. */
  readonly status: number;
  /** The Location header of a redirect, as it was sent. */
  readonly location?: string;
}

/** Headers of a response that matter to who keeps it, as they were sent; `null` for those that were not. */
export interface AnswerHeaders {
  readonly cacheControl: string | null;
  readonly expires: string | null;
  readonly date: string | null;
  readonly age: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly retryAfter: string | null;
}

interface Fetched {
  /** The requests that were answered, in order; the last is where the fetch ended. */
  readonly hops: readonly Hop[];
  /** Of the last response; `null` if there was none, or in FTP, which has none. */
  readonly headers: AnswerHeaders | null;
  readonly timings: Timings;
}

/** What a copy can be confirmed by. */
export interface Validators {
  /** Where the copy came from, redirects followed: nobody else can confirm it. */
  readonly url: string;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** The file has not changed since the copy was made that was asked about (status 304). */
export type Unchanged = Fetched & { readonly kind: 'unchanged' };

/** Why there is no file: stable names for programs. */
export type FetchCode =
  /** A status that says so. */
  | 'http-status'
  /** A reply of an FTP server that says so. */
  | 'ftp-reply'
  /** More redirects than are followed, or a circle. */
  | 'too-many-redirects'
  /** A redirect to what is no http or https URL, or to nowhere. */
  | 'bad-redirect'
  /** A redirect to where the crawler must not go. */
  | 'disallowed-redirect'
  /** No complete answer in time. */
  | 'timeout'
  /** An address that is not of the public Internet, and that may not be connected to. */
  | 'private-address'
  /** A port at which other services than web servers listen. */
  | 'blocked-port'
  /** No connection, or no complete and valid answer. */
  | 'network';

/** The outcome of one fetch. */
export type Outcome =
  | (Fetched & {
      readonly kind: 'found';
      /** At most `maxBytes` + 1 bytes of the body: the one more shows that there was more. */
      readonly bytes: Uint8Array;
    })
  | (Fetched & {
      readonly kind: 'absent' | 'unreachable';
      readonly code: FetchCode;
      /** The particulars, for people. May quote what the server sent. */
      readonly reason: string;
      /** What was thrown, if anything was. */
      readonly cause?: unknown;
      /** The body of a 5xx says that the page was not found. Only where such bodies are read. */
      readonly saysNotFound?: true;
    });

/** An outcome, before it is known how long the fetch took. */
export type Untimed<T> = T extends Fetched ? Omit<T, 'timings'> : never;
