// How long a response may be used without revalidation (Google's page, on caching; RFC 9309 section 2.4; RFC 9111 sections 4.2
// and 5).
import { parseHttpDate } from '../http/retry-after.ts';
import type { CacheHeaders } from './fetch-result.ts';
import { MAX_LIFETIME } from './history.ts';

const MIN_LIFETIME = 60_000;
/** The lifetime of a response without caching headers. */
const DEFAULT_LIFETIME = 86_400_000;

type FreshnessHeaders = Pick<CacheHeaders, 'cacheControl' | 'expires' | 'date' | 'age'>;

/**
 * Returns for how long a response is fresh, in milliseconds from its receipt: by `Cache-Control`, else by `Expires`, else 24 hours, and
 * always between one minute and seven days. `no-store` and `no-cache` mean one minute: a request for robots.txt before every page would
 * double the load of the site.
 *
 * @param now - the time of receipt, in milliseconds since 1970.
 */
export function getFreshnessLifetime(headers: FreshnessHeaders, now: number): number {
  const lifetime = parseMaxAge(headers) ?? parseExpires(headers, now) ?? DEFAULT_LIFETIME;
  return Math.min(Math.max(lifetime, MIN_LIFETIME), MAX_LIFETIME);
}

function parseMaxAge({ cacheControl, age }: FreshnessHeaders): number | undefined {
  const directives = (cacheControl ?? '').toLowerCase().split(',');
  if (directives.some((directive) => /^no-(store|cache)(=|$)/.test(directive.trim()))) return 0;
  const seconds = directives
    // A negative number is less than one minute, as zero is.
    .map((directive) => /^max-age\s*=\s*"?(-?\d+)"?$/.exec(directive.trim())?.[1])
    .find(Boolean);
  return seconds === undefined ? undefined : Number(seconds) * 1000 - getTimeInCaches(age);
}

/** Returns the milliseconds in caches on the way, which count as part of the lifetime (RFC 9111 section 4.2.3). */
function getTimeInCaches(age: string | null): number {
  return /^\d{1,15}$/.test(age ?? '') ? Number(age) * 1000 : 0;
}

function parseExpires({ expires, date, age }: FreshnessHeaders, now: number): number | undefined {
  if (expires === null) return undefined;
  const at = parseHttpDate(expires, now);
  // An invalid date, such as `0`, is in the past (RFC 9111 section 5.3).
  if (at === undefined) return 0;
  // Relative to the clock of the server; without `Date`, to the time of receipt (RFC 9110 section 6.6.1).
  const sentAt = date === null ? undefined : parseHttpDate(date, now);
  return sentAt === undefined ? at - now : at - sentAt - getTimeInCaches(age);
}
