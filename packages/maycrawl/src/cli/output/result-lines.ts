// Prints results until the input ends or the user interrupts the command (Ctrl-C).
import type { Job } from '../../batch/job.ts';
import { judgeJob } from '../../batch/judge-lines.ts';
import type { Counts } from '../../batch/result-lines.ts';
import { describeFileError } from '../../files/file-error.ts';
import { CommandError } from './errors.ts';
import { onInterrupt } from './interrupt.ts';
import type { Progress } from './progress.ts';
import { writeOut } from './standard-output.ts';

/** Counts of the results, and whether the user interrupted the command. */
export interface Totals extends Counts {
  readonly isStopped: boolean;
}

/**
 * Judges all lines of a stream, and prints the results. After an interrupt it reads no more, but prints the results of the lines read.
 *
 * @param interrupt - is aborted by an interrupt. @defaultValue one that nothing else observes
 * @throws {CommandError} if the input cannot be read.
 */
export async function printResults(
  input: AsyncIterable<Uint8Array>,
  job: Job,
  progress: Progress,
  interrupt: AbortController = new AbortController(),
): Promise<Totals> {
  const totals = { allowed: 0, disallowed: 0, failed: 0 };
  const { signal } = interrupt;
  const finish = onInterrupt(() => interrupt.abort(), ['SIGINT']);
  try {
    for await (const results of judgeJob(input, job, { signal, onRead: (bytes) => progress.read(bytes) })) {
      totals.allowed += results.allowed;
      totals.disallowed += results.disallowed;
      totals.failed += results.failed;
      progress.show(totals.allowed + totals.disallowed + totals.failed);
      await writeOut(results.bytes);
    }
  } catch (cause) {
    if (!isReadError(cause)) throw cause;
    throw new CommandError(`cannot read the input: ${describeFileError(cause)}`, { cause });
  } finally {
    finish();
    progress.finish();
  }
  return { ...totals, isStopped: signal.aborted };
}

function isReadError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'read';
}
