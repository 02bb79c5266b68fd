// The prose of verdicts and policies, for terminal, pages and reports. Messages quote the file without escaping: escape them for the
// output format.

import type { OutOfScopeReason } from '../matching/target.ts';
import { getPolicyCode, type PolicyCode, type PolicySummary } from './robots-policy.ts';
import type { Allowed, DecisionReason, Disallowed, GroupSelection, Match, Verdict } from './verdict.ts';

const OUT_OF_SCOPE: Readonly<Record<OutOfScopeReason, string>> = {
  'invalid-url': 'The URL is neither an absolute URL nor a path that begins with a single slash.',
  'unsupported-scheme': 'Only http, https and ftp URLs have a robots.txt.',
  'other-origin': 'The robots.txt applies only to URLs with its own scheme, host and port.',
  'invalid-robots-txt-url': 'A robots.txt is only valid at the path /robots.txt.',
};

const POLICIES: Readonly<Record<PolicyCode, string>> = {
  rules: 'The rules of the robots.txt apply.',
  unavailable: 'The site has no robots.txt, so all URLs are allowed.',
  unreachable: 'The robots.txt could not be fetched, so all URLs are disallowed until it is available again.',
  'outage-expired': 'The robots.txt is unreachable, and the outage policy allows all URLs after this time.',
  unknown: 'It is not known whether the robots.txt allows URLs, so all are disallowed.',
};

/** Describes what robots.txt means for an origin, in one English sentence. */
export function describePolicy(policy: PolicySummary): string {
  return POLICIES[getPolicyCode(policy)];
}

/** Explains a verdict in a few English sentences: the decision, the group, the deciding rule, and the best rule that lost. */
export function explainVerdict(verdict: Verdict): string {
  if (verdict.kind === 'out-of-scope') return `No verdict. ${OUT_OF_SCOPE[verdict.reason]}`;
  return [
    verdict.allowed ? 'Allowed.' : 'Disallowed.',
    describeGroup(verdict.group, verdict.reason),
    describeReason(verdict),
    describeOverriddenMatch(verdict),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function describeGroup(group: GroupSelection, reason: DecisionReason): string {
  if (reason !== 'rule' && reason !== 'no-rule-matched' && reason !== 'no-group') return '';
  switch (group.kind) {
    case 'own':
      return `The group for ${group.tokens.join(', ')} applies.`;
    case 'fallback':
      return `No group names this crawler itself, so the group for ${group.tokens.join(', ')} applies.`;
    case 'global':
      return 'No group names this crawler, so the group for * applies.';
    case 'none':
      return 'No group applies to this crawler.';
  }
}

function describeReason({ reason, rule, pattern }: Allowed | Disallowed): string {
  switch (reason) {
    case 'rule': {
      if (rule === null || pattern === null) return '';
      if (pattern === '')
        return `Only the empty rule on line ${rule.line} matches. An empty rule disallows nothing.`;
      return `${describeMatch({ rule, pattern })}, is the longest matching rule.`;
    }
    case 'no-rule-matched':
      return 'None of its rules matches the URL.';
    case 'no-group':
      return '';
    case 'robots-txt':
      return 'RFC 9309 always allows /robots.txt.';
    case 'crawler-exempt':
      return 'This crawler ignores robots.txt.';
    case 'unavailable':
    case 'unreachable':
    case 'outage-expired':
      return POLICIES[reason];
  }
}

function describeOverriddenMatch({ pattern, overriddenMatch = null }: Allowed | Disallowed): string {
  if (!pattern || overriddenMatch === null) return '';
  const isTie = overriddenMatch.pattern.length === pattern.length;
  return `${describeMatch(overriddenMatch)}, also matches${isTie ? ' and is equally long, but allow takes precedence' : ', but is shorter'}.`;
}

function describeMatch({ rule, pattern }: Match): string {
  const written = `Line ${rule.line}, "${rule.kind === 'allow' ? 'Allow' : 'Disallow'}: ${rule.text}"`;
  return pattern === rule.value ? written : `${written}, applied as "${pattern}"`;
}
