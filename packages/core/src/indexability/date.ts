// Dates of `unavailable_after`: RFC 822, RFC 850 and ISO 8601, which Google documents, and common variants.
// The module does not use `Date.parse`, because its accepted formats depend on the engine.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Hours from UTC (RFC 822 section 5.1). All other zones of letters are read as UTC: a date must not lose its effect because of its zone.
 * RFC 5322 section 4.3 requires it for the military zones, which are single letters, because RFC 822 defines them with the wrong sign.
 */
const ZONES: Readonly<Record<string, number>> = {
  ...{ '': 0, z: 0, ut: 0, utc: 0, gmt: 0 },
  ...{ est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7 },
  // Others with one common meaning.
  ...{ akst: -9, akdt: -8, hst: -10, wet: 0, west: 1, bst: 1, cet: 1, cest: 2, eet: 2, eest: 3, msk: 3 },
  ...{
    ist: 5.5,
    sgt: 8,
    hkt: 8,
    awst: 8,
    jst: 9,
    kst: 9,
    acst: 9.5,
    acdt: 10.5,
    aest: 10,
    aedt: 11,
    nzst: 12,
    nzdt: 13,
  },
};

const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]* )?';
const MONTH = '(?<month>[a-z]{3})[a-z]*';
const TIME = '(?<hour>\\d{1,2}):(?<minute>\\d{2})(?::(?<second>\\d{2})(?:\\.\\d+)?)?(?: ?(?<half>[ap]m)\\b)?';
const ZONE = '(?: ?(?<zone>[a-z]{0,5} ?[+-]\\d{1,2}(?::?\\d{2})?|[a-z]{1,5}))?';
const YEAR = '(?<year>\\d{4}|\\d{2})';

/** Formats of a normalized date: commas and white space are single spaces, letters are in lower case. */
const FORMATS: readonly RegExp[] = [
  `(?<year>\\d{4})-(?<number>\\d{2})(?:-(?<day>\\d{2})(?:[t ]${TIME}${ZONE})?)?`,
  `(?<year>\\d{4})(?<number>\\d{2})(?<day>\\d{2})(?:t(?<hour>\\d{2})(?<minute>\\d{2})(?<second>\\d{2})?${ZONE})?`,
  `${WEEKDAY}(?<day>\\d{1,2})[ -]${MONTH}[ -]${YEAR}(?: ${TIME}${ZONE})?`,
  `${WEEKDAY}${MONTH} (?<day>\\d{1,2}) ${YEAR}(?: ${TIME}${ZONE})?`,
  `${WEEKDAY}${MONTH} (?<day>\\d{1,2}) ${TIME}${ZONE} (?<year>\\d{4})`,
  // regexp-input: 64 (MAX_LENGTH)
].map((format) => new RegExp(`^${format}$`));

const MAX_LENGTH = 64;

/**
 * Parses a date.
 *
 * @returns milliseconds since the Unix epoch, or `null` if the text is not a date. The day is the first of
 *   the month by default, the time midnight, the zone UTC.
 */
export function parseDate(text: string): number | null {
  if (text.length > MAX_LENGTH) return null;
  const normalized = text
    .toLowerCase()
    .replace(/[\s,]+/g, ' ')
    .trim();
  for (const format of FORMATS) {
    const parts = format.exec(normalized)?.groups;
    if (parts !== undefined) return toTimestamp(parts);
  }
  return null;
}

function toTimestamp(parts: Readonly<Record<string, string | undefined>>): number | null {
  const { year = '', month, number, day = '1', zone = '', half } = parts;
  const { hour = '0', minute = '0', second = '0' } = parts;
  const monthIndex = month === undefined ? Number(number) - 1 : MONTHS.indexOf(month);
  const offset = parseZone(zone);
  const written = Number(hour);
  const hours = half === undefined || written > 12 ? written : (written % 12) + (half === 'pm' ? 12 : 0);
  const [minutes, seconds] = [Number(minute), Number(second)];
  if (monthIndex < 0 || offset === null || hours > 24 || minutes > 59 || seconds > 60) return null;
  const midnight = Date.UTC(expandYear(year), monthIndex, Number(day));
  // `Date.UTC` turns 31 June into 1 July.
  if (new Date(midnight).getUTCMonth() !== monthIndex || Number(day) === 0) return null;
  return midnight + ((hours * 60 + minutes - offset) * 60 + seconds) * 1000;
}

/** Expands a year of two digits to 1950-2049 (RFC 2822 section 4.3). */
function expandYear(year: string): number {
  const number = Number(year);
  if (year.length === 4) return number;
  return number < 50 ? 2000 + number : 1900 + number;
}

/** Whether a word is a zone, and not a directive after a date. */
export function isListedZone(word: string): boolean {
  return Object.hasOwn(ZONES, word.toLowerCase());
}

/** Parses a zone as minutes from UTC; `null` if it is a zone other than UTC with an offset from it. */
function parseZone(zone: string): number | null {
  const [, name = '', sign, hours, minutes = '0'] =
    /^([a-z]*) ?(?:([+-])(\d\d?):?(\d\d)?)?$/.exec(zone) ?? [];
  const named = isListedZone(name) ? (ZONES[name] as number) : 0;
  if (sign === undefined) return named * 60;
  if (named !== 0) return null;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
