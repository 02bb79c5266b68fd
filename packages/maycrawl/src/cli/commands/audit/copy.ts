/**
 * `maycrawl audit copy`: a run out of a database into a file, where it is judged.
 *
 * @module
 */
import { isPostgresUrl } from '@maycrawl/client/database';
import { judgeRun } from '../../../audit/judge/judge-run.ts';
import { openPostgresRun } from '../../../audit/run/open-postgres-run.ts';
import { openRun } from '../../../audit/run/open-run.ts';
import { CommandError } from '../../output/errors.ts';
import { tell, visible } from '../../output/terminal.ts';
import { orCommandError, orDamaged } from './open-run.ts';

/** Copies. @returns the exit code. @throws {CommandError} if there is no such run, or the file is there already. */
export async function auditCopy(database: string, name: string, path: string): Promise<number> {
  if (!isPostgresUrl(database)) throw new CommandError(`not a postgres:// URL: ${visible(database)}`);
  await orCommandError(async () => {
    const from = await openPostgresRun(database, name, 'read');
    try {
      const to = await openRun(path, 'new', from.seed);
      try {
        await orDamaged(path, to, async () => {
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
  tell(`${visible(path)} has the run; maycrawl audit report ${visible(path)} shows it`);
  return 0;
}

/** A URL as it may be shown. */
export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, '$1@');
}
