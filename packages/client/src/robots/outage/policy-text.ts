// Describes policies, for terminal, messages and pages. Texts quote servers without escaping: escape them for the output
// format. Without Node, because pages use it, too.
import { describePolicy, getPolicyCode, type PolicySummary } from '@maycrawl/core';

/** A policy and its outage. Times are milliseconds since 1970. */
export interface DescribedPolicy {
  readonly policy: PolicySummary;
  /** The current outage; `null` without one. */
  readonly outage: { readonly since: number | null; readonly message: string | null } | null;
  /** When the outage policy changes the policy if the outage continues; `null` if it does not. */
  readonly nextPhaseAt?: number | null;
}

/**
 * Describes the policy of an origin in one to three English sentences: the outage, its effect, and until when it applies.
 *
 * @param formatTime - formats a time. @defaultValue ISO 8601 in UTC
 * @example
 * describeOriginPolicy({ policy, outage: { since: Date.UTC(2026, 10, 1), message: 'status 503' } });
 * // 'robots.txt is unreachable since 2026-11-01T00:00:00.000Z (status 503). All URLs are disallowed.'
 */
export function describeOriginPolicy(
  { policy, outage, nextPhaseAt = null }: DescribedPolicy,
  formatTime: (time: number) => string = (time) => new Date(time).toISOString(),
): string {
  if (outage === null) return describePolicy(policy);
  const since = outage.since === null ? '' : ` since ${formatTime(outage.since)}`;
  const message = outage.message === null ? '' : ` (${outage.message})`;
  const until = nextPhaseAt === null ? '' : ` until ${formatTime(nextPhaseAt)}, if the outage continues`;
  return `robots.txt is unreachable${since}${message}. ${describeEffect(policy)}${until}.`;
}

/** Describes the effect of a policy during an outage, as a sentence without a full stop. */
export function describeEffect(policy: PolicySummary): string {
  switch (getPolicyCode(policy)) {
    case 'rules':
      return 'The rules of the last response still apply';
    case 'unavailable':
      return 'The site has no robots.txt, so all URLs are allowed';
    case 'unreachable':
      return 'All URLs are disallowed';
    case 'outage-expired':
      return 'The outage policy allows all URLs';
    case 'unknown':
      return 'It is not known whether the site is otherwise reachable, so all URLs are disallowed';
  }
}
