// The kinds of findings that only the linter reports: one record for each code, with its severity and its prose. Each code has a page in
// docs/rules.
import { freezeDeep } from '../bytes/freeze.ts';
import {
  DIAGNOSTIC_KINDS,
  type DiagnosticCode,
  error,
  type FindingKind,
  info,
  type Severity,
  warning,
} from '../model/diagnostics/diagnostic-kinds.ts';

/** Codes that only the linter reports, besides those of the diagnostics. */
export type LintCode =
  | 'group-without-rules'
  | 'merged-groups'
  | 'repeated-agent'
  | 'misspelled-user-agent'
  | 'unknown-usage-token'
  | 'unencoded-character'
  | 'double-encoding'
  | 'dollar-not-at-end'
  | 'trailing-star'
  | 'conflicting-rules'
  | 'unreachable-rule'
  | 'redundant-rule'
  | 'redundant-rule-by-default'
  | 'rule-undecided'
  | 'everything-blocked'
  | 'style-or-script-blocked'
  | 'sitemap-not-absolute'
  | 'sitemap-not-public'
  | 'partially-supported-record'
  | 'unsupported-record'
  // Content-Usage and Content-Signal. None is an error: a declaration changes no verdict.
  | 'preference-before-group'
  | 'preference-between-user-agents'
  | 'preference-after-last-group'
  | 'preference-missing-in-own-group'
  | 'use-without-crawl'
  | 'conflicting-preferences'
  | 'managed-block-conflict'
  | 'licence-comment-only'
  | 'invalid-preference'
  | 'unknown-preference-label'
  | 'old-preference-label'
  | 'unknown-preference-value';

export const LINT_KINDS: Readonly<Record<LintCode, FindingKind>> = {
  'group-without-rules': warning(
    () => 'This group has no rules, so its crawlers may fetch everything unless another group names them.',
  ),
  'merged-groups': error(
    ({ agent, field }) => `"${field}" does not end a group: the rules below apply to ${agent} too.`,
  ),
  'repeated-agent': info(
    ({ agent, line }) => `${agent} already has a group on line ${line}; crawlers combine both groups.`,
  ),
  'misspelled-user-agent': warning(
    ({ agent, suggestion }) => `No known crawler is named ${agent}. Did you mean ${suggestion}?`,
  ),
  'unknown-usage-token': warning(
    ({ agent, known }) =>
      `"${agent}" is no known token of a preference, so this group states nothing. The only proposed token is "${known}".`,
  ),
  'unencoded-character': error(
    ({ char, escaped }) =>
      `"${char}" is always percent-encoded in requests, so this rule matches nothing; write ${escaped}.`,
  ),
  'double-encoding': warning(({ text }) => `"${text}" is percent-encoded twice.`),
  'dollar-not-at-end': warning(
    () => '"$" matches the end of the URL only at the end of a pattern; here it is an ordinary character.',
  ),
  'trailing-star': info(
    () => 'A "*" at the end matches no additional URLs; it only gives the rule a higher priority.',
  ),
  'conflicting-rules': warning(
    ({ line }) => `Line ${line} has the same pattern with the opposite verdict: allow wins.`,
  ),
  'unreachable-rule': warning(({ allowedPath }) =>
    allowedPath === undefined
      ? 'No URL that can be requested matches this rule.'
      : `Of all URLs, this rule matches only ${allowedPath}, which crawlers may always fetch (RFC 9309).`,
  ),
  'redundant-rule': info(
    ({ by, removeTogetherWith }) =>
      `${describeRemoval(removeTogetherWith)}: ${by} already ${String(by).startsWith('line ') ? 'gives' : 'give'} the same verdict for every URL that it matches.`,
  ),
  'redundant-rule-by-default': info(
    ({ removeTogetherWith }) =>
      `${describeRemoval(removeTogetherWith)}: the URLs that it matches get the same verdict from other rules or by default.`,
  ),
  'rule-undecided': info(
    ({ count, lines }) =>
      `Could not determine whether ${count === 1 ? 'this rule is' : `${count} rules are`} redundant (${lines}): the proof exceeds its budget.`,
  ),
  'everything-blocked': warning(() => 'Crawlers without a group of their own may not fetch any URL.'),
  'style-or-script-blocked': warning(() => 'Googlebot needs style sheets and scripts to render pages.'),
  'sitemap-not-absolute': error(({ value }) => `"${value}" is not an absolute http or https URL.`),
  'sitemap-not-public': warning(({ host }) =>
    host === undefined
      ? 'The URL contains a user name or password, which anyone can read; crawlers are not known to send credentials.'
      : `"${host}" cannot be reached from the public Internet.`,
  ),
  'partially-supported-record': info(({ field, support }) => `"${field}": ${support}.`),
  'unsupported-record': warning(({ field }) => `No major search engine supports "${field}" in robots.txt.`),
  'preference-before-group': warning(
    ({ field, except }) =>
      `This ${field} is above the first user-agent line. Read by group, it reaches no crawler; read for the whole site, it reaches every crawler${except === undefined ? '' : ` except ${except}, which have declarations of their own`}. Move it below "User-agent: *".`,
  ),
  'preference-between-user-agents': warning(
    ({ field, agent }) =>
      `The AIPREF draft ends the group above at this ${field}; crawlers that do not know the field do not, and apply the rules below to ${agent} too.`,
  ),
  'preference-after-last-group': warning(
    ({ field, agents }) =>
      `This ${field} belongs to the group for ${agents}, because blank lines and comments do not end a group, and reaches no other crawler, whether it is read by group or for the whole site. If it is for all crawlers, move it below "User-agent: *".`,
  ),
  'preference-missing-in-own-group': warning(
    ({ agents, lines }) =>
      `The preferences for "*" (${lines}) do not reach ${agents} if they are read by group: a crawler reads only its own group if it has one. Read for the whole site, they do. Repeat them here.`,
  ),
  'use-without-crawl': warning(
    ({ purposes, rule }) =>
      `This line allows ${purposes}, but line ${rule} forbids these crawlers to fetch any URL: a preference has no effect on content that may not be fetched.`,
  ),
  'conflicting-preferences': warning(
    ({ verb, purposes, line, field, opposite }) =>
      `This line ${verb} ${purposes}, and line ${line} (${field}) ${opposite} it for the same crawlers and paths. maycrawl counts the refusal, as the AIPREF draft does; other readers do not document which line counts.`,
  ),
  'managed-block-conflict': warning(
    ({ agent, vendor, lines, effect }) =>
      `The block that ${vendor} manages (${lines}) has a group for ${agent}, too, and crawlers combine both groups: ${effect}.`,
  ),
  'licence-comment-only': info(
    () =>
      'This comment explains content signals, but the file has no Content-Signal line: it declares no preference.',
  ),
  'invalid-preference': warning(({ field, reason }) => `This ${field} declares nothing: ${reason}.`),
  'unknown-preference-label': warning(
    ({ field, labels, instead }) =>
      `${field} has no label ${labels}, so it declares nothing with it. ${instead}.`,
  ),
  'old-preference-label': info(
    ({ labels, instead }) =>
      `Only old AIPREF drafts define ${labels}; readers of the current draft ignore it. ${instead}.`,
  ),
  'unknown-preference-value': warning(
    ({ field, members, instead }) =>
      `${field} does not define the value in ${members}, so it declares nothing with it. Write ${instead}.`,
  ),
};

/** The code of a finding. */
export type FindingCode = DiagnosticCode | LintCode;

/** All codes with their severities. */
export const FINDING_SEVERITIES: Readonly<Record<FindingCode, Severity>> = /* @__PURE__ */ listSeverities();

function listSeverities(): Readonly<Record<FindingCode, Severity>> {
  const kinds = Object.entries({ ...DIAGNOSTIC_KINDS, ...LINT_KINDS });
  const severities = kinds.map(([code, { severity }]) => [code, severity]);
  return freezeDeep(Object.fromEntries(severities) as Record<FindingCode, Severity>);
}

/** Describes whether a redundant rule can be removed alone or only together with others. */
function describeRemoval(removeTogetherWith: string | number | undefined): string {
  return removeTogetherWith === undefined ? 'Redundant' : `Redundant together with ${removeTogetherWith}`;
}
