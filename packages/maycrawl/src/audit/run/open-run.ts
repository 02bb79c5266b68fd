// Opens the file of a run.
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  DatabaseError,
  isPostgresUrl,
  lockFile,
  migrate,
  openSqlite,
  requireReadable,
  type SqliteDatabase,
  toSqlDatabase,
} from '@maycrawl/client/internal';
import { findWrongTable } from './run-damage.ts';
import { RunError } from './run-error.ts';
import { RUN_SCHEMA } from './run-schema.ts';
import { RunStore } from './run-store.ts';

const PRAGMAS: readonly string[] = [
  // Page cache: 64 MiB.
  'cache_size = -65536',
  // Checkpoint of the write-ahead log: after this number of pages of 4 KiB.
  'wal_autocheckpoint = 8000',
  // Only one process writes, so a reader waits only briefly.
  'busy_timeout = 5000',
];

/**
 * Opens a run.
 *
 * @param path - of a SQLite file.
 * @param mode - `new`: the file must not exist; `resume`: to continue the run; `read`: read only.
 * @param seed - seed of the hashes of a new run. @defaultValue random
 * @throws {RunError}
 */
export async function openRun(
  path: string,
  mode: 'new' | 'resume' | 'read',
  seed: number = randomInt(2 ** 32),
): Promise<RunStore> {
  if (isPostgresUrl(path))
    throw new RunError('run-unavailable', 'an audit is stored in a SQLite file, not in postgres://');
  const exists = existsSync(path);
  if (!exists && mode !== 'new') throw new RunError('no-run', `no run in ${path}`);
  if (exists && mode === 'new')
    throw new RunError('run-exists', `${path} exists: continue it with --resume, or choose another file`);
  let unlock = (): void => {};
  let database: SqliteDatabase | undefined;
  try {
    // The process with the lock may write. The system releases the lock of a killed process.
    if (mode !== 'read') unlock = await lockFile(`${path}-lock`);
    if (mode !== 'new') {
      // Leaves a file that is not a run unchanged.
      database = await openSqlite(path, { mode: 'read', pragmas: PRAGMAS });
      await requireRun(database);
      if (mode === 'read') return new RunStore(database, readSeed(database), unlock);
      database.close();
    }
    database = await openSqlite(path, { pragmas: PRAGMAS });
    await migrate(toSqlDatabase(database), RUN_SCHEMA);
    if (mode === 'new') database.run("insert into run values ('seed', ?)", String(seed));
    return new RunStore(database, readSeed(database), unlock);
  } catch (cause) {
    database?.close();
    unlock();
    throw toRunError(cause, path);
  }
}

/** @throws {RunError} if a file is not a run, or its tables are damaged. */
async function requireRun(database: SqliteDatabase): Promise<void> {
  const version = await requireReadable(toSqlDatabase(database), RUN_SCHEMA);
  if (version === 0) throw new RunError('no-run', 'it is not a run of an audit');
  const wrong = await findWrongTable(database);
  if (wrong !== undefined)
    throw new RunError('run-damaged', `${database.path} is damaged, or not a run of this build: ${wrong}`);
}

/** Reads the seed of the hashes of a run. */
function readSeed(database: SqliteDatabase): number {
  const row = database.get<{ value: string }>("select value from run where name = 'seed'");
  const seed = Number(row?.value ?? Number.NaN);
  if (!Number.isInteger(seed))
    throw new RunError('run-damaged', 'the run is damaged: the seed of its hashes is lost');
  return seed;
}

/** Converts an error of the database. */
function toRunError(cause: unknown, path: string): unknown {
  if (!(cause instanceof DatabaseError)) return cause;
  const { code, message } = cause;
  if (code === 'database-busy')
    return new RunError('run-in-use', `${path} is in use by another audit`, { cause });
  return new RunError(code === 'schema-too-new' ? 'schema-too-new' : 'run-unavailable', message, {
    cause,
  });
}
