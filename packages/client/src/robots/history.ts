/**
 * What is known of one origin's robots.txt: the last good answer, and the outage since then. It is data alone: it can be
 * stored, and shared by crawlers and machines.
 *
 * @module
 */
import type { AnswerHeaders, FetchCode, Hop } from './outcome.ts';
import type { Timings } from './phases.ts';

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
  /** The headers that came with it, or with what confirmed it last. */
  readonly headers: AnswerHeaders;
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
  /** Whether the body of a 5xx says that the page was not found. */
  readonly saysNotFound: boolean;
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

/** The longest time that an answer can be fresh. Milliseconds. */
export const MAX_LIFETIME: number = 7 * 86_400_000;

/** The clocks of machines that share a store may differ by this time. Milliseconds. */
const MAX_AHEAD = 5 * 60_000;

/**
 * Whether a stored time is so far after `now` that it came from a clock that was wrong. Everything that reads or writes histories
 * uses this one bound: between two bounds there would be times that are too late to be used and too early to be replaced.
 */
export function isFromWrongClock(time: number, now: number): boolean {
  return time - now > MAX_AHEAD;
}

/** The history after a good answer: the outage, if there was one, is over. */
export function withAnswer(answer: GoodAnswer): OriginHistory {
  return { answer, outage: null };
}

/**
 * The history after one more failure. The outage began with the first. Its beginning is never after its last failure, also if the
 * clock was set back since then.
 */
export function withFailure({ answer, outage }: OriginHistory, { at, ...failure }: Failure): OriginHistory {
  const since = outage === null ? at : Math.min(outage.since, at);
  const lastAt = outage === null || isFromWrongClock(outage.lastAt, at) ? at : Math.max(outage.lastAt, at);
  return {
    answer,
    outage: { ...failure, since, lastAt, failures: (outage?.failures ?? 0) + 1 },
  };
}

/** What is known of an origin as a size in bytes, about: what servers have sent. */
export function sizeOfHistory({ answer, outage }: OriginHistory): number {
  const texts = [
    ...[...(answer?.hops ?? []), ...(outage?.hops ?? [])].flatMap(({ url, location = '' }) => [
      url,
      location,
    ]),
    ...Object.values(answer?.headers ?? {}),
    ...[answer?.reason, outage?.reason],
  ];
  return (answer?.bytes.length ?? 0) + texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
}
