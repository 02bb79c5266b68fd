// Messages and errors of the commands of the census.
import { isInvalidAgentError } from '@maycrawl/core';
import { CensusError, type CensusSummary } from '../../../census/census-summary.ts';
import { InputError } from '../../../census/inputs/find-inputs.ts';
import { isSmall } from '../../../census/inputs/task.ts';
import { QueryError } from '../../../census/sql/duckdb.ts';
import { describeFileError } from '../../../files/file-error.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { onInterrupt } from '../../output/interrupt.ts';
import { createProgress, type Progress } from '../../output/progress.ts';
import { printMessage } from '../../output/terminal.ts';

/** Requires the name of a folder or a file. @throws {CommandError} if it is empty, as that of a variable of a shell without a value. */
export function requireOut(out: string): void {
  if (out === '') throw new CommandError('--out: the name is empty');
}

/** Runs what fails with errors for the user. @throws {CommandError} instead of them. */
export async function withCensusErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (cause) {
    const isWrongValue = cause instanceof RangeError || isInvalidAgentError(cause);
    if (
      cause instanceof InputError ||
      cause instanceof CensusError ||
      cause instanceof QueryError ||
      isWrongValue
    )
      throw new CommandError(visible(cause.message), { cause });
    if (cause instanceof Error && 'syscall' in cause && 'path' in cause)
      throw new CommandError(`${visible(String(cause.path))}: ${describeError(cause)}`, { cause });
    throw cause;
  }
}

/** Describes a failed file operation. Node.js reports each failure to create a folder on a read-only file system as ENOENT. */
function describeError(error: Error): string {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (syscall === 'mkdir' && code === 'ENOENT')
    return 'the folder cannot be created; the file system may be read-only';
  if (syscall === 'mkdir' && code === 'EEXIST') return 'it is a file, not a folder';
  return describeFileError(error);
}

/** Prints how many classes are undecided: by the proofs, and by each reading. */
function printUndecided({ undecided, undecidedReadings }: CensusSummary): void {
  const counts = Object.entries({ proofs: undecided, ...undecidedReadings }).map(
    ([name, byAgent]) => [name, Object.values(byAgent).reduce((sum, count) => sum + count, 0)] as const,
  );
  const list = counts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${formatCount(count)}`);
  if (list.length > 0)
    printMessage(
      `undecided classes, by agent in the JSON file: ${list.join(', ')}; their work exceeds the budget`,
    );
}

/**
 * Writes a census, shows the progress and prints what it has, until the user interrupts the command.
 *
 * @param total - how much there is to read; `undefined` if that is unknown.
 * @returns the exit code: 0, or 2 if an input could not be read or the user interrupted the command.
 */
export async function writeWithProgress(
  folder: string,
  total: number | undefined,
  write: (
    progress: Progress,
    signal: AbortSignal,
  ) => Promise<{ readonly summary: CensusSummary; readonly isComplete: boolean }>,
): Promise<number> {
  const progress = await createProgress('captures', total);
  const controller = new AbortController();
  const { signal } = controller;
  const finish = onInterrupt(() => controller.abort());
  try {
    const { summary, isComplete } = await withCensusErrors(() => write(progress, signal));
    progress.finish();
    return printSummary(summary, folder, isComplete);
  } catch (error) {
    if (!signal.aborted) throw error;
    printMessage('interrupted; nothing was written');
    return 2;
  } finally {
    finish();
    progress.finish();
  }
}

/** Prints what a census has. @returns the exit code: 2 if an input could not be read. */
function printSummary(summary: CensusSummary, folder: string, isComplete: boolean): number {
  const { captures, files, inputs } = summary;
  const counts = `${formatCount(captures, 'capture')}, ${formatCount(files, 'distinct file')}`;
  const where = visible(folder);
  printMessage(isComplete ? `${where} is complete: ${counts}` : `${counts}, written to ${where}`);
  printUndecided(summary);
  const problems = new Map<string, number>();
  for (const { problemCounts } of inputs)
    for (const [code, count] of Object.entries(problemCounts))
      problems.set(code, (problems.get(code) ?? 0) + count);
  if (problems.size === 0) return 0;
  const list = [...problems].map(([code, count]) => `${code} ${formatCount(count)}`).join(', ');
  printMessage(`problems in the inputs, listed in the JSON file: ${list}`);
  const first = inputs.find(({ problemCounts }) => 'unreadable-input' in problemCounts);
  if (first === undefined) return 0;
  const message = first.problems.find(({ code }) => code === 'unreadable-input')?.message ?? '';
  // Of several files in one entry, the message names the file.
  const reason = isSmall(first.format) ? message : `${first.path}: ${message}`;
  const count = problems.get('unreadable-input') ?? 0;
  const others = count > 1 ? '; the first is ' : ': ';
  printMessage(visible(`${formatCount(count, 'input')} could not be read${others}${reason}`));
  return 2;
}
