/**
 * Opens runs in a PostgreSQL database.
 *
 * @module
 */
import { randomInt } from 'node:crypto';
import { migrate, openPostgres, type PostgresDatabase, toSqlDatabase } from '@maycrawl/client/database';
import { toRunError } from '../open-run.ts';
import { RunError } from '../run-error.ts';
import { POSTGRES_RUNS } from '../run-schema.ts';
import { PostgresRun, type WorkerOptions } from './postgres-run.ts';
import type { RunRow } from './postgres-urls.ts';

const MAX_CONNECTIONS = 6;

/**
 * Opens a run by name.
 *
 * @param url - `postgres://user:password@host:port/database`.
 * @param mode - `join`: created if it does not exist; `read`: must exist.
 * @throws {RunError} if it cannot be used.
 */
export async function openPostgresRun(
  url: string,
  name: string,
  mode: 'join' | 'read',
  options: WorkerOptions = {},
): Promise<PostgresRun> {
  let database: PostgresDatabase | undefined;
  try {
    database = await openPostgres(url, {
      applicationName: 'maycrawl-audit',
      maxConnections: MAX_CONNECTIONS,
      // A statement about a large run takes minutes, and others wait for its connection.
      connectTimeout: 0,
      statementTimeout: 0,
    });
    await migrate(toSqlDatabase(database), POSTGRES_RUNS);
    return new PostgresRun(database, await findRun(database, name, mode), options);
  } catch (cause) {
    await database?.close();
    throw toRunError(cause);
  }
}

async function findRun(database: PostgresDatabase, name: string, mode: 'join' | 'read'): Promise<RunRow> {
  if (mode === 'join')
    await database.query('insert into audit_runs (name, seed) values ($1, $2) on conflict do nothing', [
      name,
      randomInt(2 ** 32),
    ]);
  const { rows } = await database.query<{ id: number; seed: number }>(
    'select id, seed from audit_runs where name = $1',
    [name],
  );
  const [run] = rows;
  if (run === undefined) throw new RunError('no-run', `the database contains no run named ${name}`);
  return run;
}
