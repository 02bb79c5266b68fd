// Dates in HTTP (RFC 9110 section 5.6.7), the Retry-After header (section 10.2.3), and the statuses that come with it.

/** Whether a status requests a pause: 429 Too Many Requests (RFC 6585 section 4) or 503 Service Unavailable (RFC 9110 section 15.6.4). */
export function isOverloaded(status: number): boolean {
  return status === 429 || status === 503;
}

/** The last time that a date can have, in milliseconds since 1970. */
const MAX_TIME = 8.64e15;

/**
 * Parses a Retry-After header.
 *
 * @param header - seconds, or a date; `null` if the response has none.
 * @param now - milliseconds since 1970.
 * @returns when to send the next request, in milliseconds since 1970, up to the last time of a date; `null` if the header is missing or
 *   invalid.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Math.min(now + Number(header) * 1000, MAX_TIME);
  return parseHttpDate(header, now) ?? null;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TIME = '(\\d{2}):(\\d{2}):(\\d{2})';
/** The three forms of a date, all of them in GMT. */
const IMF_DATE = new RegExp(`^[A-Za-z]{3}, (\\d{2}) ([A-Z][a-z]{2}) (\\d{4}) ${TIME} GMT$`);
const RFC850_DATE = new RegExp(`^[A-Za-z]+, (\\d{2})-([A-Z][a-z]{2})-(\\d{2}) ${TIME} GMT$`);
const ASCTIME_DATE = new RegExp(`^[A-Za-z]{3} ([A-Z][a-z]{2}) ([ \\d]\\d) ${TIME} (\\d{4})$`);

/**
 * Parses a date.
 *
 * @param now - milliseconds since 1970, which determines the century of a two-digit year.
 * @returns milliseconds since 1970; `undefined` if the text is not an HTTP date.
 */
export function parseHttpDate(text: string, now: number): number | undefined {
  const date = text.trim();
  const full = IMF_DATE.exec(date);
  if (full !== null) return toTime(Number(full[3]), full[2], full[1], full.slice(4));
  const asctime = ASCTIME_DATE.exec(date);
  if (asctime !== null) return toTime(Number(asctime[6]), asctime[1], asctime[2], asctime.slice(3));
  const short = RFC850_DATE.exec(date);
  if (short === null) return undefined;
  const century = Math.floor(new Date(now).getUTCFullYear() / 100) * 100;
  const year = century + Number(short[3]);
  // A date more than fifty years in the future is in the past (RFC 9110).
  const isPast = year - new Date(now).getUTCFullYear() > 50;
  return toTime(isPast ? year - 100 : year, short[2], short[1], short.slice(4));
}

function toTime(
  year: number,
  month: string | undefined,
  day: string | undefined,
  [hours, minutes, seconds]: readonly string[],
): number | undefined {
  const index = MONTHS.indexOf(month ?? '');
  const time = Date.UTC(year, index, Number(day), Number(hours), Number(minutes), Number(seconds));
  return index < 0 || Number.isNaN(time) ? undefined : time;
}
