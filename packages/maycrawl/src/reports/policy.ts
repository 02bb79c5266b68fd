// The JSON of policies and origins, which is the same in command, service and monitor.
import type { OriginHistory, OriginState, StoreEvent } from '@maycrawl/client';
import { getCountedOutageStart, getNextPhaseStart } from '@maycrawl/client/policy';
import { getPolicyCode, getPolicySummary, type PolicySummary, type Profile } from '@maycrawl/core';
import type { RobotsReport } from '../api/robots-api.ts';

/** The policy of an origin in JSON. */
export interface PolicyReport {
  readonly policy: PolicySummary;
  /** Why there is no file, and a description; omitted if there is one. */
  readonly code?: string;
  readonly message?: string;
}

/** Describes the policy of an origin, and why it has no file. */
export function createPolicyReport({
  policy,
  history: { response, outage },
}: Pick<OriginState, 'policy' | 'history'>): PolicyReport {
  const { code, message } = outage ?? response ?? { code: null, message: null };
  return {
    policy: getPolicySummary(getPolicyCode(policy)),
    ...(code !== null && message !== null && { code, message }),
  };
}

/** Converts a time to ISO 8601. Returns `null` if there is none, or it is invalid, as in a damaged store. */
export function formatTime(milliseconds: number | null | undefined): string | null {
  if (milliseconds === null || milliseconds === undefined) return null;
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** Formats a time that JSON must have; empty if it is damaged. */
export function formatRequiredTime(milliseconds: number): string {
  return formatTime(milliseconds) ?? '';
}

/**
 * Describes an outage; `null` without an outage.
 *
 * @param policy - the profile whose outage policy decides when the outage began and when its next phase starts, and the time in
 *   milliseconds since 1970. Without it the outage begins with the first failure, and has no phases.
 */
export function createOutageReport(
  history: OriginHistory,
  policy?: { readonly profile: Profile; readonly now: number },
): RobotsReport['outage'] {
  const { outage } = history;
  if (outage === null) return null;
  const { lastAt, failures, message, retryAt } = outage;
  const since =
    policy === undefined ? outage.since : getCountedOutageStart(policy.profile, history, policy.now);
  const nextPhaseAt = policy && getNextPhaseStart(policy.profile, history, policy.now);
  return {
    since: formatTime(since),
    lastAt: formatTime(lastAt),
    failures,
    message,
    retryAt: formatTime(retryAt),
    nextPhaseAt: formatTime(nextPhaseAt),
  };
}

/**
 * Describes an origin: the file, how it was fetched, the policy and until when it applies, and the last events, the newest first.
 *
 * @param now - milliseconds since 1970.
 */
export function createOriginReport(
  state: OriginState,
  events: readonly StoreEvent[],
  profile: Profile,
  now: number,
): RobotsReport {
  const { origin, refreshAt, history } = state;
  const { response, outage } = history;
  const last = outage ?? response;
  return {
    origin,
    url: `${origin}/robots.txt`,
    ...createPolicyReport(state),
    result: outage === null ? (response?.kind ?? null) : 'unreachable',
    status: last?.status ?? null,
    code: last?.code ?? null,
    message: last?.message ?? null,
    hops: last?.hops ?? [],
    headers: outage === null ? (response?.headers ?? null) : null,
    timings: last?.timings ?? null,
    fetchedAt: formatTime(outage?.lastAt ?? response?.fetchedAt),
    expiresAt: formatTime(refreshAt),
    outage: createOutageReport(history, { profile, now }),
    bytes: response?.bytes.length ?? 0,
    content: response?.kind === 'successful' ? Buffer.from(response.bytes).toString('base64') : null,
    events: events.map(({ at, ...event }) => ({ at: formatTime(at), ...event })),
  };
}
