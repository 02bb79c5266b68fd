/**
 * The history of one origin's robots.txt: the last response that says what applies, and the outage since then. It is data alone: it
 * can be stored, and shared by crawlers and machines.
 *
 * @module
 */
import type { CacheHeaders, FetchCode, Hop } from './fetch-result.ts';
import type { Timings } from './outage/phases.ts';

/** How a result came about. */
interface Trace {
  /** The requests that got a response, in order. */
  readonly hops: readonly Hop[];
  readonly timings: Timings;
}

/** The last response of an origin that says what applies. All times are milliseconds since 1970. */
export interface CachedResponse extends Trace {
  /** `successful`: the file; `unavailable`: there is none (fetch-result.ts). */
  readonly kind: 'successful' | 'unavailable';
  /** When it was received, or last confirmed. */
  readonly fetchedAt: number;
  /** Until when it may be used without a request (freshness.ts). */
  readonly freshUntil: number;
  /** The file, at most as many bytes as count and one more; empty if there is none. */
  readonly bytes: Uint8Array;
  /** Status of the last response; `null` in protocols without one. */
  readonly status: number | null;
  /** Why there is no file, and a description for people; `null` if there is one. */
  readonly code: FetchCode | null;
  readonly message: string | null;
  /** The headers of the response, or of the last one that confirmed it. */
  readonly headers: CacheHeaders;
}

/** Failed fetches since the last response, or since the first fetch; the details are those of the last failure. */
export interface Outage extends Trace {
  /** When the first failure was. */
  readonly since: number;
  /** When the last failure was. */
  readonly lastAt: number;
  /** The number of failures. */
  readonly failures: number;
  readonly code: FetchCode;
  /** Status of the last failure; `null` if there was no response. */
  readonly status: number | null;
  /** A description for people. */
  readonly message: string;
  /** The time that the server named for the next request (Retry-After); `null` if it named none. */
  readonly retryAt: number | null;
  /** Whether the body of a 5xx says that the page was not found. */
  readonly saysNotFound: boolean;
}

/** What is stored of one origin. */
export interface OriginHistory {
  readonly response: CachedResponse | null;
  readonly outage: Outage | null;
}

/** One failed fetch. */
export type Failure = Omit<Outage, 'since' | 'lastAt' | 'failures'> & { readonly at: number };

/** The history of an origin that was never fetched. */
export const NO_HISTORY: OriginHistory = { response: null, outage: null };

const DAY = 86_400_000;

/** The longest time that a response can be fresh, in milliseconds. */
export const MAX_LIFETIME: number = 7 * DAY;

/** The clocks of machines that share a store may differ by this time, in milliseconds. */
const MAX_AHEAD = 5 * 60_000;

/** An outage that seems to be older began under a wrong clock, such as one that starts in 1970. Milliseconds. */
const MAX_OUTAGE_AGE = 730 * DAY;

/**
 * Returns whether a stored time is so far after `now` that a wrong clock wrote it. Everything that reads or writes histories uses this
 * one limit: between two limits there would be times that are too late to be used and too early to be replaced.
 */
export function isFromWrongClock(time: number, now: number): boolean {
  return time - now > MAX_AHEAD;
}

/**
 * Returns when an outage began, in milliseconds since 1970. A beginning that a wrong clock wrote must not make an outage long, because
 * long outages allow URLs: one before the last response, or more than two years ago, counts as `now`.
 */
export function getOutageStart({ response, outage }: OriginHistory, now: number): number {
  const since = outage?.since ?? now;
  const isBeforeResponse =
    response !== null && since < response.fetchedAt && !isFromWrongClock(response.fetchedAt, now);
  return isBeforeResponse || now - since > MAX_OUTAGE_AGE ? now : since;
}

/** The history after a response: an outage has ended. */
export function withResponse(response: CachedResponse): OriginHistory {
  return { response, outage: null };
}

/**
 * The history after one more failure. The outage began with the first one. Its beginning is never after its last failure, also if the
 * clock was set back since then.
 */
export function withFailure(history: OriginHistory, { at, ...failure }: Failure): OriginHistory {
  const { response, outage } = history;
  const since = Math.min(getOutageStart(history, at), at);
  const lastAt = outage === null || isFromWrongClock(outage.lastAt, at) ? at : Math.max(outage.lastAt, at);
  return { response, outage: { ...failure, since, lastAt, failures: (outage?.failures ?? 0) + 1 } };
}

/** The size of a history in bytes, about: what servers have sent. */
export function getHistorySize({ response, outage }: OriginHistory): number {
  const hops = [...(response?.hops ?? []), ...(outage?.hops ?? [])];
  const texts = [
    ...hops.flatMap(({ url, location = '' }) => [url, location]),
    ...Object.values(response?.headers ?? {}),
    ...[response?.message, outage?.message],
  ];
  return (response?.bytes.length ?? 0) + texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}
