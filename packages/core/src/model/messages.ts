/**
 * The prose of diagnostics and verdicts, for terminal, pages and reports. Messages quote the file without escaping: escape them for the
 * output format.
 *
 * @module
 */

import type { OutOfScopeReason } from '../matching/target.ts';
import type { Diagnostic, DiagnosticCode } from './diagnostics.ts';
import { getPolicyCode, type PolicyCode, type PolicySummary } from './robots-policy.ts';
import type { Allowed, DecisionReason, Disallowed, GroupSelection, Match, Verdict } from './verdict.ts';

type Data = Diagnostic['data'];

const DESCRIPTIONS: Readonly<Record<DiagnosticCode, (data: Data) => string>> = {
  'file-too-large': ({ limit }) => `The file is longer than ${limit} bytes. The rest is ignored.`,
  'rule-truncated': ({ truncated, written }) =>
    `The size limit truncates the rule "${written}" to "${truncated}".`,
  'byte-order-mark': () => 'The file starts with a byte order mark, which is skipped.',
  'partial-byte-order-mark': ({ bytes }) =>
    `The file starts with ${bytes} of the 3 bytes of a byte order mark, which are skipped.`,
  'html-content': ({ rules }) =>
    rules === 0
      ? 'The file is an HTML page, not a robots.txt. It has no rules, so crawlers may fetch every URL. Serve a robots.txt, or status 404 if the site has no robots.txt.'
      : `The file begins like an HTML page, not a robots.txt. Crawlers ignore its markup, but its rules (${rules}) apply.`,
  'invalid-utf8': () => 'The line is not valid UTF-8. Each byte from 0x80 on is matched as %XX.',
  'line-too-long': ({ ignoredBytes }) =>
    `The line is too long. Google ignores its last ${ignoredBytes} bytes.`,
  'nul-byte': ({ ignoredBytes }) =>
    `Google ignores the ${ignoredBytes} bytes from the NUL byte to the end of the line.`,
  'invalid-line': ({ text }) => `"${text}" does not have the form "field: value". The line is ignored.`,
  'empty-field-name': () => 'There is no field name before the colon. The line is ignored.',
  'missing-colon': ({ field }) =>
    `There is no colon after "${field}". Google accepts the white space instead; other crawlers may ignore the line.`,
  'misspelled-field-name': ({ field, accepted }) =>
    `"${field}" is a misspelling that Google reads as "${accepted}"; other crawlers may ignore the line.`,
  'field-name-suffix': ({ field, accepted }) =>
    isAiField(String(field))
      ? `Google reads "${field}" as "${accepted}", which it starts with: for Google the line is about crawling, not only about AI. No large operator is known to support "${field}".`
      : `Google reads "${field}" as "${accepted}", which it starts with; other crawlers may ignore the line.`,
  'unknown-field': ({ field }) =>
    `"${field}" is not part of the Robots Exclusion Protocol, and does not affect decisions.`,
  'rule-before-group': () => 'The rule precedes the first user-agent line, so it applies to no crawler.',
  'invalid-product-token': ({ value }) =>
    `"${value}" names no crawler: a product token contains only letters, "_" and "-".`,
  'text-after-product-token': ({ value, token }) =>
    `Google reads only "${token}" of "${value}"; other crawlers may compare the whole value.`,
  'extended-token': ({ value, token }) =>
    `Google reads ${token === '' ? 'no name' : `only "${token}"`} here: product tokens contain only letters, "_" and "-". A crawler that is named "${value}" is expected to compare the whole name.`,
  'pattern-without-slash': ({ pattern }) =>
    `"${pattern}" starts with neither "/" nor "*", so it matches no URL.`,
  'url-as-pattern': ({ pattern, path }) =>
    `"${pattern}" is a full URL, so it matches nothing: a pattern is a path of this site. Write "${path}".`,
};

/** Describes a diagnostic in one or two English sentences. */
export function describeDiagnostic({ code, data }: Diagnostic): string {
  return DESCRIPTIONS[code](data);
}

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

/** Whether a field that begins with `Allow` or `Disallow` is about AI, such as `DisallowAITraining` (draft-canel-robots-ai-control-00). */
export function isAiField(field: string): boolean {
  return /^(?:dis)?allow[-_]?(?:ai|genai|llm|train)/i.test(field);
}
