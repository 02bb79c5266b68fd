/**
 * What fetching a robots.txt can come to (RFC 9309 section 2.3.1; Google's page, on errors and HTTP status codes).
 *
 * @module
 */

/** One request of a fetch. */
export interface Hop {
  readonly url: string;
  readonly status: number;
  /** The Location header of a redirect, as it was sent. */
  readonly location?: string;
}

interface Fetched {
  /** The requests that were answered, in order; the last is where the fetch ended. */
  readonly hops: readonly Hop[];
}

/** The outcome of one fetch. */
export type Outcome =
  | (Fetched & {
      readonly kind: 'found';
      /** At most `maxBytes` + 1 bytes of the body: the one more shows that there was more. */
      readonly bytes: Uint8Array;
    })
  | (Fetched & { readonly kind: 'absent' | 'unreachable'; readonly reason: string });
