/**
 * Opens the SQLite file of a run.
 *
 * @module
 */
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { DatabaseError, loadBetterSqlite, makePrivateDatabase } from '@maycrawl/client/database';
import type { Database } from 'better-sqlite3';
import { findWrongTable } from './run-damage.ts';
import { RunError } from './run-error.ts';
import { SqliteRun } from './sqlite-run.ts';
import { SCHEMA_VERSION, TABLES } from './sqlite-tables.ts';

/** @throws {RunError} for a driver that cannot be loaded. */
export function toRunError(error: unknown): never {
  if (error instanceof DatabaseError) throw new RunError('run-unavailable', error.message, { cause: error });
  throw error;
}

/** What of the file is kept in memory. */
const CACHE_KIBIBYTES = 65_536;
/** The write-ahead log goes into the file after so many pages of 4 KiB. */
const CHECKPOINT_PAGES = 8_000;

/**
 * Opens a run.
 *
 * @param manner - `new`: there must be none; `resume`: it is gone on with; `read`: it is only looked at.
 * @param seed - of the keys of a new run, if it is to have those of another.
 * @throws {RunError}
 */
export async function openRun(
  path: string,
  manner: 'new' | 'resume' | 'read',
  seed?: number,
): Promise<SqliteRun> {
  const isThere = existsSync(path);
  if (!isThere && manner !== 'new') throw new RunError('no-run', `there is no run in ${path}`);
  if (isThere && manner === 'new')
    throw new RunError('run-exists', `${path} is there already: go on with it (--resume), or choose another`);
  const Sqlite = await loadBetterSqlite().catch(toRunError);
  let lock: Database | undefined;
  let db: Database | undefined;
  let pattern: Database | undefined;
  try {
    // What a site sent may be behind a login.
    if (manner !== 'read') for (const file of [path, `${path}-lock`]) makePrivateDatabase(file);
    // Whoever has it may write; the system takes it back from a process that was killed.
    if (manner !== 'read') {
      lock = new Sqlite(`${path}-lock`, { timeout: 0 });
      lock.exec('begin exclusive');
    }
    db = new Sqlite(path, { readonly: manner === 'read' });
    const keySeed = prepare(db, manner, seed);
    if (manner !== 'new') {
      pattern = new Sqlite(':memory:');
      pattern.exec(TABLES);
      const wrong = findWrongTable(db, pattern);
      if (wrong !== undefined)
        throw new RunError('run-damaged', `${path} is damaged, or no run of this release: ${wrong}`);
    }
    db.pragma(`cache_size = -${CACHE_KIBIBYTES}`);
    db.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    const held = lock;
    return new SqliteRun(db, keySeed, () => held?.close());
  } catch (cause) {
    db?.close();
    lock?.close();
    if (cause instanceof RunError) throw cause;
    const { code = '', message } = cause as Error & { code?: string };
    if (code === 'SQLITE_BUSY')
      throw new RunError('run-in-use', `${path} is in use by another audit`, { cause });
    throw new RunError('run-unavailable', `cannot use ${path}: ${message}`, { cause });
  } finally {
    pattern?.close();
  }
}

/** Makes the tables of a new run, or looks whether these are some. @returns the seed of its keys. */
function prepare(db: Database, manner: 'new' | 'resume' | 'read', seed: number = randomInt(2 ** 32)): number {
  if (manner === 'new') {
    db.pragma('journal_mode = WAL');
    // What was written outlives the process, which may be killed; after a power cut the last pages are asked for again.
    db.pragma('synchronous = NORMAL');
    db.exec(TABLES);
    const set = db.prepare('insert into run values (?, ?)');
    set.run('schema', String(SCHEMA_VERSION));
    set.run('seed', String(seed));
    return seed;
  }
  const tables = db.prepare("select name from sqlite_master where name = 'run'").all();
  if (tables.length === 0) throw new RunError('no-run', 'that is no run of an audit');
  const read = db.prepare('select value from run where name = ?').pluck();
  const [schema, keySeed] = [Number(read.get('schema')), Number(read.get('seed'))];
  if (schema > SCHEMA_VERSION)
    throw new RunError('run-from-the-future', 'the run was made by a later version of maycrawl');
  if (!Number.isInteger(schema) || !Number.isInteger(keySeed))
    throw new RunError('run-damaged', 'the run is damaged: its version or the seed of its keys is lost');
  if (manner === 'resume') db.pragma('synchronous = NORMAL');
  return keySeed;
}
