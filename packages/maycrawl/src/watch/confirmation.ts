// Failures that are not reported until a second check has confirmed them, and requests for `/` in a long outage.
//
// A failure is a response from which crawlers cannot read rules: an error, no file, an HTML page, an empty file. Many of them last
// seconds, such as a restart or a deployment. Other changes are the owner's, and are reported immediately.
import type { OriginHistory } from '@maycrawl/client';
import { parseObject } from '@maycrawl/core/internal';
import { type Failure, getFailure } from './analysis/file-condition.ts';
import { hasChanged, type SiteState } from './analysis/site-state.ts';

/** A failure that one check has seen. */
export interface UnconfirmedFailure {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly failure: Failure;
}

/** A request for `/` in an outage of robots.txt. */
export interface SiteCheck {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly isReachable: boolean;
}

/** The pause is shorter than the interval of checks: after this number of intervals, the worker was stopped meanwhile. */
const MAX_INTERVALS = 2;
/** With short intervals, slow fetches of many other sites can delay the check that confirms: milliseconds for which a failure counts at least. */
const MIN_LIFETIME = 1_800_000;
/** Milliseconds for which the result of a request for `/` is used. */
const SITE_CHECK_LIFETIME = 86_400_000;

/**
 * Returns the failure that the next check must confirm; `undefined`: no failure, or a confirmed one.
 *
 * @param unconfirmed - the failure that the last check has seen.
 * @param every - milliseconds from one check to the next.
 */
export function getUnconfirmed(
  before: SiteState,
  after: SiteState,
  at: number,
  unconfirmed: UnconfirmedFailure | null,
  every: number,
): UnconfirmedFailure | undefined {
  const failure = getFailure(after.history);
  if (failure === undefined || failure === getFailure(before.history) || !hasChanged(before, after))
    return undefined;
  // A site that never had a file is not failing.
  if (before.history.response === null && failure !== 'unreachable') return undefined;
  return unconfirmed !== null && isRecent(unconfirmed, at, every) ? undefined : { at, failure };
}

function isRecent({ at: since }: UnconfirmedFailure, at: number, every: number): boolean {
  return at >= since && at - since <= Math.max(MAX_INTERVALS * every, MIN_LIFETIME);
}

/** Returns a history in which a confirmed outage began with the unconfirmed failure. */
export function withUnconfirmed(
  history: OriginHistory,
  before: OriginHistory,
  unconfirmed: UnconfirmedFailure | null,
  at: number,
  every: number,
): OriginHistory {
  const { outage } = history;
  if (outage === null || before.outage !== null || unconfirmed?.failure !== 'unreachable') return history;
  if (!isRecent(unconfirmed, at, every)) return history;
  return {
    ...history,
    outage: { ...outage, since: Math.min(outage.since, unconfirmed.at), failures: outage.failures + 1 },
  };
}

/** Returns whether the site was reachable at its last check, if that is recent; `undefined` otherwise. */
export function getRecentSiteCheck(check: SiteCheck | null, at: number): boolean | undefined {
  return check !== null && at >= check.at && at - check.at < SITE_CHECK_LIFETIME
    ? check.isReachable
    : undefined;
}

/** Reads an unconfirmed failure. One that cannot be read counts as none: the failure is confirmed by two further checks. */
export function readUnconfirmed(stored: string | null): UnconfirmedFailure | null {
  const value = parseObject(stored ?? '');
  return value !== undefined && Number.isSafeInteger(value['at']) && typeof value['failure'] === 'string'
    ? (value as unknown as UnconfirmedFailure)
    : null;
}

/** Reads a check of a site. One that cannot be read counts as none. */
export function readSiteCheck(stored: string | null): SiteCheck | null {
  const value = parseObject(stored ?? '');
  return value !== undefined && Number.isSafeInteger(value['at']) && typeof value['isReachable'] === 'boolean'
    ? (value as unknown as SiteCheck)
    : null;
}
