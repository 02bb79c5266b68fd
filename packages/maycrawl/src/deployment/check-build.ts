// Checks the robots.txt that a build wrote: its findings, the expectations of its owner, its source, and its environment.
import { parse, resolveAgent } from '@maycrawl/core';
import { type Finding, lint } from '@maycrawl/core/lint';
import { Budget } from '@maycrawl/core/proofs';
import {
  type Checked,
  checkExpectations,
  ExpectationError,
  parseExpectations,
} from '../expectations/expectations.ts';
import { formatCount } from '../text/counts.ts';
import { toSentence } from '../text/sentence.ts';
import { compareStages } from './compare-stages.ts';
import type { StagedFile } from './deployed-file.ts';
import { checkEnvironment, type Environment } from './environment.ts';

/** A file, by the name that messages have. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What the file must be. */
export interface BuildRequirements {
  /** The file that it must equal. */
  readonly source?: NamedFile;
  /** The text of the expectations. */
  readonly tests?: { readonly name: string; readonly text: string };
  readonly environment?: Environment;
  /** The lowest severity of a finding that is a problem. */
  readonly failOn: 'error' | 'warning';
}

/** Messages that quote the files: escape them for a terminal. */
export interface BuildReport {
  /** What fails the build: one line each. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Problems of one kind in a message. */
const MAX_PROBLEMS = 10;

/** Checks the file. All proofs share one budget; what they leave undecided is a problem. */
export async function checkBuild(
  { name, bytes }: NamedFile,
  { source, tests, environment, failOn }: BuildRequirements,
): Promise<BuildReport> {
  const robots = parse(bytes);
  const built: StagedFile = { stage: 'built', name, robots };
  const findings = lint(robots, { budget: new Budget() }).filter(
    // That is what a preview requires.
    ({ code }) => code !== 'everything-blocked' || environment === undefined || environment === 'production',
  );
  const isProblem = ({ severity }: Finding): boolean =>
    severity === 'error' || (severity === 'warning' && failOn === 'warning');
  const format = ({ line, column, message, code }: Finding): string =>
    `${name}:${line}:${column}: ${message} (${code})`;
  const linted = shorten(findings.filter(isProblem).map(format));
  const budget = new Budget();
  return {
    problems: [
      ...linted,
      ...(linted.length > 0 ? [`Correct the file; "maycrawl lint ${name}" prints all its findings.`] : []),
      ...(source === undefined ? [] : compareWithSource(source, built, budget)),
      ...(tests === undefined ? [] : await checkTests(name, robots, tests, budget)),
      ...(environment === undefined ? [] : checkFor(environment, built, budget)),
    ],
    warnings: findings.filter((finding) => finding.severity === 'warning' && !isProblem(finding)).map(format),
  };
}

function compareWithSource(source: NamedFile, built: StagedFile, budget: Budget): string[] {
  const file: StagedFile = { stage: 'source', name: source.name, robots: parse(source.bytes) };
  const { equivalent, differences, records } = compareStages(file, built, budget);
  if (equivalent === true) return [];
  const place = `${built.name}:`;
  if (equivalent === null)
    return [`${place} undecided whether it equals ${source.name}: the proof exceeds its budget.`];
  return [
    ...shorten(
      differences.map(
        ({ message, after }) => `${built.name}${after === null ? '' : `:${after.line}`}: ${message}`,
      ),
    ),
    ...records.map((text) => `${place} ${text}`),
    `Write it from ${source.name} again, or change that file.`,
  ];
}

async function checkTests(
  name: string,
  robots: ReturnType<typeof parse>,
  tests: { readonly name: string; readonly text: string },
  budget: Budget,
): Promise<string[]> {
  try {
    const expectations = await parseExpectations(tests.text, resolveAgent);
    const wrong = checkExpectations(robots, expectations, { budget }).filter(({ passed }) => passed !== true);
    const format = ({ agent, expected, target, message }: Checked): string =>
      `${name}: ${agent} is expected to be ${expected === 'allow' ? 'allowed' : 'blocked'} for ${target} (${message})`;
    const lines = shorten(wrong.map(format));
    return lines.length === 0 ? [] : [...lines, `Correct the file, or the expectations in ${tests.name}.`];
  } catch (error) {
    if (!(error instanceof ExpectationError)) throw error;
    return [`${tests.name}: ${error.message}`];
  }
}

function checkFor(environment: Environment, built: StagedFile, budget: Budget): string[] {
  const { met, message, line, advice } = checkEnvironment(environment, built, { budget });
  if (met === true) return [];
  return [`${built.name}${line > 0 ? `:${line}` : ''}: ${message} ${advice}`.trim()];
}

function shorten(lines: readonly string[]): string[] {
  const more = lines.length - MAX_PROBLEMS;
  return [
    ...lines.slice(0, MAX_PROBLEMS),
    ...(more > 0 ? [toSentence(`and ${formatCount(more)} more`)] : []),
  ];
}
