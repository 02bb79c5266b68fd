// Times of JSON logs: numbers in any unit, and texts.
import { CLF_TIME, ISO_TIME } from './time-format.ts';
import { TimeParser } from './time-parser.ts';

/** Patterns of texts, the most frequent first. */
const PATTERNS = [
  ISO_TIME,
  CLF_TIME,
  // Without a zone: UTC.
  '%Y-%m-%dT%H:%M:%S%f',
  '%Y-%m-%d %H:%M:%S%f%z',
  '%Y-%m-%d %H:%M:%S%f',
  '%Y/%m/%d %H:%M:%S%f',
  // HTTP dates (RFC 9110 section 5.6.7).
  '%a, %d %b %Y %H:%M:%S GMT',
];

/** The least absolute values of times in milliseconds, microseconds and nanoseconds. In seconds, this is the year 5138. */
const [MILLISECONDS, MICROSECONDS, NANOSECONDS] = [1e11, 1e14, 1e17] as const;
/** The least time in seconds, in 1973: smaller numbers are durations. */
const LEAST = 1e8;
const MAX_TIME = 8.64e15;
/** What the rounding of a number in floating point loses at most, in milliseconds. */
const ROUNDING = 0.0005;
const MAX_LENGTH = 64;

/** Converts times of one file to milliseconds since 1970. */
export class TimeValueReader {
  readonly #parsers = PATTERNS.map((pattern) => new TimeParser(pattern));
  #lastText = '';
  #lastTime: number | undefined;

  /** @returns `undefined` if the value is no time. */
  read(value: unknown): number | undefined {
    if (typeof value === 'number') return convertNumber(value);
    if (typeof value !== 'string' || value.length > MAX_LENGTH) return undefined;
    if (value === this.#lastText) return this.#lastTime;
    this.#lastText = value;
    this.#lastTime = this.#parse(value);
    return this.#lastTime;
  }

  #parse(text: string): number | undefined {
    if (/^\d{1,20}(?:\.\d{1,9})?$/.test(text)) return convertNumber(Number(text));
    const bytes = Buffer.from(text, 'latin1');
    for (const parser of this.#parsers)
      if (parser.parse(bytes, 0, bytes.length) === bytes.length) return parser.value;
    return undefined;
  }
}

/** Converts seconds, milliseconds, microseconds or nanoseconds, which differ by a factor of 1,000. */
function convertNumber(value: number): number | undefined {
  if (!(value >= LEAST)) return undefined;
  const factor = value < MILLISECONDS ? 1000 : value < MICROSECONDS ? 1 : value < NANOSECONDS ? 1e-3 : 1e-6;
  // A division is exact where a product with a fraction is not.
  const time = factor >= 1 ? value * factor : value / (1 / factor);
  return time < MAX_TIME ? Math.floor(time + ROUNDING) : undefined;
}
