/**
 * `maycrawl audit copy`: copies a run from a database into a file, where it is judged.
 *
 * @module
 */
import { isPostgresUrl } from '@maycrawl/client/database';
import { judgeRun } from '../../../audit/judge/judge-run.ts';
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

/** Copies a run. @returns the exit code. @throws {CommandError} if there is no such run, or the file exists. */
export async function auditCopy(path: string, { database, run }: AuditCopyOptions): Promise<number> {
  if (!isPostgresUrl(database))
    throw new CommandError(`--database is not a postgres:// URL: ${visible(database)}`);
  await withCommandErrors(async () => {
    const from = await openPostgresRun(database, run, 'read');
    try {
      const to = await openRun(path, 'new', from.seed);
      try {
        await withDamageReport(path, to, async () => {
          await from.copyTo(to);
          await to.settleDepths();
          await judgeRun(to, Date.now());
        });
      } finally {
        await to.close();
      }
    } finally {
      await from.close();
    }
  });
  printMessage(`${visible(path)} has the run; maycrawl audit report ${visible(path)} shows it`);
  return 0;
}

/** A URL as it may be printed. */
export function hidePassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, '$1@');
}
