/**
 * What holds for an origin at a moment, by what is known of it: its rules, everything allowed, or nothing; and when to ask
 * again. A pure function, and a table for what a long outage means in each profile (Google's page, on errors and HTTP status
 * codes; RFC 9309 section 2.3.1.4).
 *
 * @module
 */
import { GOOGLE, GOOGLE_2013, GOOGLE_2022, type Profile, RFC9309 } from '@maycrawl/core';
import type { OriginHistory, Outage } from '../store/history.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What an outage means from some time on. */
interface OutagePhase {
  /** Milliseconds since its first failure. */
  readonly from: number;
  /**
   * `disallow`: nothing may be fetched. `last-answer`: the last good answer holds; without one everything is allowed.
   * `allow-if-reachable`: everything is allowed if the site is otherwise reachable, else nothing.
   */
  readonly meaning: 'disallow' | 'last-answer' | 'allow-if-reachable';
}

/** What failures mean in a profile. */
export interface Weather extends Outages {
  /** What status 429 means. */
  readonly tooManyRequests: Profile['tooManyRequests'];
}

/** What an outage means in a profile. */
interface Outages {
  /** Phases in the order of time, the first from 0 on. */
  readonly phases: readonly OutagePhase[];
  /** What a 5xx means whose body says that the page was not found: a site that answers so for missing pages. */
  readonly notFoundBody: 'unreachable' | 'absent';
}

/** Clocks of several machines may differ by so much. What is later than that comes from a clock that was wrong. */
const MAX_AHEAD = 5 * MINUTE;

const ALWAYS_CLOSED: OutagePhase = { from: 0, meaning: 'disallow' };

const WEATHERS: ReadonlyMap<Profile, Outages> = new Map<Profile, Outages>([
  [
    GOOGLE,
    {
      phases: [
        ALWAYS_CLOSED,
        { from: 12 * HOUR, meaning: 'last-answer' },
        { from: 30 * DAY, meaning: 'allow-if-reachable' },
      ],
      notFoundBody: 'unreachable',
    },
  ],
  [
    GOOGLE_2022,
    { phases: [ALWAYS_CLOSED, { from: 30 * DAY, meaning: 'last-answer' }], notFoundBody: 'absent' },
  ],
  [GOOGLE_2013, { phases: [ALWAYS_CLOSED], notFoundBody: 'absent' }],
  [
    RFC9309,
    { phases: [ALWAYS_CLOSED, { from: 30 * DAY, meaning: 'last-answer' }], notFoundBody: 'unreachable' },
  ],
]);

/** What failures mean in a profile; how long an outage counts in one of the caller's own is read as Google's. */
export function weatherOf(profile: Profile): Weather {
  const { phases, notFoundBody } = WEATHERS.get(profile) ?? (WEATHERS.get(GOOGLE) as Outages);
  return { phases, notFoundBody, tooManyRequests: profile.tooManyRequests };
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
}

/** What can be known beside the history. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether other pages of the site can be fetched; left out if that is not known, which counts as no. */
  readonly isSiteReachable?: boolean;
  /** From 0 to 1, by which many origins, or crawlers, are kept from asking at the same moment. */
  readonly jitter?: number;
}

/** What holds for an origin at a moment. */
export function ruleOn(
  weather: Weather,
  { answer, outage }: OriginHistory,
  { now, isSiteReachable = false, jitter = 0 }: Circumstances,
): Ruling {
  const isPast = (time: number): boolean => time <= now + MAX_AHEAD;
  if (outage !== null && isAbsence(weather, outage) && isPast(outage.lastAt)) {
    const askAt = outage.lastAt + DAY;
    return { use: 'absent', askAt, isFresh: now < askAt };
  }
  if (answer !== null && now < answer.freshUntil && isPast(answer.fetchedAt)) {
    return { use: 'answer', askAt: answer.freshUntil, isFresh: true };
  }
  // An answer that is no longer fresh holds until somebody has asked and failed.
  if (outage === null) return { use: answer === null ? 'ask' : 'answer', askAt: now, isFresh: false };
  const askAt = isPast(outage.lastAt) ? outage.lastAt + pauseAfter(outage, jitter) : now;
  const age = now - outage.since;
  const meaning = weather.phases.findLast(({ from }) => age >= from)?.meaning ?? 'disallow';
  const ruling = (use: Ruling['use']): Ruling => ({ use, askAt, isFresh: false });
  if (meaning === 'last-answer') return ruling(answer === null ? 'allow-all' : 'answer');
  return ruling(meaning === 'allow-if-reachable' && isSiteReachable ? 'allow-all' : 'disallow-all');
}

/** Whether the last failure means that there is no file. */
function isAbsence({ tooManyRequests, notFoundBody }: Weather, { status, saysNotFound }: Outage): boolean {
  return (status === 429 && tooManyRequests === 'absent') || (saysNotFound && notFoundBody === 'absent');
}

/** A 503 says that it will pass: it is asked sooner, and the pauses stay short. */
const PAUSES = {
  usual: { first: MINUTE, longest: 30 * MINUTE },
  unavailable: { first: 30 * SECOND, longest: 5 * MINUTE },
} as const;

/** Between these a server may say when to ask again. */
const RETRY_BOUNDS = { shortest: 10 * SECOND, longest: HOUR } as const;
/** Pauses are shorter by up to this share, those that the server asked for longer. */
const JITTER_SHARE = 0.2;

/** How long to wait after the last failure of an outage, in milliseconds: twice as long after each, up to a bound. */
function pauseAfter({ failures, status, lastAt, retryAt }: Outage, jitter: number): number {
  if (retryAt !== null) {
    const asked = Math.min(Math.max(retryAt - lastAt, RETRY_BOUNDS.shortest), RETRY_BOUNDS.longest);
    return Math.min(Math.round(asked * (1 + JITTER_SHARE * jitter)), RETRY_BOUNDS.longest);
  }
  const { first, longest } = status === 503 ? PAUSES.unavailable : PAUSES.usual;
  const pause = Math.min(first * 2 ** Math.min(failures - 1, 20), longest);
  return Math.round(pause * (1 - JITTER_SHARE * jitter));
}
