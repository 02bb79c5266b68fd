/**
 * The file of a SQLite store: its tables, and what can be wrong with it.
 *
 * @module
 */
import { type BigIntStats, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePrivateDatabase, makePrivateFolder } from './private-file.ts';
import { openSqlite, type SqliteDatabase } from './sqlite-driver.ts';
import { StoreError } from './store.ts';

/** How long a process waits for another that writes. Milliseconds. */
export const BUSY_TIMEOUT = 10_000;
const BUSY_PAUSE = 20;
/** The write-ahead log shrinks to this size when it is empty again. Bytes. */
const MAX_IDLE_LOG = 16 * 1024 * 1024;
/** With less space than this a file system counts as full. Bytes. */
const MIN_FREE_BYTES = 64 * 1024;

/** Marks a file as a store of maycrawl: `mayc`. */
const APPLICATION_ID = 0x6d617963;

/** What an entry takes beside its texts: keys, indexes, and half a page. */
export const ENTRY_BYTES = 1000;
export const EVENT_BYTES = 150;

/**
 * The steps from one version of the schema to the next; the version is how many were taken. Only ever add to the end.
 *
 * Size and last use are in a table of their own: to change the time of use must not write the file of the origin again.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE origins (key BLOB PRIMARY KEY, origin TEXT NOT NULL, answer TEXT, outage TEXT, body BLOB);
   CREATE INDEX origins_by_name ON origins (origin);
   CREATE TABLE events (
     id INTEGER PRIMARY KEY,
     key BLOB NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, status INTEGER, code TEXT, hash TEXT, bytes INTEGER NOT NULL
   );
   CREATE INDEX events_by_key ON events (key, id);
   CREATE TABLE leases (key BLOB PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL);`,
  `CREATE TABLE usage (
     key BLOB PRIMARY KEY, failing INTEGER NOT NULL, used_at INTEGER NOT NULL, bytes INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX usage_by_time ON usage (failing, used_at);
   CREATE TABLE totals (
     id INTEGER PRIMARY KEY CHECK (id = 1), origins INTEGER NOT NULL, bytes INTEGER NOT NULL,
     failing_origins INTEGER NOT NULL, failing_bytes INTEGER NOT NULL, checked_at INTEGER NOT NULL
   );
   INSERT INTO totals VALUES (1, 0, 0, 0, 0, 0);
   CREATE TRIGGER usage_added AFTER INSERT ON usage BEGIN
     UPDATE totals SET origins = origins + 1, bytes = bytes + new.bytes,
       failing_origins = failing_origins + new.failing, failing_bytes = failing_bytes + new.failing * new.bytes;
   END;
   CREATE TRIGGER usage_removed AFTER DELETE ON usage BEGIN
     UPDATE totals SET origins = origins - 1, bytes = bytes - old.bytes,
       failing_origins = failing_origins - old.failing, failing_bytes = failing_bytes - old.failing * old.bytes;
   END;
   CREATE TRIGGER usage_changed AFTER UPDATE OF failing, bytes ON usage BEGIN
     UPDATE totals SET bytes = bytes + new.bytes - old.bytes, failing_origins = failing_origins + new.failing - old.failing,
       failing_bytes = failing_bytes + new.failing * new.bytes - old.failing * old.bytes;
   END;
   INSERT INTO usage SELECT key, outage IS NOT NULL, CAST(strftime('%s', 'now') AS INTEGER) * 1000,
     ${ENTRY_BYTES} + 3 * length(origin) + coalesce(length(answer), 0) + coalesce(length(outage), 0)
       + coalesce(length(body), 0) + ${EVENT_BYTES} * (SELECT count(*) FROM events WHERE events.key = origins.key)
     FROM origins;
   DELETE FROM leases;`,
];

/** An open file, and which one it is. */
export interface StoreFile {
  readonly path: string;
  readonly database: SqliteDatabase;
  /** The file that was opened, which a later look compares; `undefined` for a database that is no file. */
  readonly identity: FileIdentity | undefined;
}

type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>;

/**
 * Opens a file, which is created if it does not exist, with the folders that it is in, and brings it to the newest version.
 *
 * @throws {StoreError} if it cannot be used.
 */
export async function openStoreFile(path: string): Promise<StoreFile> {
  let database: SqliteDatabase | undefined;
  try {
    makePrivateFolder(dirname(path));
    makePrivateDatabase(path, APPLICATION_ID);
    database = await openSqlite(path);
    await setUp(database, path);
    return { path, database, identity: identify(path) };
  } catch (cause) {
    database?.close();
    if (cause instanceof StoreError) throw cause;
    const { message } = cause as Error;
    throw new StoreError('store-unreadable', `cannot use ${path} as a store: ${message}`, { cause });
  }
}

/** SQLite does not wait by itself for another process that prepares a new file at the same time. */
async function setUp(database: SqliteDatabase, path: string): Promise<void> {
  for (const giveUpAt = performance.now() + BUSY_TIMEOUT; ; ) {
    try {
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
      requireOwn(database, path);
      // Of a new file alone: it can give space back in small steps.
      database.exec('PRAGMA auto_vacuum = INCREMENTAL');
      database.exec('PRAGMA journal_mode = WAL');
      database.exec(`PRAGMA journal_size_limit = ${MAX_IDLE_LOG}`);
      // What was acknowledged survives the end of the process, however it ends.
      database.exec('PRAGMA synchronous = NORMAL');
      migrate(database, path);
      // From now on the store waits itself: SQLite would keep the whole process waiting.
      database.exec('PRAGMA busy_timeout = 0');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error;
      await sleep(BUSY_PAUSE);
    }
  }
}

/** @throws {StoreError} if the file is a database of another program, which must stay as it is. */
function requireOwn(database: SqliteDatabase, path: string): void {
  const { application_id: id } = database.prepare('PRAGMA application_id').get() as {
    application_id: number;
  };
  if (id === APPLICATION_ID) return;
  const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as {
    tables: number;
  };
  if (id !== 0 || tables > 0)
    throw new StoreError('store-unreadable', `${path} is a database of another program; name another file`);
}

/** Brings the file to the newest version. Two processes that do so at the same time wait for each other. */
function migrate(database: SqliteDatabase, path: string): void {
  runImmediately(database, () => {
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as {
      user_version: number;
    };
    if (version > MIGRATIONS.length) {
      throw new StoreError(
        'store-from-the-future',
        `${path} was written by a later version of maycrawl (its version is ${version}, this program knows ${MIGRATIONS.length}); update maycrawl, or use another file`,
      );
    }
    if (version === MIGRATIONS.length) return;
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

/** Does several things as one step that no other process can come into. */
export function runImmediately<T>(database: SqliteDatabase, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // After some errors SQLite has done so itself. What went wrong first is what counts.
    }
    throw error;
  }
}

/** Whether another process was writing. */
export function isBusy(error: unknown): boolean {
  return /\b(locked|busy)\b/i.test((error as Error).message);
}

/** Describes what SQLite threw. Both drivers have the same messages, and codes of their own. */
export function toStoreError(cause: unknown, path: string): StoreError {
  if (cause instanceof StoreError) return cause;
  const { message } = cause as Error;
  // When SQLite cannot enlarge the file of its shared memory, it reports an I/O error.
  if (/\bfull\b/.test(message) || (/I\/O/.test(message) && !hasSpace(path)))
    return new StoreError('store-full', describeFull(path), { cause });
  if (/readonly/.test(message))
    return new StoreError('store-read-only', `${path} cannot be written to: ${message}`, { cause });
  return new StoreError('store-unavailable', `the store ${path} cannot be used: ${message}`, { cause });
}

/** @throws {StoreError} if the file is gone, another one is in its place, or its file system is full. */
export function requireFile({ path, identity }: StoreFile): void {
  if (identity === undefined) return;
  const found = identify(path);
  if (found === undefined)
    throw new StoreError(
      'store-replaced',
      `the store ${path} was deleted while it was in use; restart the program`,
    );
  if (found.ino !== identity.ino || found.dev !== identity.dev)
    throw new StoreError(
      'store-replaced',
      `another file took the place of the store ${path} while it was in use; restart the program`,
    );
  if (!hasSpace(path)) throw new StoreError('store-full', describeFull(path));
}

function describeFull(path: string): string {
  return `no space is left for the store ${path}; what it has stays, and it goes on when there is space again`;
}

function hasSpace(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize >= MIN_FREE_BYTES;
}

function identify(path: string): FileIdentity | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
