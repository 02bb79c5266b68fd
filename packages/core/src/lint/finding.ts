/**
 * Findings of the linter: codes, severities and messages. Each code has a page in docs/rules.
 *
 * @module
 */
import { type Diagnostic, type DiagnosticCode, SEVERITIES, type Severity } from '../model/diagnostics.ts';
import { describeDiagnostic } from '../model/messages.ts';
import type { RobotsRecord } from '../syntax/record.ts';

type Data = Readonly<Record<string, string | number>>;

/** Codes that only the linter reports, besides those of the diagnostics. */
type LintCode =
  | 'group-without-rules'
  | 'groups-run-together'
  | 'same-agent-again'
  | 'misspelt-agent'
  | 'character-never-in-url'
  | 'escaped-twice'
  | 'dollar-inside'
  | 'star-at-end'
  | 'allow-and-disallow-alike'
  | 'rule-matches-nothing'
  | 'rule-covered'
  | 'rule-repeats-default'
  | 'rule-undecided'
  | 'everything-blocked'
  | 'style-or-script-blocked'
  | 'sitemap-not-absolute'
  | 'sitemap-not-public'
  | 'record-read-by-some'
  | 'record-read-by-nobody';

const LINT_SEVERITIES: Readonly<Record<LintCode, Severity>> = {
  'group-without-rules': 'warning',
  'groups-run-together': 'error',
  'same-agent-again': 'info',
  'misspelt-agent': 'warning',
  'character-never-in-url': 'error',
  'escaped-twice': 'warning',
  'dollar-inside': 'warning',
  'star-at-end': 'info',
  'allow-and-disallow-alike': 'warning',
  'rule-matches-nothing': 'warning',
  'rule-covered': 'info',
  'rule-repeats-default': 'info',
  'rule-undecided': 'info',
  'everything-blocked': 'warning',
  'style-or-script-blocked': 'warning',
  'sitemap-not-absolute': 'error',
  'sitemap-not-public': 'warning',
  'record-read-by-some': 'info',
  'record-read-by-nobody': 'warning',
};

/** The code of a finding. */
export type FindingCode = DiagnosticCode | LintCode;

/** All codes with their severities. */
export const FINDING_SEVERITIES: Readonly<Record<FindingCode, Severity>> = {
  ...SEVERITIES,
  ...LINT_SEVERITIES,
};

const MESSAGES: Readonly<Record<LintCode, (data: Data) => string>> = {
  'group-without-rules': () =>
    'This group has no rules, so its crawlers may fetch everything unless another group names them.',
  'groups-run-together': ({ agent, field }) =>
    `"${field}" does not end a group: the rules below apply to ${agent} too.`,
  'same-agent-again': ({ agent, line }) =>
    `${agent} already has a group on line ${line}; crawlers combine both groups.`,
  'misspelt-agent': ({ agent, suggestion }) =>
    `No known crawler is named ${agent}. Did you mean ${suggestion}?`,
  'character-never-in-url': ({ char, escaped }) =>
    `"${char}" is always percent-encoded in requests, so this rule matches nothing; write ${escaped}.`,
  'escaped-twice': ({ text }) => `"${text}" is percent-encoded twice.`,
  'dollar-inside': () =>
    '"$" matches the end of the URL only at the end of a pattern; here it is an ordinary character.',
  'star-at-end': () =>
    'A "*" at the end matches no additional URLs; it only gives the rule a higher priority.',
  'allow-and-disallow-alike': ({ line }) =>
    `Line ${line} has the same pattern with the opposite verdict: allow wins.`,
  'rule-matches-nothing': () => 'No URL that can be requested matches this rule.',
  'rule-covered': ({ by, together }) =>
    `${describeRemoval(together)}: ${by} already ${String(by).startsWith('line ') ? 'gives' : 'give'} the same verdict for every URL that it matches.`,
  'rule-repeats-default': ({ together }) =>
    `${describeRemoval(together)}: the URLs that it matches get the same verdict from other rules or by default.`,
  'rule-undecided': ({ count, lines }) =>
    `Could not determine whether ${count === 1 ? 'this rule is' : `${count} rules are`} redundant (${lines}): the proof exceeds its budget.`,
  'everything-blocked': () => 'Crawlers without a group of their own may not fetch any URL.',
  'style-or-script-blocked': () => 'Googlebot needs style sheets and scripts to render pages.',
  'sitemap-not-absolute': ({ value }) => `"${value}" is not an absolute http or https URL.`,
  'sitemap-not-public': ({ host }) =>
    host === undefined
      ? 'The URL contains a user name or password, which anyone can read; crawlers are not known to send credentials.'
      : `"${host}" cannot be reached from the public Internet.`,
  'record-read-by-some': ({ field, support }) => `"${field}": ${support}.`,
  'record-read-by-nobody': ({ field }) => `No major search engine supports "${field}" in robots.txt.`,
};

/** Describes whether a redundant rule can be removed alone or only together with others. */
function describeRemoval(together: string | number | undefined): string {
  return together === undefined ? 'Redundant' : `Redundant together with ${together}`;
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
  { line, valueColumn, text }: RobotsRecord,
  data: Data = {},
  offset = 0,
  length: number = text.length - offset,
): Finding {
  const message = MESSAGES[code](data);
  return { code, severity: LINT_SEVERITIES[code], line, column: valueColumn + offset, length, message };
}
