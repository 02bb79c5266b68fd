// The slow work about a file: findings, proofs of fixes, and expectations. It runs in a thread (analysis-worker.ts), because a file of 500 kB can
// take seconds.
import { parse, type RobotsTxt, RulesetCache, resolveAgent } from '@maycrawl/core';
import { type Finding, fix, lint } from '@maycrawl/core/lint';
import { Budget, compareFiles } from '@maycrawl/core/proofs';
import {
  checkExpectations,
  type Expectation,
  ExpectationError,
  isPattern,
  parseExpectations,
} from '../expectations/expectations.ts';
import { formatCount } from '../text/counts.ts';
import { getCrawlerName } from '../text/crawler-names.ts';

/** Work for a thread. `text` is a robots.txt. */
export type AnalysisTask =
  | { readonly kind: 'lint'; readonly text: string }
  | {
      readonly kind: 'fixes';
      readonly text: string;
      /** The findings to fix one by one. */
      readonly findings: readonly Finding[];
      /** All findings of the file, to fix them together. */
      readonly all: readonly Finding[];
    }
  | { readonly kind: 'expectations'; readonly text: string; readonly tests: string };

/** A fix, with what was proved about it. */
export interface AnalyzedFix {
  /** The finding that it resolves; `null` if it resolves all that can be fixed. */
  readonly finding: Finding | null;
  /** What it does and what was proved, in one line; not escaped. */
  readonly title: string;
  /** Whether it was proved that no verdict changes. */
  readonly isProved: boolean;
  /** The text of the whole file after the fix. */
  readonly text: string;
}

/** The URLs of expectations that a line decides. */
interface LineDecisions {
  readonly line: number;
  readonly urls: number;
  /** Those whose verdict is not the expected one. */
  readonly unexpected: number;
}

/** The results of expectations. */
export interface ExpectationSummary {
  /** Number of URLs, counted for each agent. */
  readonly urls: number;
  readonly lines: readonly LineDecisions[];
  /** Number of expectations about URLs and patterns. */
  readonly count: number;
  readonly met: number;
  /** What is wrong with the file of expectations; `null` if nothing is. */
  readonly problem: string | null;
}

/** The result of each kind of task. */
export interface AnalysisResults {
  readonly lint: readonly Finding[];
  readonly fixes: readonly AnalyzedFix[];
  readonly expectations: ExpectationSummary;
}

/** Runs a task, in this thread or in another one. */
export type RunAnalysis = <Kind extends AnalysisTask['kind']>(
  task: Extract<AnalysisTask, { kind: Kind }>,
) => Promise<AnalysisResults[Kind]>;

/** Runs a task. */
export async function analyze(task: AnalysisTask): Promise<AnalysisResults[AnalysisTask['kind']]> {
  const robots = parse(task.text);
  switch (task.kind) {
    case 'lint':
      return lint(robots);
    case 'fixes':
      return proveFixes(robots, task.findings, task.all);
    case 'expectations':
      return summarizeExpectations(robots, task.tests);
  }
}

/** Findings of one line that are fixed one by one. */
const MAX_FIXES = 8;
/** Share of the remaining work for one proof. */
const SHARE_OF_FIX = 1 / 4;

function proveFixes(robots: RobotsTxt, findings: readonly Finding[], all: readonly Finding[]): AnalyzedFix[] {
  const budget = new Budget();
  const prove = (finding: Finding): AnalyzedFix[] => [
    ...proveFix(robots, [finding], describeFix(finding), budget),
    ...describeSuggestion(robots, finding, budget),
  ];
  const fixes = findings.slice(0, MAX_FIXES).flatMap(prove);
  const fixable = all.filter((finding) => finding.fix !== undefined);
  const together =
    fixable.length < 2
      ? []
      : proveFix(robots, fixable, `Fix ${formatCount(fixable.length, 'finding')} of the file`, budget);
  return [...fixes, ...together.map((each) => ({ ...each, finding: null }))];
}

function proveFix(
  robots: RobotsTxt,
  findings: readonly Finding[],
  what: string,
  budget: Budget,
): AnalyzedFix[] {
  const { bytes, resolved } = budget.runWithin(SHARE_OF_FIX, () => fix(robots, findings, { budget })) ?? {
    bytes: robots.bytes,
    resolved: [],
  };
  const [finding = null] = findings;
  if (resolved.length === 0) return [];
  return [{ finding, title: `${what} (proved: no verdict changes)`, isProved: true, text: decode(bytes) }];
}

function describeFix({ fix: change }: Finding): string {
  if (change === undefined) return '';
  const { line, replacement, others } = change;
  if (others !== undefined) return `Move ${formatCount(others.length, 'line')} below line ${line}`;
  if (replacement === null) return 'Remove the line';
  if (replacement.startsWith('#')) return 'Remove the record, and keep its comment';
  const [first, ...added] = decode(Buffer.from(replacement, 'latin1')).split(/\r\n|\r|\n/);
  return added.length > 0 ? `Add below line ${line}: ${added.join(', ')}` : `Replace the line with: ${first}`;
}

/** Describes the change of a suggestion, which a person must decide about, because it changes verdicts. */
function describeSuggestion(robots: RobotsTxt, finding: Finding, budget: Budget): AnalyzedFix[] {
  const { suggestion, line } = finding;
  // The bytes after the size limit are unknown here, so the result must not replace the file.
  if (suggestion === undefined || robots.truncated) return [];
  const text = replaceLine(decode(robots.bytes), line, suggestion);
  const impact = budget.runWithin(SHARE_OF_FIX, () => describeImpact(robots, parse(text), budget));
  const title = `Replace the line with: ${suggestion} (${impact ?? 'can change verdicts'})`;
  return [{ finding, title, isProved: false, text }];
}

function describeImpact(before: RobotsTxt, after: RobotsTxt, budget: Budget): string {
  const { equivalent, comparisons } = compareFiles(before, after, { budget });
  if (equivalent === true) return 'proved: no verdict changes';
  const changed = comparisons.find(({ changes }) => changes.length > 0);
  const [change] = changed?.changes ?? [];
  if (changed === undefined || change === undefined) return 'can change verdicts';
  const [{ name = '' } = {}] = changed.crawlers;
  return `changes verdicts: ${getCrawlerName(name)} ${change.direction === 'blocked' ? 'may no longer' : 'may then'} fetch ${change.example}`;
}

function replaceLine(text: string, line: number, replacement: string): string {
  const parts = text.split(/(\r\n|\r|\n)/);
  // Lines and line ends alternate.
  parts[(line - 1) * 2] = replacement;
  return parts.join('');
}

/** Decodes a file. A byte order mark stays. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Units of work per byte that a ruleset reads, and per URL. */
const WORK_PER_BYTE = 1 / 10;
const WORK_PER_URL = 10;

const NOTHING: ExpectationSummary = { urls: 0, lines: [], count: 0, met: 0, problem: null };

async function summarizeExpectations(robots: RobotsTxt, tests: string): Promise<ExpectationSummary> {
  let expectations: Expectation[];
  try {
    expectations = await parseExpectations(tests, resolveAgent);
  } catch (error) {
    if (error instanceof ExpectationError) return { ...NOTHING, problem: error.message };
    throw error;
  }
  const budget = new Budget();
  const checked = checkExpectations(robots, expectations, { budget });
  const decisions = budget.runWithin(1, () => [...decideUrls(robots, expectations, budget)]) ?? [];
  const lines = new Map<number, LineDecisions>();
  for (const [line, isExpected] of decisions) {
    const { urls: count, unexpected } = lines.get(line) ?? { urls: 0, unexpected: 0 };
    lines.set(line, { line, urls: count + 1, unexpected: unexpected + (isExpected ? 0 : 1) });
  }
  return {
    urls: decisions.length,
    lines: [...lines.values()].filter(({ line }) => line > 0).sort((a, b) => a.line - b.line),
    count: checked.length,
    met: checked.filter(({ passed }) => passed === true).length,
    problem: null,
  };
}

/** Yields the line that decides about each URL of expectations, or 0, and whether the verdict is the expected one. */
function* decideUrls(
  robots: RobotsTxt,
  expectations: readonly Expectation[],
  budget: Budget,
): Generator<readonly [line: number, isExpected: boolean]> {
  const rulesets = new RulesetCache(robots);
  const { length } = robots.bytes;
  for (const { agent, allow, block } of expectations) {
    if (agent.crawler === null) continue;
    // A ruleset reads the whole file.
    if (!rulesets.has(agent.crawler)) budget.spend(length * WORK_PER_BYTE);
    const ruleset = rulesets.get(agent.crawler);
    for (const [targets, isAllowed] of [[allow, true] as const, [block, false] as const])
      for (const target of targets) {
        if (isPattern(target)) continue;
        budget.spend(WORK_PER_URL);
        const verdict = ruleset.decide(target);
        if (verdict.kind !== 'out-of-scope') yield [verdict.line, verdict.allowed === isAllowed];
      }
  }
}
