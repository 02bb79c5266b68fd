// The history of one origin's robots.txt: the last `successful` or `unavailable` response, and the outage since then. It is plain data
// that can be stored, and shared by crawlers and machines.
import type { CacheHeaders, FetchCode, FetchDetails } from './fetch-result.ts';
import { type FailureClass, getFailureClass } from './outage/failure-class.ts';

type Trace = Pick<FetchDetails, 'hops' | 'timings'>;

/** The last `successful` or `unavailable` response of an origin. All times are milliseconds since 1970. */
export interface CachedResponse extends Trace {
  /** `successful`: the file; `unavailable`: there is none (fetch-result.ts). */
  readonly kind: 'successful' | 'unavailable';
  /** When it was received, or last confirmed. */
  readonly fetchedAt: number;
  /** Until when it may be used without a request (freshness.ts). */
  readonly staleAt: number;
  /** The file, at most one byte longer than the maximum size; empty without one. */
  readonly bytes: Uint8Array;
  /** Status of the response; `null` in protocols without one. */
  readonly status: number | null;
  /** The code of a result without a file, and a description for people; `null` if there is a file. */
  readonly code: FetchCode | null;
  readonly message: string | null;
  /** The headers of the response, or of the last one that confirmed it. */
  readonly headers: CacheHeaders;
}

/** Failed fetches since the last response, or since the first fetch; the details are those of the last failure. */
export interface Outage extends Trace {
  /** The time of the first failure. */
  readonly since: number;
  /** The time of the last failure. */
  readonly lastAt: number;
  /** The number of failures. */
  readonly failures: number;
  readonly code: FetchCode;
  /** Status of the last failure; `null` if there was no response. */
  readonly status: number | null;
  /** A description for people. */
  readonly message: string;
  /** The time in Retry-After; `null` without one. */
  readonly retryAt: number | null;
  /** Whether the body of a 5xx says that the page was not found. */
  readonly saysNotFound: boolean;
  /**
   * When the outage began for profiles that do not count failures of a class, if there was one of that class: the time of the first
   * failure after it, or its own time if it is the last one.
   */
  readonly startsAfter: OutageStarts;
}

/** Times by class of failures, in milliseconds since 1970. */
export type OutageStarts = Readonly<Partial<Record<'refusal' | 'tooManyRequests' | 'notFound', number>>>;

/** The stored history of one origin. */
export interface OriginHistory {
  readonly response: CachedResponse | null;
  readonly outage: Outage | null;
}

/** One failed fetch. */
export type Failure = Omit<Outage, 'since' | 'lastAt' | 'failures' | 'startsAfter'> & { readonly at: number };

/** The history of an origin that was never fetched. */
export const NO_HISTORY: OriginHistory = /* @__PURE__ */ Object.freeze({ response: null, outage: null });

const DAY = 86_400_000;

/** The longest time that a response can be fresh, in milliseconds. */
export const MAX_LIFETIME: number = 7 * DAY;

/** The maximum difference between the clocks of machines that share a store, in milliseconds. */
const MAX_AHEAD = 5 * 60_000;

/** The beginning of a longer outage comes from a wrong clock, such as one that starts in 1970. Milliseconds. */
const MAX_OUTAGE_AGE = 730 * DAY;

/**
 * Returns whether a stored time is so far after `now` that a wrong clock wrote it. All code that reads or writes histories must use
 * the same limit: times between two limits could be neither used nor replaced.
 */
export function isFromWrongClock(time: number, now: number): boolean {
  return time - now > MAX_AHEAD;
}

/**
 * Returns when an outage began, in milliseconds since 1970. A beginning that a wrong clock wrote must not make an outage long, because
 * long outages allow URLs: one before the last response, or more than two years ago, counts as `now`.
 *
 * @param uncounted - classes of failures that are not part of the outage. It begins after the last of them.
 */
export function getOutageStart(
  { response, outage }: OriginHistory,
  now: number,
  uncounted: readonly FailureClass[] = [],
): number {
  if (outage === null) return now;
  const starts: Partial<Record<FailureClass, number>> = outage.startsAfter;
  const since = Math.max(outage.since, ...uncounted.map((each) => starts[each] ?? outage.since));
  const isBeforeResponse =
    response !== null && since < response.fetchedAt && !isFromWrongClock(response.fetchedAt, now);
  return isBeforeResponse || now - since > MAX_OUTAGE_AGE ? now : since;
}

/** Returns a response that must be revalidated before it is used. */
export function toStale(response: CachedResponse): CachedResponse {
  return { ...response, staleAt: response.fetchedAt };
}

/** Returns the history after a response, which ends an outage. */
export function withResponse(response: CachedResponse): OriginHistory {
  return { response, outage: null };
}

/**
 * Returns the history after a failure. The outage begins with the first failure, and never after the last one, also if the
 * clock was set back.
 */
export function withFailure(history: OriginHistory, { at, ...failure }: Failure): OriginHistory {
  const { response, outage } = history;
  const since = Math.min(getOutageStart(history, at), at);
  const lastAt = outage === null || isFromWrongClock(outage.lastAt, at) ? at : Math.max(outage.lastAt, at);
  const failures = (outage?.failures ?? 0) + 1;
  const startsAfter = toStartsAfter(outage, getFailureClass(failure), at);
  return { response, outage: { ...failure, since, lastAt, failures, startsAfter } };
}

function toStartsAfter(outage: Outage | null, failureClass: FailureClass, at: number): OutageStarts {
  const starts: Partial<Record<FailureClass, number>> = {};
  // As for `since`, no outage begins after its last failure.
  if (outage !== null)
    for (const [each, time] of Object.entries(outage.startsAfter) as [FailureClass, number][])
      starts[each] = Math.min(time, at);
  for (const each of [outage === null ? 'error' : getFailureClass(outage), failureClass])
    if (each !== 'error') starts[each] = at;
  return starts;
}

/**
 * Returns the history in a store, or the one in memory if it has a later fetch: a failure that was not stored. Times that a wrong clock
 * wrote do not count.
 */
export function getLatestHistory(
  stored: OriginHistory | undefined,
  cached: OriginHistory | undefined,
  now: number,
): OriginHistory {
  if (stored === undefined || cached === undefined) return stored ?? cached ?? NO_HISTORY;
  const rank = (time = Number.NEGATIVE_INFINITY): number =>
    isFromWrongClock(time, now) ? Number.NEGATIVE_INFINITY : time;
  const getLastFetch = ({ response, outage }: OriginHistory): number =>
    Math.max(rank(response?.fetchedAt), rank(outage?.lastAt));
  if (getLastFetch(cached) <= getLastFetch(stored)) return stored;
  // Another client may have stored a response before the last failure of this one.
  const isStoredNewer = rank(stored.response?.fetchedAt) > rank(cached.response?.fetchedAt);
  return isStoredNewer ? { ...cached, response: stored.response } : cached;
}

/** Returns the approximate size of a history in bytes. */
export function getHistorySize({ response, outage }: OriginHistory): number {
  const hops = [...(response?.hops ?? []), ...(outage?.hops ?? [])];
  const texts = [
    ...hops.flatMap(({ url, location }) => [url, location]),
    ...Object.values(response?.headers ?? {}),
    response?.message,
    outage?.message,
  ];
  return (response?.bytes.length ?? 0) + texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}
