// The options of a pace, and the clock that it uses.
import { checkOptions, checkRanges, type NumberRange, type OptionTypes } from '@maycrawl/core/internal';

/** The longest delay of a timer, about 24 days. Milliseconds. */
const MAX_TIME: number = 2 ** 31 - 1;

/** How fast the requests to one origin follow each other. All times are milliseconds. */
export interface PaceOptions {
  /** Requests to one origin at the same time, at most. @defaultValue 1 */
  readonly concurrency?: number;
  /** The time from one request to an origin to the next, at least. @defaultValue 0 */
  readonly spacing?: number;
  /** Whether the `Crawl-delay` of the crawler's group lengthens `spacing`. @defaultValue `false`: neither RFC 9309 nor Google has it */
  readonly obeysCrawlDelay?: boolean;
  /** The longest `Crawl-delay` that counts. A longer one counts as this. @defaultValue 30,000 */
  readonly maxCrawlDelay?: number;
  /** The longest `Retry-After` of a 429 or 503 that counts. @defaultValue 3,600,000: an hour */
  readonly maxRetryAfter?: number;
  /** The pause after the first failure of a server. It doubles with each further one. @defaultValue 1,000 */
  readonly firstPause?: number;
  /** The longest pause after failures. @defaultValue 300,000: five minutes */
  readonly longestPause?: number;
  /** How long a request may wait for its turn. @defaultValue 300,000: five minutes */
  readonly maxWait?: number;
  /** Requests that may wait for one origin. @defaultValue 1,000 */
  readonly maxQueued?: number;
  /** Requests that may wait for all origins. @defaultValue 100,000 */
  readonly maxTotalQueued?: number;
  /** Requests to all origins at the same time, at most. @defaultValue 512 */
  readonly maxRequests?: number;
  /**
   * Origins whose state is stored: those with requests and those that pause; also those that failed within an hour, as long as there is space.
   *
   * @defaultValue 100,000
   */
  readonly maxOrigins?: number;
}

/** Options with their defaults. */
export type ResolvedPaceOptions = Required<PaceOptions>;

const TYPES: OptionTypes<PaceOptions> = {
  concurrency: 'number',
  spacing: 'number',
  obeysCrawlDelay: 'boolean',
  maxCrawlDelay: 'number',
  maxRetryAfter: 'number',
  firstPause: 'number',
  longestPause: 'number',
  maxWait: 'number',
  maxQueued: 'number',
  maxTotalQueued: 'number',
  maxRequests: 'number',
  maxOrigins: 'number',
};

const TIME: NumberRange = [0, MAX_TIME];
const COUNT: NumberRange = [1, Number.MAX_SAFE_INTEGER, 'whole'];
const RANGES = {
  concurrency: COUNT,
  spacing: TIME,
  maxCrawlDelay: TIME,
  maxRetryAfter: TIME,
  firstPause: TIME,
  longestPause: TIME,
  maxWait: TIME,
  maxQueued: COUNT,
  maxTotalQueued: COUNT,
  maxRequests: COUNT,
  maxOrigins: COUNT,
};

const DEFAULTS: ResolvedPaceOptions = {
  concurrency: 1,
  spacing: 0,
  obeysCrawlDelay: false,
  maxCrawlDelay: 30_000,
  maxRetryAfter: 3_600_000,
  firstPause: 1_000,
  longestPause: 300_000,
  maxWait: 300_000,
  maxQueued: 1_000,
  maxTotalQueued: 100_000,
  maxRequests: 512,
  maxOrigins: 100_000,
};

/**
 * Checks options, and adds the defaults.
 *
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 * @throws {RangeError} for a number out of its range.
 */
export function resolvePaceOptions(owner: string, options: PaceOptions): ResolvedPaceOptions {
  checkOptions<PaceOptions>(owner, options, TYPES);
  checkRanges<PaceOptions>(owner, options, RANGES);
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...DEFAULTS, ...(Object.fromEntries(given) as PaceOptions) };
}

/** @throws {RangeError} if a time is not one of a timer. */
export function requireMaxWait(maxWait: number): void {
  checkRanges<PaceOptions>('pace', { maxWait }, { maxWait: TIME });
}

/** The clocks of a pace, and its chance. */
export interface Clock {
  /** A time in milliseconds that never goes back. */
  readonly now: () => number;
  /** The time in milliseconds since 1970, for dates in headers and errors. */
  readonly date: () => number;
  /** Calls a function after some milliseconds. @returns a function that prevents the call. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
  /** A number from 0 to 1, by which pauses differ from process to process. */
  readonly random: () => number;
}

/** The clocks of this process. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  date: Date.now,
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};
