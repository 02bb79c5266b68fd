/**
 * Opens the SQLite file of a run.
 *
 * @module
 */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  DatabaseError,
  lockFile,
  migrate,
  openSqlite,
  requireReadable,
  type SqliteDatabase,
  toSqlDatabase,
} from '@maycrawl/client/database';
import { RunError } from './run-error.ts';
import { SQLITE_RUN } from './run-schema.ts';
import { findWrongTable } from './sqlite/run-damage.ts';
import { SqliteRun } from './sqlite/sqlite-run.ts';

const PRAGMAS: readonly string[] = [
  // What of the file is kept in memory: 64 MiB.
  'cache_size = -65536',
  // The write-ahead log goes into the file after so many pages of 4 KiB.
  'wal_autocheckpoint = 8000',
  // Only one process writes: a reader waits for it for a moment at most.
  'busy_timeout = 5000',
];

/**
 * Opens a run.
 *
 * @param mode - `new`: there must be none; `resume`: it is continued; `read`: it is only read.
 * @param seed - of the keys of a new run, if it is to have those of another.
 * @throws {RunError}
 */
export async function openRun(
  path: string,
  mode: 'new' | 'resume' | 'read',
  seed: number = randomInt(2 ** 32),
): Promise<SqliteRun> {
  const exists = existsSync(path);
  if (!exists && mode !== 'new') throw new RunError('no-run', `there is no run in ${path}`);
  if (exists && mode === 'new')
    throw new RunError('run-exists', `${path} is there already: go on with it (--resume), or choose another`);
  let unlock = (): void => {};
  let database: SqliteDatabase | undefined;
  try {
    // The process with the lock may write; the system releases the lock of a process that was killed.
    if (mode !== 'read') unlock = await lockFile(`${path}-lock`);
    if (mode !== 'new') {
      // A file that is no run stays as it is.
      database = await openSqlite(path, { mode: 'read', pragmas: PRAGMAS });
      await requireRun(database);
      if (mode === 'read') return new SqliteRun(database, readSeed(database), unlock);
      database.close();
    }
    database = await openSqlite(path, { pragmas: PRAGMAS });
    await migrate(toSqlDatabase(database), SQLITE_RUN);
    if (mode === 'new') database.run("insert into run values ('seed', ?)", String(seed));
    return new SqliteRun(database, readSeed(database), unlock);
  } catch (cause) {
    database?.close();
    unlock();
    throw toRunError(cause, path);
  }
}

/** @throws {RunError} if a file is no run, or one whose tables are damaged. */
async function requireRun(database: SqliteDatabase): Promise<void> {
  const version = await requireReadable(toSqlDatabase(database), SQLITE_RUN);
  if (version === 0) throw new RunError('no-run', 'that is no run of an audit');
  if (Number.isNaN(version)) throw new RunError('run-damaged', 'the run is damaged: its version is lost');
  const wrong = await findWrongTable(database);
  if (wrong !== undefined)
    throw new RunError('run-damaged', `${database.path} is damaged, or no run of this release: ${wrong}`);
}

/** The seed of the keys of a run. */
function readSeed(database: SqliteDatabase): number {
  const row = database.get<{ value: string }>("select value from run where name = 'seed'");
  const seed = Number(row?.value ?? Number.NaN);
  if (!Number.isInteger(seed))
    throw new RunError('run-damaged', 'the run is damaged: the seed of its keys is lost');
  return seed;
}

/** An error of the database as one of the run. */
export function toRunError(cause: unknown, path?: string): unknown {
  if (!(cause instanceof DatabaseError)) return cause;
  const { code, message } = cause;
  if (code === 'database-busy' && path !== undefined)
    return new RunError('run-in-use', `${path} is in use by another audit`, { cause });
  return new RunError(code === 'schema-too-new' ? 'run-from-the-future' : 'run-unavailable', message, {
    cause,
  });
}
