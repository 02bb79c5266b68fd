/**
 * The policy of a monitored site: what a crawler does that fetches its robots.txt now. A stored copy that is still fresh for the monitor
 * counts only until a request fails, because each crawler has a copy of its own age.
 *
 * @module
 */
import type { OriginHistory } from '@maycrawl/client';
import { getEffectivePolicy } from '@maycrawl/client/origins';
import { GOOGLE, type PolicySummary } from '@maycrawl/core';

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
