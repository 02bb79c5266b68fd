/**
 * Runs of audits, as subcommands open them.
 *
 * @module
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { judgeRun } from '../../../audit/judge/judge-run.ts';
import { openRun, RunError } from '../../../audit/run/open-run.ts';
import { judgedAt } from '../../../audit/run/settings.ts';
import type { SqliteRun } from '../../../audit/run/sqlite-run.ts';
import { CommandError, describeFileError } from '../../output/errors.ts';
import { tell, visible } from '../../output/terminal.ts';

/** The file of the run in a folder that an audit has made. */
export const RUN_FILE = 'run.sqlite';

/** The file that is meant by a path, which may be that of such a folder. */
export function runFileIn(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, RUN_FILE) : path;
}

/**
 * Opens a run to look at it, judged first if that was not done.
 *
 * @param place - the file of the run, or the folder that an audit has made.
 * @throws {CommandError} if there is none, or it cannot be used.
 */
export async function withRun<T>(place: string, work: (run: SqliteRun) => Promise<T>): Promise<T> {
  const path = runFileIn(place);
  let run: SqliteRun | undefined;
  try {
    run = await openRun(path, 'read');
    if ((await run.get('settings')) === undefined)
      throw new CommandError(`${visible(path)}: no audit was begun in it`);
    if ((await judgedAt(run)) === null) {
      await run.close();
      run = undefined;
      await judge(path);
      run = await openRun(path, 'read');
    }
    return await work(run);
  } catch (cause) {
    if (cause instanceof RunError) throw new CommandError(visible(cause.message), { cause });
    const { path: file, code } = cause as { readonly path?: unknown; readonly code?: unknown };
    if (typeof file === 'string' && typeof code === 'string')
      throw new CommandError(`cannot write ${visible(file)}: ${describeFileError(cause)}`, { cause });
    if (typeof code === 'string' && code.startsWith('SQLITE_'))
      throw new CommandError(`cannot read ${visible(path)}: ${visible((cause as Error).message)}`, { cause });
    throw cause;
  } finally {
    await run?.close();
  }
}

async function judge(path: string): Promise<void> {
  const run = await openRun(path, 'resume');
  try {
    tell(`${path} was not judged as it is now; that is done first`);
    await run.settleDepths();
    await judgeRun(run, Date.now());
  } finally {
    await run.close();
  }
}
