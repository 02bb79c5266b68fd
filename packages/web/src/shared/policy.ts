/**
 * Policies as the service sends them. It may be of another version, so an unknown one is shown as unknown.
 *
 * @module
 */
import { getPolicyCode, getPolicySummary, type PolicyCode, type PolicySummary } from '@maycrawl/core';

/** Reads a policy from JSON. */
export function readPolicy(json: unknown): PolicySummary {
  return getPolicySummary(readPolicyCode(json));
}

/** Reads the code of a policy from JSON. */
export function readPolicyCode(json: unknown): PolicyCode {
  try {
    return getPolicyCode(json as PolicySummary);
  } catch {
    return 'unknown';
  }
}

/** Reads a time from JSON; `null` if it is none. */
export function parseTime(json: unknown): number | null {
  const time = typeof json === 'string' ? Date.parse(json) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
