// The effective policy of an origin at a time, and when to fetch its robots.txt again: a pure function of the history, the profile and
// the time, without Node.
import { getPolicySummary, type PolicyCode, type PolicySummary, type Profile } from '@maycrawl/core';
import { quoteValue } from '@maycrawl/core/internal';
import { type Backoff, getBackoff } from '../../http/backoff.ts';
import { requireOriginHistory } from '../caller-data.ts';
import { getOutageStart, isFromWrongClock, type OriginHistory, type Outage } from '../history.ts';
import { type FailureClass, getFailureClass } from './failure-class.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The part of a profile about failures. */
export type FailureProfile = Pick<Profile, 'outage' | 'status429'>;

/** The policy of an origin at a time. */
export interface EffectivePolicy {
  readonly policy: PolicySummary;
  /** When to fetch again, in milliseconds since 1970; not before `now` unless it is due. */
  readonly refreshAt: number;
  /** Whether the policy follows from a fresh response. */
  readonly isFresh: boolean;
  /** Whether the policy is `unknown` because it depends on whether the site is otherwise reachable. */
  readonly needsSiteCheck: boolean;
}

/** Further inputs of the policy. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether other pages of the site can be fetched; `undefined` if unknown. */
  readonly isSiteReachable?: boolean | undefined;
  /** From 0 to 1: spreads the fetches of many origins. */
  readonly jitter?: number;
}

/**
 * Returns the effective policy of an origin.
 *
 * @throws {TypeError} if `profile` has no outage policy, and if `history` is not a history of an origin.
 */
export function getEffectivePolicy(
  profile: FailureProfile,
  history: OriginHistory,
  circumstances: Circumstances,
): EffectivePolicy {
  if (!Array.isArray(profile?.outage?.phases)) throw new TypeError(`not a profile: ${quoteValue(profile)}`);
  requireOriginHistory(history);
  const { now, isSiteReachable, jitter = 0 } = circumstances;
  const { response, outage } = history;
  const isPast = (time: number): boolean => !isFromWrongClock(time, now);
  const responsePolicy = getResponsePolicy(history);
  if (outage !== null && isUnavailable(profile, outage) && isPast(outage.lastAt)) {
    const refreshAt = outage.lastAt + DAY;
    return toEffective('unavailable', refreshAt, now < refreshAt);
  }
  if (response !== null && now < response.staleAt && isPast(response.fetchedAt))
    return toEffective(responsePolicy, response.staleAt, true);
  // A response that is no longer fresh applies until a fetch has failed.
  if (outage === null) return toEffective(responsePolicy, now);
  const refreshAt = isPast(outage.lastAt) ? outage.lastAt + getRetryPause(outage, jitter) : now;
  // A refusal of this client is no outage of the site, so its duration does not matter.
  if (getFailureClass(outage) === 'refusal') return toEffective('unreachable', refreshAt);
  const age = now - getOutageStart(history, now, getUncountedClasses(profile));
  const effect = profile.outage.phases.findLast(({ from }) => age >= from)?.effect;
  if (effect === 'last-response')
    return toEffective(response === null ? 'outage-expired' : responsePolicy, refreshAt);
  if (effect !== 'allow-if-reachable') return toEffective('unreachable', refreshAt);
  if (isSiteReachable === undefined) return { ...toEffective('unknown', refreshAt), needsSiteCheck: true };
  return toEffective(isSiteReachable ? 'outage-expired' : 'unreachable', refreshAt);
}

function toEffective(code: PolicyCode, refreshAt: number, isFresh = false): EffectivePolicy {
  return { policy: getPolicySummary(code), refreshAt, isFresh, needsSiteCheck: false };
}

function getResponsePolicy({ response }: OriginHistory): PolicyCode {
  if (response === null) return 'unknown';
  return response.kind === 'successful' ? 'rules' : 'unavailable';
}

/** Returns whether the last failure means that there is no file. */
function isUnavailable(profile: FailureProfile, failure: Outage): boolean {
  return getUnavailableClasses(profile).includes(getFailureClass(failure));
}

/** Returns the classes of failures that mean that there is no file. */
function getUnavailableClasses({ status429, outage }: FailureProfile): FailureClass[] {
  const classes: FailureClass[] = [];
  if (status429 === 'unavailable') classes.push('tooManyRequests');
  if (outage.softNotFound === 'unavailable') classes.push('notFound');
  return classes;
}

/** Returns the classes of failures that are no outage of the site. */
export function getUncountedClasses(profile: FailureProfile): FailureClass[] {
  return ['refusal', ...getUnavailableClasses(profile)];
}

/** Jitter shortens pauses by up to this share, and lengthens those of Retry-After. */
const JITTER_SHARE = 0.2;

/** A 503 says that the failure is temporary, so retries come sooner. */
const PAUSES = {
  usual: { first: MINUTE, longest: 30 * MINUTE, jitter: JITTER_SHARE },
  serviceUnavailable: { first: 30 * SECOND, longest: 5 * MINUTE, jitter: JITTER_SHARE },
} as const satisfies Record<string, Backoff>;

/** Limits of Retry-After. */
const RETRY_BOUNDS = { shortest: 10 * SECOND, longest: HOUR } as const;

/** Returns the pause after the last failure of an outage in milliseconds: exponential backoff up to a limit. */
function getRetryPause({ failures, status, lastAt, retryAt }: Outage, jitter: number): number {
  if (retryAt !== null) {
    const pause = Math.min(Math.max(retryAt - lastAt, RETRY_BOUNDS.shortest), RETRY_BOUNDS.longest);
    return Math.min(Math.round(pause * (1 + JITTER_SHARE * jitter)), RETRY_BOUNDS.longest);
  }
  return getBackoff(status === 503 ? PAUSES.serviceUnavailable : PAUSES.usual, failures, jitter);
}
