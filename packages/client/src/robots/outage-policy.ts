/**
 * What holds for an origin at a moment, by what is known of it: its rules, everything allowed, or nothing; and when to ask
 * again. A pure function; what a long outage means is data of the profile.
 *
 * @module
 */
import type { OutagePolicy, Profile } from '@maycrawl/core';
import { type Backoff, getBackoff } from '../http/backoff.ts';
import { isFromWrongClock, type OriginHistory, type Outage } from './history.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What failures mean in a profile. */
export type Weather = OutagePolicy & Pick<Profile, 'status429'>;

/** What failures mean in a profile. */
export function weatherOf({ outage, status429 }: Profile): Weather {
  return { ...outage, status429 };
}

/** What holds for an origin. */
export interface Ruling {
  /**
   * `ask`: nothing is known, the origin must be asked first. `answer`: the last good answer holds, be it a file or that there
   * is none. `absent`: the last failure says that there is no file. `allow-all`, `disallow-all`: an outage decides.
   */
  readonly use: 'ask' | 'answer' | 'absent' | 'allow-all' | 'disallow-all';
  /** When to ask again, in milliseconds since 1970; not before `now` unless it is time. */
  readonly askAt: number;
  /** Whether what holds is as good as new: an answer that is fresh. */
  readonly isFresh: boolean;
  /** Whether it depends on something unknown, whether the site is otherwise reachable: until that is known, nothing is allowed. */
  readonly needsSiteCheck: boolean;
}

/** What can be known beside the history. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether other pages of the site can be fetched; `undefined` if that is not known. */
  readonly isSiteReachable?: boolean | undefined;
  /** From 0 to 1, by which many origins, or crawlers, are kept from asking at the same moment. */
  readonly jitter?: number;
}

/** What holds for an origin at a moment. */
export function ruleOn(
  weather: Weather,
  { answer, outage }: OriginHistory,
  { now, isSiteReachable, jitter = 0 }: Circumstances,
): Ruling {
  const isPast = (time: number): boolean => !isFromWrongClock(time, now);
  if (outage !== null && isAbsence(weather, outage) && isPast(outage.lastAt)) {
    const askAt = outage.lastAt + DAY;
    return { use: 'absent', askAt, isFresh: now < askAt, needsSiteCheck: false };
  }
  if (answer !== null && now < answer.freshUntil && isPast(answer.fetchedAt)) {
    return { use: 'answer', askAt: answer.freshUntil, isFresh: true, needsSiteCheck: false };
  }
  // An answer that is no longer fresh holds until somebody has asked and failed.
  if (outage === null)
    return { use: answer === null ? 'ask' : 'answer', askAt: now, isFresh: false, needsSiteCheck: false };
  const askAt = isPast(outage.lastAt) ? outage.lastAt + pauseAfter(outage, jitter) : now;
  const age = now - outage.since;
  const meaning = weather.phases.findLast(({ from }) => age >= from)?.effect ?? 'disallow';
  const needsSiteCheck = meaning === 'allow-if-reachable' && isSiteReachable === undefined;
  const ruling = (use: Ruling['use']): Ruling => ({ use, askAt, isFresh: false, needsSiteCheck });
  if (meaning === 'last-response') return ruling(answer === null ? 'allow-all' : 'answer');
  return ruling(meaning === 'allow-if-reachable' && isSiteReachable === true ? 'allow-all' : 'disallow-all');
}

/** Whether the last failure means that there is no file. */
function isAbsence({ status429, softNotFound }: Weather, { status, saysNotFound }: Outage): boolean {
  return (status === 429 && status429 === 'absent') || (saysNotFound && softNotFound === 'absent');
}

/** Pauses are shorter by up to this share, those that the server asked for longer. */
const JITTER_SHARE = 0.2;

/** A 503 says that it will pass: it is asked sooner, and the pauses stay short. */
const PAUSES = {
  usual: { first: MINUTE, longest: 30 * MINUTE, jitter: JITTER_SHARE },
  unavailable: { first: 30 * SECOND, longest: 5 * MINUTE, jitter: JITTER_SHARE },
} as const satisfies Record<string, Backoff>;

/** Between these a server may say when to ask again. */
const RETRY_BOUNDS = { shortest: 10 * SECOND, longest: HOUR } as const;
/** How long to wait after the last failure of an outage, in milliseconds: twice as long after each, up to a bound. */
function pauseAfter({ failures, status, lastAt, retryAt }: Outage, jitter: number): number {
  if (retryAt !== null) {
    const asked = Math.min(Math.max(retryAt - lastAt, RETRY_BOUNDS.shortest), RETRY_BOUNDS.longest);
    return Math.min(Math.round(asked * (1 + JITTER_SHARE * jitter)), RETRY_BOUNDS.longest);
  }
  return getBackoff(status === 503 ? PAUSES.unavailable : PAUSES.usual, failures, jitter);
}
