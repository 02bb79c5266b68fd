/**
 * Opens runs in a PostgreSQL database.
 *
 * @module
 */
import { randomInt } from 'node:crypto';
import { loadPostgres } from '@maycrawl/client/database';
import type { Pool } from 'pg';
import { toRunError } from './open-run.ts';
import { PostgresRun, type WorkerOptions } from './postgres-run.ts';
import { SCHEMA_LOCK, SCHEMA_VERSION, TABLES } from './postgres-tables.ts';
import { RunError } from './run-error.ts';

/** PostgreSQL's 64-bit integers, which the driver would give as text. Keys, times and counts fit into a number. */
const INT8 = 20;

/**
 * Opens the run of that name; it is made if it is not there.
 *
 * @param url - `postgres://user:password@host:port/database`.
 * @param manner - `join`: it is made if it is not there; `read`: it must be there.
 * @throws {RunError} if it cannot be used.
 */
export async function openPostgresRun(
  url: string,
  name: string,
  manner: 'join' | 'read',
  options: WorkerOptions = {},
): Promise<PostgresRun> {
  const pg = await loadPostgres().catch(toRunError);
  const types = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
  };
  let pool: Pool | undefined;
  try {
    pool = new pg.Pool({ connectionString: url, types, application_name: 'maycrawl-audit', max: 6 });
    pool.on('error', () => {});
    // Of a client in use: whoever uses it is told by what was asked of it.
    pool.on('connect', (client) => client.on('error', () => {}));
    await makeTables(pool);
    const { id, seed } = await runNamed(pool, name, manner);
    return new PostgresRun(pool, id, seed, options);
  } catch (cause) {
    await pool?.end();
    if (cause instanceof RunError) throw cause;
    // The URL may have a password in it, a message of the driver has not.
    const reason =
      cause instanceof Error ? cause.message || String((cause as { code?: string }).code) : String(cause);
    throw new RunError('run-unavailable', `cannot use the database: ${reason}`, { cause });
  }
}

async function makeTables(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
    await client.query(TABLES);
    const { rows } = await client.query<{ version: number }>('select version from audit_schema');
    const [known] = rows;
    if (known === undefined) await client.query('insert into audit_schema values ($1)', [SCHEMA_VERSION]);
    else if (known.version > SCHEMA_VERSION)
      throw new RunError('run-from-the-future', 'the database was made by a later version of maycrawl');
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

async function runNamed(
  pool: Pool,
  name: string,
  manner: 'join' | 'read',
): Promise<{ readonly id: number; readonly seed: number }> {
  if (manner === 'join')
    await pool.query('insert into audit_runs (name, seed) values ($1, $2) on conflict do nothing', [
      ...[name, randomInt(2 ** 32)],
    ]);
  const { rows } = await pool.query<{ id: number; seed: number }>(
    'select id, seed from audit_runs where name = $1',
    [name],
  );
  const [run] = rows;
  if (run === undefined) throw new RunError('no-run', `there is no run of the name ${name} in the database`);
  return run;
}
