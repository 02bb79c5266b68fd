// Opens runs of audits for the subcommands.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError } from '@maycrawl/client/internal';
import { evaluateRun } from '../../../audit/evaluate-run.ts';
import { RenderError } from '../../../audit/render/render-error.ts';
import { openRun } from '../../../audit/run/open-run.ts';
import { RunError } from '../../../audit/run/run-error.ts';
import type { RunStore } from '../../../audit/run/run-store.ts';
import { findSettings, judgedAt } from '../../../audit/run/settings.ts';
import { describeFileError } from '../../../files/file-error.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError, type ErrorClasses, withCommandErrors } from '../../output/errors.ts';
import { printMessage } from '../../output/terminal.ts';

/** Errors that are about a run. */
export const RUN_ERRORS: ErrorClasses = [RunError, RenderError];

/** The name of the file in the folder of an audit. */
export const RUN_FILE = 'run.sqlite';

/** Returns the file of a run. @param path - of the file, or of the folder of an audit. */
export function findRunFile(path: string): string {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? join(path, RUN_FILE) : path;
}

/**
 * Opens a run for reading. Judges it first if it is not judged.
 *
 * @param place - the file of the run, or the folder of an audit.
 * @throws {CommandError} if the run does not exist or cannot be used.
 */
export async function withRun<T>(place: string, work: (run: RunStore) => Promise<T>): Promise<T> {
  const path = findRunFile(place);
  return withCommandErrors(RUN_ERRORS, async () => {
    let run = await openRun(path, 'read');
    try {
      const isJudged = await withDamageReport(path, run, async () => {
        if (findSettings(run) !== undefined) return judgedAt(run) !== null;
        throw new CommandError(`${visible(path)}: it contains no audit`);
      });
      if (!isJudged) {
        run.close();
        await judge(path);
        run = await openRun(path, 'read');
      }
      return await withDamageReport(path, run, () => work(run));
    } finally {
      run.close();
    }
  });
}

/**
 * Works on an open run. After an unexpected error, looks for damage in the run as the cause.
 *
 * @throws {CommandError} if the run is damaged, or a file cannot be read or written.
 */
export async function withDamageReport<T>(path: string, run: RunStore, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if ([CommandError, ...RUN_ERRORS].some((each) => cause instanceof each)) throw cause;
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
    printMessage(`judging ${visible(path)} first: it has changed since it was judged`);
    await withDamageReport(path, run, async () => {
      run.settleDepths();
      await evaluateRun(run, Date.now());
    });
  } finally {
    run.close();
  }
}
