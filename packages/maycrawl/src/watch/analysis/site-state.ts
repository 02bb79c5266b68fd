// The state of a site at a check: what a crawler does that fetches its robots.txt now, and whether that differs from the check before. A
// stored copy that is still fresh for the monitor counts only until a request fails, because each crawler has a copy of its own age.
import type { OriginHistory } from '@maycrawl/client';
import { getEffectivePolicy } from '@maycrawl/client/internal';
import { GOOGLE, getPolicyCode, type PolicySummary } from '@maycrawl/core';

export interface SiteState {
  readonly history: OriginHistory;
  readonly policy: PolicySummary;
  /** In an outage of more than thirty days: whether `/` of the site could be fetched; `undefined` if that is not known. */
  readonly isSiteReachable?: boolean | undefined;
}

/** Whether a change is reported. It compares only bytes, so its time is linear in the file. */
export function hasChanged(before: SiteState, after: SiteState): boolean {
  if (after.history.outage !== null)
    return before.history.outage === null || getPolicyCode(before.policy) !== getPolicyCode(after.policy);
  if (after.history.response === null) return false;
  return before.history.outage !== null || !hasSameFile(before.history, after.history);
}

/** A longer file is analysed in a thread also at the first check, when it is compared with nothing. */
const MAX_FIRST_BYTES = 16_384;

/** Whether the impact is computed in a thread. Otherwise it needs neither the owner's URLs nor their tests. */
export function needsAnalysis(before: SiteState, after: SiteState): boolean {
  const { response, outage } = after.history;
  if (outage !== null || response === null || !hasChanged(before, after)) return false;
  return before.history.response !== null || response.bytes.length > MAX_FIRST_BYTES;
}

function hasSameFile({ response: before }: OriginHistory, { response: after }: OriginHistory): boolean {
  if (before === null || after === null) return before === after;
  return before.kind === after.kind && Buffer.from(before.bytes).equals(after.bytes);
}

/**
 * The policy of a site at a time, under Google's profile.
 *
 * @param isSiteReachable - whether other pages of the site can be fetched; `undefined` if that is not known.
 */
export function getPolicyAt(history: OriginHistory, now: number, isSiteReachable?: boolean): PolicySummary {
  return getEffectivePolicy(GOOGLE, withoutCopy(history), { now, isSiteReachable }).policy;
}

/** Whether the policy depends on whether the site is otherwise reachable. */
export function needsSiteCheck(history: OriginHistory, now: number): boolean {
  return getEffectivePolicy(GOOGLE, withoutCopy(history), { now }).needsSiteCheck;
}

function withoutCopy({ response, outage }: OriginHistory): OriginHistory {
  if (response === null || outage === null) return { response, outage };
  return { response: { ...response, staleAt: response.fetchedAt }, outage };
}
