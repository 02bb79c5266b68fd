// Size limits of a stored history. Servers send headers, messages, URLs of hops and the file; each has a limit, so that the
// history of one origin takes at most about 600 kB.

import { MAX_FILE_BYTES } from '@maycrawl/core';
import { truncate } from '@maycrawl/core/internal';
import type { CacheHeaders, Hop } from './fetch-result.ts';
import { type CachedResponse, type Failure, MAX_LIFETIME } from './history.ts';

/** A fetch follows five redirects; the fetcher of a caller may report any number of hops. */
const MAX_HOPS = 10;
/** Characters. A longer URL is cut, so it confirms no stored response: no request has a URL that ends with an ellipsis. */
const MAX_URL = 2_048;
const MAX_MESSAGE = 1_000;
const MAX_CACHE_CONTROL = 1_024;
const MAX_ETAG = 1_024;
/** Dates and numbers of seconds. A valid one is far shorter. */
const MAX_SHORT_HEADER = 128;

/** Cuts each part of a response to its limit. */
export function boundResponse(response: CachedResponse): CachedResponse {
  const { bytes, message, headers, hops } = response;
  return {
    ...response,
    staleAt: boundStaleAt(response),
    // One more byte than the limit shows that the file is longer.
    bytes: bytes.length > MAX_FILE_BYTES + 1 ? bytes.slice(0, MAX_FILE_BYTES + 1) : bytes,
    message: message === null ? null : cut(message, MAX_MESSAGE),
    headers: boundHeaders(headers),
    hops: boundHops(hops),
  };
}

/** Cuts each part of a failure to its limit. */
export function boundFailure(failure: Failure): Failure {
  return { ...failure, message: cut(failure.message, MAX_MESSAGE), hops: boundHops(failure.hops) };
}

/** Returns until when a response is fresh: not before it was fetched, and at most the longest lifetime. */
function boundStaleAt({ fetchedAt, staleAt }: Pick<CachedResponse, 'fetchedAt' | 'staleAt'>): number {
  return Math.min(Math.max(staleAt, fetchedAt), fetchedAt + MAX_LIFETIME);
}

function boundHops(hops: readonly Hop[]): readonly Hop[] {
  return hops.slice(-MAX_HOPS).map(({ url, location, ...rest }) => ({
    ...rest,
    url: cut(url, MAX_URL),
    ...(location !== undefined && { location: cut(location, MAX_URL) }),
  }));
}

/** A validator that is too long becomes `null`: a part of it would confirm nothing, or another response. */
function boundHeaders(headers: CacheHeaders): CacheHeaders {
  const { cacheControl, etag, lastModified } = headers;
  const short = (text: string | null): string | null => text && cut(text, MAX_SHORT_HEADER);
  return {
    ...headers,
    cacheControl: cacheControl && cutDirectives(cacheControl),
    expires: short(headers.expires),
    date: short(headers.date),
    age: short(headers.age),
    etag: etag !== null && etag?.length > MAX_ETAG ? null : etag,
    lastModified: lastModified !== null && lastModified?.length > MAX_SHORT_HEADER ? null : lastModified,
    retryAfter: short(headers.retryAfter),
  };
}

/** Cuts a list of directives after a complete one. */
function cutDirectives(text: string): string {
  if (text.length <= MAX_CACHE_CONTROL) return text;
  return copy(text.slice(0, Math.max(text.lastIndexOf(',', MAX_CACHE_CONTROL), 0)));
}

function cut(text: string, max: number): string {
  return text.length <= max ? text : copy(truncate(text, max));
}

/** Copies a string: in V8, a slice keeps the whole string in memory. */
function copy(text: string): string {
  return Buffer.from(text).toString();
}
