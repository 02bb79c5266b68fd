// Queries of commands: their options, and what ends them.
import { formatDuration } from '../../input/duration.ts';
import { CommandError } from '../../output/errors.ts';
import { onInterrupt } from '../../output/interrupt.ts';
import { printMessage } from '../../output/terminal.ts';
import type { QueryLimits } from './options.ts';
import { withCensusErrors } from './output.ts';

/** What queries receive. */
export interface LimitedOptions {
  readonly memory: number;
  readonly threads?: number;
  readonly signal: AbortSignal;
}

/**
 * Runs queries until their end, the time limit, or an interrupt by the user.
 *
 * @param run - prints the result.
 * @returns the exit code: that of `run`, or 2 after an interrupt.
 * @throws {CommandError} if a folder has no complete census, a query is invalid or the time is over.
 */
export async function runLimited(
  { memory, threads, timeout }: QueryLimits,
  run: (options: LimitedOptions) => Promise<number>,
): Promise<number> {
  const controller = new AbortController();
  const { signal } = controller;
  const interrupted = new CommandError('interrupted');
  // The database does not interrupt the analysis of a query, so SIGTERM ends the process.
  const finish = onInterrupt(() => controller.abort(interrupted), ['SIGINT']);
  const timer = setTimeout(() => {
    controller.abort(new CommandError(`more than ${formatDuration(timeout)}; --timeout permits more time`));
  }, timeout);
  try {
    return await withCensusErrors(() => run({ memory, signal, ...(threads !== undefined && { threads }) }));
  } catch (cause) {
    if (cause !== interrupted) throw cause;
    printMessage('interrupted');
    return 2;
  } finally {
    clearTimeout(timer);
    finish();
  }
}
