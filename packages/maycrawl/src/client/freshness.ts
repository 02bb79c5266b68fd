/**
 * How long an answer may be used without asking again (Google's page, on caching; RFC 9309 section 2.4; RFC 9111 sections 4.2
 * and 5).
 *
 * @module
 */

/** Between these an answer may say how long it holds. Milliseconds. */
export interface FreshnessBounds {
  readonly minimum: number;
  readonly maximum: number;
}

const MINUTE = 60_000;
const DAY = 86_400_000;

/** Without a word from the server an answer holds for a day. */
const DEFAULT_LIFETIME: number = DAY;

/** One minute to seven days. */
const FRESHNESS_BOUNDS: FreshnessBounds = { minimum: MINUTE, maximum: 7 * DAY };

/** The headers of a response that say how long it holds, as they were sent. */
export interface FreshnessHeaders {
  readonly cacheControl: string | null;
  readonly expires: string | null;
  readonly date: string | null;
  readonly age: string | null;
}

/**
 * How long an answer holds, in milliseconds from when it came: what `Cache-Control` says, else `Expires`, else 24 hours, and in
 * any case within bounds. `no-store` and `no-cache` mean the lower one: a robots.txt that is asked for before every page would
 * double the load that it is there to limit.
 */
export function lifetimeOf(headers: FreshnessHeaders, bounds: FreshnessBounds = FRESHNESS_BOUNDS): number {
  const asked = maxAgeOf(headers) ?? untilExpires(headers) ?? DEFAULT_LIFETIME;
  return Math.min(Math.max(asked, bounds.minimum), bounds.maximum);
}

function maxAgeOf({ cacheControl, age }: FreshnessHeaders): number | undefined {
  const directives = (cacheControl ?? '')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  if (directives.some((directive) => /^no-(store|cache)(=|$)/.test(directive))) return 0;
  const seconds = directives
    .map((directive) => /^max-age\s*=\s*"?(\d{1,15})"?$/.exec(directive)?.[1])
    .find(Boolean);
  if (seconds === undefined) return undefined;
  // What it has spent in caches on the way counts (RFC 9111 section 4.2.3).
  const spent = /^\d{1,15}$/.test(age ?? '') ? Number(age) : 0;
  return (Number(seconds) - spent) * 1000;
}

function untilExpires({ expires, date }: FreshnessHeaders): number | undefined {
  if (expires === null) return undefined;
  const at = Date.parse(expires);
  // What is no date, `0` above all, has expired (RFC 9111 section 5.3).
  if (Number.isNaN(at)) return 0;
  // By the server's own clock; without it, nothing can be said.
  const sent = date === null ? Number.NaN : Date.parse(date);
  return Number.isNaN(sent) ? undefined : at - sent;
}

/**
 * The time at which a server asks to be asked again, in milliseconds since 1970.
 *
 * @param retryAfter - the Retry-After header: seconds, or a date (RFC 9110 section 10.2.3).
 * @returns `null` if it says nothing that can be understood.
 */
export function retryTimeOf(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null;
  if (/^\d{1,12}$/.test(retryAfter.trim())) return now + Number(retryAfter) * 1000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? null : at;
}
