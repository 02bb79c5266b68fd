// How much a store keeps, and what it evicts first.
import { checkOptions, type OptionTypes } from '@maycrawl/core/internal';

/** The bounds of a store. */
export interface StoreLimits {
  /** Bytes of all entries: files, headers, events and what the store needs beside them. */
  readonly maxBytes: number;
  /** The number of origins. */
  readonly maxOrigins: number;
  /** How long an entry stays that no caller uses, in milliseconds. */
  readonly maxAge: number;
}

/** How a store is opened. */
export interface StoreOptions extends Partial<StoreLimits> {
  /** Whether reading an entry counts as using it. @defaultValue `true` */
  readonly countsReads?: boolean;
  /**
   * Whether a file is opened to be pruned although its disk has no space. No other process can use it meanwhile, and the end of this one
   * damages it.
   *
   * @defaultValue `false`
   */
  readonly isDiskFull?: boolean;
  /** The time in milliseconds since 1970. @defaultValue `Date.now` */
  readonly now?: () => number;
}

const STORE_OPTIONS: OptionTypes<StoreOptions> = {
  maxBytes: 'number',
  maxOrigins: 'number',
  maxAge: 'number',
  countsReads: 'boolean',
  isDiskFull: 'boolean',
  now: 'function',
};

/** Checks names and types of the options of a store. @throws {TypeError} if one is unknown, or has a wrong type. */
export function checkStoreOptions(owner: string, options: StoreOptions): void {
  checkOptions<StoreOptions>(owner, options, STORE_OPTIONS);
}

/** What an entry takes beside its texts: keys, indexes and row headers. Bytes. */
export const ENTRY_BYTES = 1000;
/** What an event takes. Bytes. */
export const EVENT_BYTES = 150;
/** A use is recorded if the last recorded one is longer ago than this. Milliseconds. */
export const USE_PRECISION = 3_600_000;

const MEBIBYTE = 1024 * 1024;
const DAY = 86_400_000;

/** The limits of a store in memory unless the caller has others. */
export const MEMORY_LIMITS: StoreLimits = {
  maxBytes: 64 * MEBIBYTE,
  maxOrigins: 1_000_000,
  maxAge: 90 * DAY,
};
/** The limits of a store in a file unless the caller has others. */
export const SQLITE_LIMITS: StoreLimits = { ...MEMORY_LIMITS, maxBytes: 512 * MEBIBYTE };
/** The limits of a store in a PostgreSQL database unless the caller has others. */
export const POSTGRES_LIMITS: StoreLimits = { ...MEMORY_LIMITS, maxBytes: 4096 * MEBIBYTE };
/** The limits of a store in Redis, which has all of it in memory, unless the caller has others. */
export const REDIS_LIMITS: StoreLimits = { ...MEMORY_LIMITS, maxBytes: 1024 * MEBIBYTE };

/** The limits of a store: the caller's, else the defaults. @throws {RangeError} for a limit that is no positive number. */
export function resolveLimits(given: Partial<StoreLimits>, defaults: StoreLimits): StoreLimits {
  const limits = { ...defaults };
  for (const name of ['maxBytes', 'maxOrigins', 'maxAge'] as const) {
    const value = given[name];
    if (value === undefined) continue;
    if (!(value > 0)) throw new RangeError(`${name} of a store is a positive number, not ${value}`);
    limits[name] = value;
  }
  return limits;
}

/** How much is in a store. An entry is failing if its origin is in an outage. */
export interface Totals {
  readonly origins: number;
  readonly bytes: number;
  readonly failingOrigins: number;
  readonly failingBytes: number;
}

/** In one step of pruning a store evicts at most this number of entries, so that no step takes long. */
export const STEP_ENTRIES = 100;
/** And at most about this number of bytes. */
export const STEP_BYTES: number = 8 * MEBIBYTE;

/**
 * Which entries a store evicts next, the least recently used of them first; `undefined` if it is inside its limits.
 *
 * The entry of an origin in an outage is the only place that has the beginning of the outage and the last good file. Both can make a
 * verdict more restrictive than what a new fetch would find. So these entries stay as long as they take no more than half of a limit.
 * With that bound, origins that a stranger makes fail cannot fill the store either.
 */
export function chooseEvicted(totals: Totals, { maxBytes, maxOrigins }: StoreLimits): EntryKind | undefined {
  if (totals.bytes <= maxBytes && totals.origins <= maxOrigins) return undefined;
  const isFailingHalf = totals.failingBytes * 2 > maxBytes || totals.failingOrigins * 2 > maxOrigins;
  return isFailingHalf || totals.failingOrigins === totals.origins ? 'failing' : 'good';
}

/** Entries of origins that are in an outage, or those of the others. */
export type EntryKind = 'failing' | 'good';

/** A wall clock that differs by more than this from the time that has passed was set. Milliseconds. */
const MAX_DRIFT = 3_600_000;

/**
 * Creates a function that returns the time before which an entry must have been used last to be too old. It returns `undefined` after
 * the clock was set: the age of every entry would be wrong by the same time, and the store would lose all of them.
 */
export function createAgeLimit(maxAge: number, now: () => number): () => number | undefined {
  const offset = now() - performance.now();
  return () => {
    const time = now();
    return Math.abs(time - performance.now() - offset) > MAX_DRIFT ? undefined : time - maxAge;
  };
}
