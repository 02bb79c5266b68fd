/**
 * Linting: everything that is odd in a robots.txt, and what of it can be mended without changing a verdict.
 *
 * @module
 */
import { toByteString, toBytes } from '../bytes/byte-string.ts';
import { diagnose } from '../model/diagnostics.ts';
import { parse } from '../model/parse.ts';
import { getSource, type RobotsTxt } from '../model/robots-txt.ts';
import { Budget, type ProofOptions } from '../proofs/automata/budget.ts';
import { Original } from '../proofs/original.ts';
import { findRedundantRules, type RedundantRule } from '../proofs/redundant-rules.ts';
import { ALLOW, DISALLOW, SITEMAP, USER_AGENT } from '../syntax/fields.ts';
import type { RobotsRecord } from '../syntax/record.ts';
import type { Scanner } from '../syntax/scanner.ts';
import { type Finding, type Fix, findingAt, findingOf } from './finding.ts';
import { lintGroups } from './groups.ts';
import { lintPatterns } from './patterns.ts';
import { isKnownField, lintRecords } from './records.ts';

/**
 * Everything that is odd, in the order of the file. Some findings come with a fix.
 *
 * @param options - what the proofs may take together.
 */
export function lint(robots: RobotsTxt, options: ProofOptions = {}): Finding[] {
  const records = new Map(robots.records().map((record) => [record.line, record]));
  const fixes = new Map(fixesOf(robots).map((fix) => [fix.line, fix]));
  const comments = commentsOf(robots);
  const known = diagnose(robots)
    // Of these more is told below.
    .filter(({ code, data }) => code !== 'unknown-field' || !isKnownField(String(data['field'])))
    .map((diagnostic) => withFix(findingOf(diagnostic), FIXED_BY_SPELLING.has(diagnostic.code), fixes));
  const reported = new Set(
    known.filter(({ code }) => code === 'pattern-without-slash').map(({ line }) => line),
  );
  const own = [...lintGroups(robots), ...lintPatterns(robots), ...lintRecords(robots)];
  for (const { code, line } of own) if (code === 'character-never-in-url') reported.add(line);
  const { rules, undecided } = findRedundantRules(robots, options);
  const getRecord = (line: number): RobotsRecord => records.get(line) as RobotsRecord;
  const redundant = rules
    .filter(({ line }) => !reported.has(line))
    .map((rule) => createRedundancyFinding(rule, getRecord(rule.line), comments.get(rule.line) ?? null));
  const open = undecided.filter((line) => !reported.has(line));
  const [firstOpen] = open;
  if (firstOpen !== undefined) {
    const data = { count: open.length, lines: listLines(open) };
    redundant.push(findingAt('rule-undecided', getRecord(firstOpen), data));
  }
  return [...known, ...own, ...redundant].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** This many lines are listed; of the rest the number. */
const MAX_LISTED = 5;

/** Line numbers as text: `line 3`, `lines 3 and 7`, `lines 1, 2, 3, 4, 5 and 12 more`. */
function listLines(lines: readonly number[]): string {
  const rest = lines.length - MAX_LISTED;
  const names = lines.slice(0, MAX_LISTED).map(String);
  if (rest > 0) names.push(`${rest} more`);
  const last = names.pop() as string;
  return names.length === 0 ? `line ${last}` : `lines ${names.join(', ')} and ${last}`;
}

/** What a clean spelling of the line mends. */
const FIXED_BY_SPELLING: ReadonlySet<string> = new Set([
  'missing-colon',
  'misspelt-field',
  'surplus-in-field',
]);

function withFix(finding: Finding, isFixed: boolean, fixes: ReadonlyMap<number, Fix>): Finding {
  const fix = fixes.get(finding.line);
  return isFixed && fix !== undefined ? { ...finding, fix } : finding;
}

/** A rule that can go; a comment on its line stays. */
function createRedundancyFinding(rule: RedundantRule, record: RobotsRecord, comment: string | null): Finding {
  const { line, reason, by, together } = rule;
  const known = by.length === 1 ? `line ${by[0]}` : `lines ${by.join(', ')}`;
  const lines = by.length === 0 ? 'other rules' : known;
  const code = {
    'no-path': 'rule-matches-nothing',
    covered: 'rule-covered',
    default: 'rule-repeats-default',
  } as const;
  const others = together === null ? 'other redundant rules' : listLines(together);
  const data = { by: lines, ...(together?.length !== 0 && { together: others }) };
  return { ...findingAt(code[reason], record, data), fix: { line, becomes: comment } };
}

const SPELLINGS: Readonly<Record<number, string>> = {
  [USER_AGENT]: 'User-agent',
  [ALLOW]: 'Allow',
  [DISALLOW]: 'Disallow',
  [SITEMAP]: 'Sitemap',
};

/** For each line whose field is not in its standard form, the same line with it. */
function fixesOf(robots: RobotsTxt): Fix[] {
  const fixes: Fix[] = [];
  for (const scanner = getSource(robots).scan(); scanner.next(); ) {
    const spelling = SPELLINGS[scanner.kind];
    if (spelling === undefined) continue;
    const value = latin1(scanner, scanner.valueStart, scanner.valueEnd);
    const comment = latin1(scanner, scanner.commentStart, scanner.contentEnd);
    fixes.push({
      line: scanner.line,
      becomes: `${spelling}: ${value}${comment === '' ? '' : ` ${comment}`}`.trimEnd(),
    });
  }
  return fixes;
}

/** The comments of lines, as byte strings. */
function commentsOf(robots: RobotsTxt): Map<number, string> {
  const comments = new Map<number, string>();
  for (const scanner = getSource(robots).scan(); scanner.next(); ) {
    const comment = latin1(scanner, scanner.commentStart, scanner.contentEnd);
    if (comment !== '') comments.set(scanner.line, comment);
  }
  return comments;
}

function latin1({ bytes }: Scanner, start: number, end: number): string {
  return toByteString(bytes, start, end);
}

/** A mended file. */
export interface Fixed {
  readonly bytes: Uint8Array;
  /** The findings that are mended. */
  readonly fixed: readonly Finding[];
}

/**
 * Mends what can be mended without changing a verdict, which is proved: where it cannot be, nothing is changed.
 *
 * @param options - what the proof may take.
 */
export function fix(robots: RobotsTxt, findings: readonly Finding[], options: ProofOptions = {}): Fixed {
  const fixable = findings.filter((finding) => finding.fix !== undefined);
  const bytes = apply(robots, new Map(fixable.map(({ fix: each }) => [(each as Fix).line, each as Fix])));
  const { profile, maxBytes } = robots;
  const reading = { profile, maxBytes };
  const budget = Budget.from(options);
  const isSame = budget.within(1, () =>
    new Original(parse(robots.bytes, reading), budget).isEquivalent(parse(bytes, reading)),
  );
  return isSame === true ? { bytes, fixed: fixable } : { bytes: robots.bytes, fixed: [] };
}

/** The file with some lines changed. A rule that goes leaves an empty one behind where its group would have none. */
function apply(robots: RobotsTxt, fixes: ReadonlyMap<number, Fix>): Uint8Array {
  const emptied = new Set<number>();
  for (const { rules } of robots.groups()) {
    const [first] = rules;
    if (first !== undefined && rules.every(({ line }) => removesRule(fixes.get(line))))
      emptied.add(first.line);
  }
  const scanner = getSource(robots).scan();
  const { bytes } = scanner;
  const content = toByteString(bytes, 0, bytes.length);
  const parts: string[] = [];
  let kept = 0;
  while (scanner.next()) {
    const { line, lineStart, lineEnd } = scanner;
    const change = fixes.get(line);
    const end = lineEndAfter(bytes, lineEnd);
    if (change !== undefined) {
      const empty = emptied.has(line) ? 'Disallow:' : null;
      const becomes = empty === null ? change.becomes : [empty, change.becomes ?? ''].join(' ').trimEnd();
      parts.push(content.slice(kept, lineStart), becomes ?? '');
      kept = becomes === null ? end : lineEnd;
    }
  }
  parts.push(content.slice(kept));
  return toBytes(parts.join(''));
}

function removesRule(change: Fix | undefined): boolean {
  return change !== undefined && (change.becomes === null || change.becomes.startsWith('#'));
}

function lineEndAfter(bytes: Uint8Array, at: number): number {
  return bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? at + 2 : Math.min(at + 1, bytes.length);
}
