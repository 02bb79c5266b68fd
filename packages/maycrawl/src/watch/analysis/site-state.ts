/**
 * The state of a site at a check, and whether it differs from the one before.
 *
 * @module
 */
import type { OriginHistory } from '@maycrawl/client';
import { getPolicyCode, type PolicySummary } from '@maycrawl/core';

/** The state of a site at a check. */
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
