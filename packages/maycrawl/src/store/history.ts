/**
 * What is known of one origin's robots.txt: the last good answer, and the outage since then. It is data alone: it can be
 * stored, and shared by crawlers and machines.
 *
 * @module
 */
import type { FetchCode, Hop } from '../fetch/outcome.ts';
import type { Timings } from '../fetch/phases.ts';

/** How the last response came about. */
interface Told {
  /** The requests that were answered, in order. */
  readonly hops: readonly Hop[];
  readonly timings: Timings;
}

/** The last good answer of an origin. All times are milliseconds since 1970. */
export interface GoodAnswer extends Told {
  /** `found`: the file; `absent`: there is none. */
  readonly kind: 'found' | 'absent';
  /** When it came, or was last confirmed. */
  readonly fetchedAt: number;
  /** Up to when it may be used without asking again (freshness.ts). */
  readonly freshUntil: number;
  /** The file, at most as many bytes as count and one more; empty where there is none. */
  readonly bytes: Uint8Array;
  /** Status of the last response; `null` where the protocol has none. */
  readonly status: number | null;
  /** Why there is no file, and the particulars, for people; `null` where there is one. */
  readonly code: FetchCode | null;
  readonly reason: string | null;
  /** The validators that came with it, for asking whether it is still the same. */
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Failures since the last good answer, or since the first question; the last of them in particular. */
export interface Outage extends Told {
  /** When the first failure was. */
  readonly since: number;
  /** When the last one was. */
  readonly lastAt: number;
  /** How many there were. */
  readonly failures: number;
  readonly code: FetchCode;
  /** Status of the last failure; `null` if there was no response. */
  readonly status: number | null;
  /** The particulars of the last failure, for people. */
  readonly reason: string;
  /** The time that the server asked to wait for (Retry-After); `null` if it did not. */
  readonly retryAt: number | null;
}

/** What is known of one origin. */
export interface OriginHistory {
  readonly answer: GoodAnswer | null;
  readonly outage: Outage | null;
}

/** One more failure. */
export type Failure = Omit<Outage, 'since' | 'lastAt' | 'failures'> & { readonly at: number };

/** The history of an origin that nobody has asked. */
export const NO_HISTORY: OriginHistory = { answer: null, outage: null };

/** The history after a good answer: the outage, if there was one, is over. */
export function withAnswer(answer: GoodAnswer): OriginHistory {
  return { answer, outage: null };
}

/** The history after one more failure. The outage began with the first. */
export function withFailure({ answer, outage }: OriginHistory, { at, ...failure }: Failure): OriginHistory {
  const since = outage?.since ?? at;
  return {
    answer,
    // Clocks of several machines differ a little: time does not go back.
    outage: { ...failure, since, lastAt: Math.max(at, since), failures: (outage?.failures ?? 0) + 1 },
  };
}
