// `maycrawl lint`: finds mistakes in a robots.txt.
import { parse, type RobotsTxt } from '@maycrawl/core';
import { type Finding, fix, lint } from '@maycrawl/core/lint';
import { Budget } from '@maycrawl/core/proofs';
import { describeFileError } from '../../../files/file-error.ts';
import { isAtLeast } from '../../../reports/severities.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { describeSource, SourceReader } from '../../input/source.ts';
import { CommandError } from '../../output/errors.ts';
import { printMessage } from '../../output/terminal.ts';
import { writeFileAtomically } from '../../output/write-file.ts';
import type { LintCommandOptions } from '../options.ts';
import { FORMATS } from './finding-formats.ts';
import type { Report } from './report.ts';

/**
 * Prints the findings in files: file by file, unless the format is one document. With `fix` it fixes each file first, and prints the
 * remaining findings.
 *
 * @returns the exit code: 0, or 1 if any printed finding is a warning or an error.
 * @throws {CommandError} if a file cannot be read or written, or options contradict each other.
 */
export async function lintCommand(names: readonly string[], options: LintCommandOptions): Promise<number> {
  const format = FORMATS[options.format];
  if (options.fix && names.some((name) => name === '-' || name.includes('://')))
    throw new CommandError('--fix requires paths of files');
  if (names.filter((name) => name === '-').length > 1)
    throw new CommandError('only one file can be standard input');
  const reader = new SourceReader(options);
  const reports: Report[] = [];
  try {
    for (const name of names) {
      // All proofs about a file share one budget.
      const budget = new Budget();
      const source = await reader.read(name);
      const { policy, robots } = source;
      if (policy.kind !== 'rules')
        throw new CommandError(`${visible(name)}: ${visible(describeSource(source))}`);
      const { findings, robots: linted } = options.fix
        ? await fixFile(name, robots, budget)
        : { findings: lint(robots, { budget }), robots };
      const report = {
        name,
        robots: linted,
        findings: findings.filter(({ severity }) => isAtLeast(severity, options.severity)),
      };
      if ('each' in format) process.stdout.write(format.each(report, reports.length));
      reports.push(report);
    }
  } finally {
    await reader.close();
  }
  if ('all' in format) process.stdout.write(format.all(reports, options.rulesUrl));
  const hasProblems = reports.some(({ findings }) => findings.some(({ severity }) => severity !== 'info'));
  return hasProblems ? 1 : 0;
}

/** Share of the budget for the findings before fixing. The proof that no verdict changes may take the same share. */
const SHARE_OF_FIX = 1 / 3;

/** Fixes a file. @returns the file, and its remaining findings. */
async function fixFile(
  name: string,
  robots: RobotsTxt,
  budget: Budget,
): Promise<{ readonly findings: readonly Finding[]; readonly robots: RobotsTxt }> {
  if (robots.truncated)
    throw new CommandError(
      `${visible(name)}: --fix would lose the bytes after the first ${formatCount(robots.maxBytes)}`,
    );
  await requireUnchanged(name, robots.bytes);
  const found = budget.runWithin(SHARE_OF_FIX, () => lint(robots, { budget })) ?? [];
  const { bytes, resolved } = fix(robots, found, { budget });
  if (resolved.length > 0) {
    await requireUnchanged(name, robots.bytes);
    await writeFileAtomically(name, bytes);
    printMessage(`${visible(name)}: ${formatCount(resolved.length, 'finding')} fixed; no verdict changes`);
    const fixed = parse(bytes, { profile: robots.profile });
    return { findings: lint(fixed, { budget }), robots: fixed };
  }
  const isFixable = found.some((finding) => finding.fix !== undefined);
  const why = isFixable
    ? 'not fixed: the proof that no verdict changes exceeds its budget'
    : 'nothing to fix';
  printMessage(`${visible(name)}: ${why}`);
  return { findings: found, robots };
}

/**
 * Checks that a file still has the content that was read: --fix must not overwrite changes made during the proofs.
 *
 * @throws {CommandError} if it has not, or is not a regular file, which cannot be read again.
 */
async function requireUnchanged(path: string, bytes: Uint8Array): Promise<void> {
  const { readFile, stat } = await import('node:fs/promises');
  try {
    if (!(await stat(path)).isFile())
      throw new CommandError(`--fix requires regular files: ${visible(path)} is not one`);
    if ((await readFile(path)).equals(bytes)) return;
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`cannot read ${visible(path)}: ${describeFileError(cause)}`, { cause });
  }
  throw new CommandError(`${visible(path)} has changed meanwhile: not fixed`);
}
