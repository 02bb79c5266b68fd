/**
 * Findings of the linter: codes, severities and messages. Each code has a page in docs/rules.
 *
 * @module
 */
import { freezeDeep } from '../bytes/freeze.ts';
import { type Diagnostic, type DiagnosticCode, SEVERITIES, type Severity } from '../model/diagnostics.ts';
import { describeDiagnostic } from '../model/messages.ts';
import type { RobotsRecord } from '../syntax/record.ts';
import {
  PREFERENCE_MESSAGES,
  PREFERENCE_SEVERITIES,
  type PreferenceFindingCode,
} from './preferences/codes.ts';

type Data = Readonly<Record<string, string | number>>;

/** Codes that only the linter reports, besides those of the diagnostics. */
type LintCode =
  | PreferenceFindingCode
  | 'group-without-rules'
  | 'merged-groups'
  | 'repeated-agent'
  | 'misspelled-user-agent'
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
  | 'unsupported-record';

const LINT_SEVERITIES: Readonly<Record<LintCode, Severity>> = {
  'group-without-rules': 'warning',
  'merged-groups': 'error',
  'repeated-agent': 'info',
  'misspelled-user-agent': 'warning',
  'unencoded-character': 'error',
  'double-encoding': 'warning',
  'dollar-not-at-end': 'warning',
  'trailing-star': 'info',
  'conflicting-rules': 'warning',
  'unreachable-rule': 'warning',
  'redundant-rule': 'info',
  'redundant-rule-by-default': 'info',
  'rule-undecided': 'info',
  'everything-blocked': 'warning',
  'style-or-script-blocked': 'warning',
  'sitemap-not-absolute': 'error',
  'sitemap-not-public': 'warning',
  'partially-supported-record': 'info',
  'unsupported-record': 'warning',
  ...PREFERENCE_SEVERITIES,
};

/** The code of a finding. */
export type FindingCode = DiagnosticCode | LintCode;

/** All codes with their severities. */
export const FINDING_SEVERITIES: Readonly<Record<FindingCode, Severity>> = /* @__PURE__ */ freezeDeep({
  ...SEVERITIES,
  ...LINT_SEVERITIES,
});

const MESSAGES: Readonly<Record<LintCode, (data: Data) => string>> = {
  'group-without-rules': () =>
    'This group has no rules, so its crawlers may fetch everything unless another group names them.',
  'merged-groups': ({ agent, field }) =>
    `"${field}" does not end a group: the rules below apply to ${agent} too.`,
  'repeated-agent': ({ agent, line }) =>
    `${agent} already has a group on line ${line}; crawlers combine both groups.`,
  'misspelled-user-agent': ({ agent, suggestion }) =>
    `No known crawler is named ${agent}. Did you mean ${suggestion}?`,
  'unencoded-character': ({ char, escaped }) =>
    `"${char}" is always percent-encoded in requests, so this rule matches nothing; write ${escaped}.`,
  'double-encoding': ({ text }) => `"${text}" is percent-encoded twice.`,
  'dollar-not-at-end': () =>
    '"$" matches the end of the URL only at the end of a pattern; here it is an ordinary character.',
  'trailing-star': () =>
    'A "*" at the end matches no additional URLs; it only gives the rule a higher priority.',
  'conflicting-rules': ({ line }) =>
    `Line ${line} has the same pattern with the opposite verdict: allow wins.`,
  'unreachable-rule': ({ allowedPath }) =>
    allowedPath === undefined
      ? 'No URL that can be requested matches this rule.'
      : `Of all URLs, this rule matches only ${allowedPath}, which crawlers may always fetch (RFC 9309).`,
  'redundant-rule': ({ by, removeTogetherWith }) =>
    `${describeRemoval(removeTogetherWith)}: ${by} already ${String(by).startsWith('line ') ? 'gives' : 'give'} the same verdict for every URL that it matches.`,
  'redundant-rule-by-default': ({ removeTogetherWith }) =>
    `${describeRemoval(removeTogetherWith)}: the URLs that it matches get the same verdict from other rules or by default.`,
  'rule-undecided': ({ count, lines }) =>
    `Could not determine whether ${count === 1 ? 'this rule is' : `${count} rules are`} redundant (${lines}): the proof exceeds its budget.`,
  'everything-blocked': () => 'Crawlers without a group of their own may not fetch any URL.',
  'style-or-script-blocked': () => 'Googlebot needs style sheets and scripts to render pages.',
  'sitemap-not-absolute': ({ value }) => `"${value}" is not an absolute http or https URL.`,
  'sitemap-not-public': ({ host }) =>
    host === undefined
      ? 'The URL contains a user name or password, which anyone can read; crawlers are not known to send credentials.'
      : `"${host}" cannot be reached from the public Internet.`,
  'partially-supported-record': ({ field, support }) => `"${field}": ${support}.`,
  'unsupported-record': ({ field }) => `No major search engine supports "${field}" in robots.txt.`,
  ...PREFERENCE_MESSAGES,
};

/** Describes whether a redundant rule can be removed alone or only together with others. */
function describeRemoval(removeTogetherWith: string | number | undefined): string {
  return removeTogetherWith === undefined ? 'Redundant' : `Redundant together with ${removeTogetherWith}`;
}

/** A replacement of one line. */
export interface Fix {
  /** Line number, from 1. */
  readonly line: number;
  /** The new line as a byte string without line end, or `null` to delete the line. */
  readonly replacement: string | null;
}

/** One finding. Columns and lengths count UTF-16 code units; lines and columns start at 1. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly line: number;
  readonly column: number;
  readonly length: number;
  /** One or two sentences in English. */
  readonly message: string;
  /** A change that resolves the finding and changes no verdict. */
  readonly fix?: Fix;
}

/** Converts a diagnostic. */
export function toFinding(diagnostic: Diagnostic): Finding {
  const { code, severity, line, column, length } = diagnostic;
  return { code, severity, line, column, length, message: describeDiagnostic(diagnostic) };
}

/**
 * Creates a finding about the value of a record, or about a part of it.
 *
 * @param offset - start of the part in the value.
 * @param length - length of the part.
 */
export function createFinding(
  code: LintCode,
  { line, valueColumn, text }: Pick<RobotsRecord, 'line' | 'valueColumn' | 'text'>,
  data: Data = {},
  offset = 0,
  length: number = text.length - offset,
): Finding {
  const message = MESSAGES[code](data);
  return { code, severity: LINT_SEVERITIES[code], line, column: valueColumn + offset, length, message };
}
