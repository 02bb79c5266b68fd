// The linter, and fixes that are proved to change no verdict.
import { toByteString, toBytes } from '../bytes/byte-string.ts';
import { toComparedPattern } from '../bytes/percent-encoding.ts';
import { matchesPattern } from '../matching/pattern.ts';
import { diagnose, isPageWithoutRules } from '../model/diagnostics/diagnostics.ts';
import { formatLines } from '../model/diagnostics/format-lines.ts';
import { getSource, parse, type RobotsTxt } from '../model/robots-txt.ts';
import { Budget, type ProofOptions } from '../proofs/automata/budget.ts';
import { EquivalenceProver } from '../proofs/equivalence.ts';
import { findRedundantRules, type RedundantRule } from '../proofs/redundant-rules.ts';
import type { RobotsRecord } from '../syntax/record.ts';
import { createFinding, type Finding, type Fix, type LineEdit, toFinding } from './finding.ts';
import { lintGroups } from './groups.ts';
import { lintPatterns } from './patterns.ts';
import { lintPreferences } from './preferences/preferences.ts';
import { isKnownField, lintRecords } from './records.ts';
import { readSpellings, withSpelling } from './spelling.ts';

/**
 * Lints a robots.txt.
 *
 * @param options - limits of all proofs together.
 * @returns the findings in file order. Some have a fix.
 */
export function lint(robots: RobotsTxt, options: ProofOptions = {}): Finding[] {
  const budget = Budget.from('lint', options, {});
  const records = robots.records();
  const groups = robots.groups();
  const recordsByLine = new Map(records.map((record) => [record.line, record]));
  const comments = readComments(robots);
  const diagnostics = diagnose(robots);
  if (isPageWithoutRules(robots)) return diagnostics.map(toFinding);
  const spellings = readSpellings(robots, diagnostics);
  const diagnosed = diagnostics
    // `lintRecords` has a specific finding for these fields.
    .filter(({ code, data }) => code !== 'unknown-field' || !isKnownField(String(data['field'])))
    .map((diagnostic) => withSpelling(diagnostic, spellings.get(diagnostic.line)));
  const reported = new Set(
    diagnosed
      .filter(({ code }) => code === 'pattern-without-slash' || code === 'url-as-pattern')
      .map(({ line }) => line),
  );
  const spelled = new Map(
    diagnosed.flatMap((each) =>
      each.fix === undefined ? [] : [[each.fix.line, each.fix.replacement] as const],
    ),
  );
  const linted = [
    ...lintGroups(records, groups),
    ...lintPatterns(robots, groups),
    ...lintRecords(records),
    ...lintPreferences(robots, groups, spelled),
  ];
  for (const { code, line } of linted) if (code === 'unencoded-character') reported.add(line);
  const { rules, undecided } = findRedundantRules(robots, { budget });
  const getRecord = (line: number): RobotsRecord => recordsByLine.get(line) as RobotsRecord;
  const redundant = rules
    .filter(({ line }) => !reported.has(line))
    .map((rule) =>
      createRedundancyFinding(
        rule,
        getRecord(rule.line),
        comments.get(rule.line) ?? null,
        robots.profile.isRobotsTxtAllowed,
      ),
    );
  const undecidedLines = undecided.filter((line) => !reported.has(line));
  const [firstUndecided] = undecidedLines;
  if (firstUndecided !== undefined) {
    const data = { count: undecidedLines.length, lines: formatLines(undecidedLines) };
    redundant.push(createFinding('rule-undecided', getRecord(firstUndecided), data));
  }
  return [...diagnosed, ...linted, ...redundant].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** The path that some profiles always allow. */
const ROBOTS_TXT = '/robots.txt';

/** Creates the finding for a redundant rule. Its fix keeps the comment of the line. */
function createRedundancyFinding(
  rule: RedundantRule,
  record: RobotsRecord,
  comment: string | null,
  isRobotsTxtAllowed: boolean,
): Finding {
  const { line, reason, by, removeTogetherWith } = rule;
  const lines = by.length === 0 ? 'other rules' : formatLines(by);
  const code = {
    'no-path': 'unreachable-rule',
    covered: 'redundant-rule',
    default: 'redundant-rule-by-default',
  } as const;
  const others = removeTogetherWith === null ? 'other redundant rules' : formatLines(removeTogetherWith);
  const matchesRobotsTxt = isRobotsTxtAllowed && matchesPattern(ROBOTS_TXT, toComparedPattern(record.value));
  const data = {
    by: lines,
    ...(removeTogetherWith?.length !== 0 && { removeTogetherWith: others }),
    ...(matchesRobotsTxt && { allowedPath: ROBOTS_TXT }),
  };
  return { ...createFinding(code[reason], record, data), fix: { line, replacement: comment } };
}

/** Reads the comments of the lines as byte strings. */
function readComments(robots: RobotsTxt): Map<number, string> {
  const comments = new Map<number, string>();
  for (const scanner = getSource(robots).scan(); scanner.next(); ) {
    const { bytes, commentStart, contentEnd } = scanner;
    const comment = toByteString(bytes, commentStart, contentEnd);
    if (comment !== '') comments.set(scanner.line, comment);
  }
  return comments;
}

/** The result of {@link fix}. */
export interface FixResult {
  readonly bytes: Uint8Array;
  /** The findings that the new file resolves. If there are none, the file stays as it is. */
  readonly resolved: readonly Finding[];
}

/**
 * Applies the fixes of findings, if the result is proved to have the same verdicts. Otherwise, `resolved` is empty
 * and the bytes are those that were parsed.
 *
 * A file that exceeds its size limit (`robots.truncated`) is never fixed: the bytes after the limit are unknown
 * here, so the result must not replace the file.
 *
 * @param findings - findings of {@link lint} for the same file.
 * @param options - limits of the proof.
 */
export function fix(robots: RobotsTxt, findings: readonly Finding[], options: ProofOptions = {}): FixResult {
  const budget = Budget.from('fix', options, {});
  if (robots.truncated) return { bytes: robots.bytes, resolved: [] };
  const fixable = findings.filter((finding) => finding.fix !== undefined);
  const bytes = applyEdits(robots, listEdits(fixable));
  const { profile, maxBytes } = robots;
  const parseOptions = { profile, maxBytes };
  const isSame = budget.runWithin(1, () =>
    new EquivalenceProver(parse(robots.bytes, parseOptions), budget).isEquivalent(parse(bytes, parseOptions)),
  );
  return isSame === true ? { bytes, resolved: fixable } : { bytes: robots.bytes, resolved: [] };
}

/**
 * Lists the edits of fixes by line. Of two fixes for one line the later one counts, which contains the earlier one, unless the earlier one
 * moves lines to it.
 */
function listEdits(findings: readonly Finding[]): ReadonlyMap<number, LineEdit> {
  const fixes = new Map<number, Fix>();
  for (const { fix: each } of findings)
    if (each !== undefined && (each.others !== undefined || fixes.get(each.line)?.others === undefined))
      fixes.set(each.line, each);
  const others = [...fixes.values()].flatMap((each) => each.others ?? []);
  return new Map<number, LineEdit>([...fixes, ...others.map((edit) => [edit.line, edit] as const)]);
}

/** Applies edits. A removed rule leaves an empty one if its group would have no rule otherwise. */
function applyEdits(robots: RobotsTxt, edits: ReadonlyMap<number, LineEdit>): Uint8Array {
  const emptied = new Set<number>();
  for (const { rules } of robots.groups()) {
    const [first] = rules;
    if (first !== undefined && rules.every(({ line }) => removesRule(edits.get(line))))
      emptied.add(first.line);
  }
  const scanner = getSource(robots).scan();
  const { bytes } = scanner;
  const content = toByteString(bytes, 0, bytes.length);
  const parts: string[] = [];
  let copied = 0;
  while (scanner.next()) {
    const { line, lineStart, lineEnd } = scanner;
    const change = edits.get(line);
    const end = skipLineEnd(bytes, lineEnd);
    if (change !== undefined) {
      const empty = emptied.has(line) ? 'Disallow:' : null;
      const replacement =
        empty === null ? change.replacement : [empty, change.replacement ?? ''].join(' ').trimEnd();
      parts.push(content.slice(copied, lineStart), replacement ?? '');
      copied = replacement === null ? end : lineEnd;
    }
  }
  parts.push(content.slice(copied));
  return toBytes(parts.join(''));
}

function removesRule(change: LineEdit | undefined): boolean {
  return change !== undefined && (change.replacement === null || change.replacement.startsWith('#'));
}

function skipLineEnd(bytes: Uint8Array, at: number): number {
  return bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? at + 2 : Math.min(at + 1, bytes.length);
}
