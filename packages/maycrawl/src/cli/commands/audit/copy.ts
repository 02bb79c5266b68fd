/**
 * `maycrawl audit copy`: copies a run from a database to a file, and judges it.
 *
 * @module
 */
import { isPostgresUrl } from '@maycrawl/client/database';
import { evaluateRun } from '../../../audit/evaluate-run.ts';
import { openRun } from '../../../audit/run/open-run.ts';
import { openPostgresRun } from '../../../audit/run/postgres/open-postgres-run.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { printMessage } from '../../output/terminal.ts';
import { withCommandErrors, withDamageReport } from './open-run.ts';

export interface AuditCopyOptions {
  /** `postgres://…` */
  readonly database: string;
  readonly run: string;
}

/** Copies a run. @returns the exit code. @throws {CommandError} if the run does not exist, or the file does. */
export async function auditCopy(path: string, { database, run }: AuditCopyOptions): Promise<number> {
  if (!isPostgresUrl(database))
    throw new CommandError(`--database must be a postgres:// URL, not ${visible(database)}`);
  await withCommandErrors(async () => {
    const from = await openPostgresRun(database, run, 'read');
    try {
      const to = await openRun(path, 'new', from.seed);
      try {
        await withDamageReport(path, to, async () => {
          await from.copyTo(to);
          await to.settleDepths();
          await evaluateRun(to, Date.now());
        });
      } finally {
        await to.close();
      }
    } finally {
      await from.close();
    }
  });
  printMessage(
    `copied the run to ${visible(path)}; maycrawl audit report ${visible(path)} writes its report`,
  );
  return 0;
}

/** Removes the password from a URL, so that it can be printed. */
export function hidePassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, '$1@');
}
