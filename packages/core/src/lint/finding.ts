/**
 * Findings of the linter: codes, how badly each hurts, and what it says. Each code has a page in docs/rules.
 *
 * @module
 */
import { type Diagnostic, type DiagnosticCode, SEVERITIES, type Severity } from '../model/diagnostics.ts';
import { describeDiagnostic } from '../model/messages.ts';
import type { RobotsRecord } from '../syntax/record.ts';

type Data = Readonly<Record<string, string | number>>;

/** What the linter finds beside the diagnostics. */
type OwnCode =
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

/** How badly each hurts. */
const OWN: Readonly<Record<OwnCode, Severity>> = {
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

export type FindingCode = DiagnosticCode | OwnCode;

/** All codes, with how badly each hurts. */
export const FINDINGS: Readonly<Record<FindingCode, Severity>> = { ...SEVERITIES, ...OWN };

const DESCRIPTIONS: Readonly<Record<OwnCode, (data: Data) => string>> = {
  'group-without-rules': () =>
    'This group has no rules: its crawlers may fetch everything, whatever other groups say.',
  'groups-run-together': ({ agent, field }) =>
    `"${field}" does not end a group: the rules below count for ${agent} as well.`,
  'same-agent-again': ({ agent, line }) =>
    `${agent} is named on line ${line} already; both groups are read as one.`,
  'misspelt-agent': ({ agent, meant }) => `No known crawler is called ${agent}. Is ${meant} meant?`,
  'character-never-in-url': ({ char, escaped }) =>
    `"${char}" never stands in a request as it is, so this matches nothing; write ${escaped}.`,
  'escaped-twice': ({ text }) => `"${text}" is an escape that was escaped again.`,
  'dollar-inside': () =>
    'Only at the end does "$" mean the end of the URL; here it is an ordinary character.',
  'star-at-end': () =>
    'A "*" at the end matches nothing more; it only makes the rule longer, and so stronger.',
  'allow-and-disallow-alike': ({ line }) =>
    `The same pattern is on line ${line} with the opposite: allow wins.`,
  'rule-matches-nothing': () => 'No URL that can be requested matches this.',
  'rule-covered': ({ by, together }) =>
    `${describeRemoval(together)}: wherever it matches, ${by} decide${String(by).startsWith('line ') ? 's' : ''} alike.`,
  'rule-repeats-default': ({ together }) =>
    `${describeRemoval(together)}: what it matches is allowed with it and without it.`,
  'rule-undecided': ({ count, lines }) =>
    `It was not decided whether ${count === 1 ? 'this rule is' : `${count} rules are`} redundant (${lines}): the proof takes too many steps.`,
  'everything-blocked': () => 'No crawler that is not named may fetch anything.',
  'style-or-script-blocked': () => 'Googlebot needs style sheets and scripts to see pages as people do.',
  'sitemap-not-absolute': ({ value }) => `"${value}" is no absolute http or https URL.`,
  'sitemap-not-public': ({ host }) =>
    host === undefined
      ? 'Everybody can read the user name or password in it; crawlers are not known to send any.'
      : `Only from some networks, or from nowhere, can "${host}" be reached.`,
  'record-read-by-some': ({ field, who }) => `"${field}" is read by ${who}.`,
  'record-read-by-nobody': ({ field }) => `No large search engine reads "${field}" here.`,
};

/** How a redundant rule can go: alone, or together with others. */
function describeRemoval(together: string | number | undefined): string {
  return together === undefined ? 'It can go' : `It is redundant together with ${together}`;
}

/** A change of one line: what it becomes as a byte string without its line end, or `null` if it goes. */
export interface Fix {
  readonly line: number;
  readonly becomes: string | null;
}

/** One finding. Columns and lengths count UTF-16 code units; columns start at 1. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly message: string;
  /** A change that mends it and changes no verdict. */
  readonly fix?: Fix;
}

/** A diagnostic as a finding. */
export function findingOf(diagnostic: Diagnostic): Finding {
  const { code, severity, line, column, length } = diagnostic;
  return { code, severity, line, column, length, message: describeDiagnostic(diagnostic) };
}

/** A finding about the value of a record, or about `length` characters of it from `offset` on. */
export function findingAt(
  code: OwnCode,
  { line, valueColumn, text }: RobotsRecord,
  data: Data = {},
  offset = 0,
  length: number = text.length - offset,
): Finding {
  const message = DESCRIPTIONS[code](data);
  return { code, severity: OWN[code], line, column: valueColumn + offset, length, message };
}
