/**
 * Runs of audits, as subcommands open them.
 *
 * @module
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError } from '@maycrawl/client/database';
import { judgeRun } from '../../../audit/judge/judge-run.ts';
import { openRun } from '../../../audit/run/open-run.ts';
import { RunError } from '../../../audit/run/run-error.ts';
import { findSettings, judgedAt } from '../../../audit/run/settings.ts';
import type { SqliteRun } from '../../../audit/run/sqlite/sqlite-run.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError, describeFileError } from '../../output/errors.ts';
import { printMessage } from '../../output/terminal.ts';

/** The file of the run in a folder that an audit has made. */
export const RUN_FILE = 'run.sqlite';

/** The file that is meant by a path, which may be that of such a folder. */
export function findRunFile(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, RUN_FILE) : path;
}

/**
 * Opens a run to look at it, judged first if that was not done.
 *
 * @param place - the file of the run, or the folder that an audit has made.
 * @throws {CommandError} if there is none, or it cannot be used.
 */
export async function withRun<T>(place: string, work: (run: SqliteRun) => Promise<T>): Promise<T> {
  const path = findRunFile(place);
  return withCommandErrors(async () => {
    let run = await openRun(path, 'read');
    try {
      const isJudged = await withDamageReport(path, run, async () => {
        if ((await findSettings(run)) !== undefined) return (await judgedAt(run)) !== null;
        throw new CommandError(`${visible(path)}: no audit was begun in it`);
      });
      if (!isJudged) {
        await run.close();
        await judge(path);
        run = await openRun(path, 'read');
      }
      return await withDamageReport(path, run, () => work(run));
    } finally {
      await run.close();
    }
  });
}

/** @throws {CommandError} where the work says that a run cannot be used. */
export async function withCommandErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof RunError) throw new CommandError(visible(cause.message), { cause });
    throw cause;
  }
}

/**
 * Works on an open run. Where that fails, its rows are looked at: what is damaged is no fault of the program.
 *
 * @throws {CommandError} if the run is damaged, or a file cannot be read or written.
 */
export async function withDamageReport<T>(path: string, run: SqliteRun, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CommandError || cause instanceof RunError) throw cause;
    if (cause instanceof DatabaseError) throw new CommandError(visible(cause.message), { cause });
    const { path: file, code } = cause as { readonly path?: unknown; readonly code?: unknown };
    if (typeof file === 'string' && typeof code === 'string')
      throw new CommandError(`cannot write ${visible(file)}: ${describeFileError(cause)}`, { cause });
    const damage = run.findDamage();
    if (damage === undefined) throw cause;
    throw new CommandError(`${visible(path)} is damaged: ${damage}`, { cause });
  }
}

async function judge(path: string): Promise<void> {
  const run = await openRun(path, 'resume');
  try {
    printMessage(`${visible(path)} was not judged as it is now; that is done first`);
    await withDamageReport(path, run, async () => {
      await run.settleDepths();
      await judgeRun(run, Date.now());
    });
  } finally {
    await run.close();
  }
}
