/**
 * How long an answer may be used without asking again (Google's page, on caching; RFC 9309 section 2.4; RFC 9111 sections 4.2
 * and 5).
 *
 * @module
 */
import { parseHttpDate } from '../http/retry-after.ts';
import { MAX_LIFETIME } from './history.ts';

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
const FRESHNESS_BOUNDS: FreshnessBounds = { minimum: MINUTE, maximum: MAX_LIFETIME };

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
 *
 * @param now - when it came, in milliseconds since 1970.
 */
export function getFreshnessLifetime(
  headers: FreshnessHeaders,
  now: number,
  bounds: FreshnessBounds = FRESHNESS_BOUNDS,
): number {
  const asked = maxAgeOf(headers) ?? untilExpires(headers, now) ?? DEFAULT_LIFETIME;
  return Math.min(Math.max(asked, bounds.minimum), bounds.maximum);
}

function maxAgeOf({ cacheControl, age }: FreshnessHeaders): number | undefined {
  const directives = (cacheControl ?? '')
    .toLowerCase()
    .split(',')
    .map((directive) => directive.trim());
  if (directives.some((directive) => /^no-(store|cache)(=|$)/.test(directive))) return 0;
  const seconds = directives
    .map((directive) => /^max-age\s*=\s*"?(\d+)"?$/.exec(directive)?.[1])
    .find(Boolean);
  if (seconds === undefined) return undefined;
  // What it has spent in caches on the way counts (RFC 9111 section 4.2.3).
  const spent = /^\d{1,15}$/.test(age ?? '') ? Number(age) : 0;
  return (Number(seconds) - spent) * 1000;
}

function untilExpires({ expires, date }: FreshnessHeaders, now: number): number | undefined {
  if (expires === null) return undefined;
  const at = parseHttpDate(expires, now);
  // What is no date, `0` above all, has expired (RFC 9111 section 5.3).
  if (at === undefined) return 0;
  // By the server's own clock; without it, by the time of receipt (RFC 9110 section 6.6.1).
  return at - ((date === null ? undefined : parseHttpDate(date, now)) ?? now);
}
