/**
 * How long an answer may be used without asking again (Google's page, on caching; RFC 9309 section 2.4; RFC 9111 sections 4.2
 * and 5).
 *
 * @module
 */
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
export function lifetimeOf(
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

/**
 * The time at which a server asks to be asked again, in milliseconds since 1970.
 *
 * @param retryAfter - the Retry-After header: seconds, or a date (RFC 9110 section 10.2.3).
 * @returns `null` if it says nothing that can be understood.
 */
export function retryTimeOf(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null;
  if (/^\d{1,12}$/.test(retryAfter.trim())) return now + Number(retryAfter) * 1000;
  return parseHttpDate(retryAfter, now) ?? null;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = '(\\d{2}):(\\d{2}):(\\d{2})';
/** The three forms of a date in HTTP (RFC 9110 section 5.6.7), all of them in GMT. */
const IMF_DATE = new RegExp(`^[A-Za-z]{3}, (\\d{2}) ([A-Z][a-z]{2}) (\\d{4}) ${TIME} GMT$`);
const RFC850_DATE = new RegExp(`^[A-Za-z]+, (\\d{2})-([A-Z][a-z]{2})-(\\d{2}) ${TIME} GMT$`);
const ASCTIME_DATE = new RegExp(`^[A-Za-z]{3} ([A-Z][a-z]{2}) ([ \\d]\\d) ${TIME} (\\d{4})$`);

/** A date in HTTP, in milliseconds since 1970; `undefined` if it is none. */
function parseHttpDate(text: string, now: number): number | undefined {
  const date = text.trim();
  const full = IMF_DATE.exec(date);
  if (full !== null) return timeOf(Number(full[3]), full[2], full[1], full.slice(4));
  const asctime = ASCTIME_DATE.exec(date);
  if (asctime !== null) return timeOf(Number(asctime[6]), asctime[1], asctime[2], asctime.slice(3));
  const short = RFC850_DATE.exec(date);
  if (short === null) return undefined;
  const century = Math.floor(new Date(now).getUTCFullYear() / 100) * 100;
  const year = century + Number(short[3]);
  // More than fifty years ahead is in the past.
  const isPast = year - new Date(now).getUTCFullYear() > 50;
  return timeOf(isPast ? year - 100 : year, short[2], short[1], short.slice(4));
}

function timeOf(
  year: number,
  month: string | undefined,
  day: string | undefined,
  [hours, minutes, seconds]: readonly string[],
): number | undefined {
  const index = MONTHS.indexOf(month ?? '');
  const time = Date.UTC(year, index, Number(day), Number(hours), Number(minutes), Number(seconds));
  return index < 0 || Number.isNaN(time) ? undefined : time;
}
