/**
 * A store in one SQLite file, which several processes of one machine can share.
 *
 * @module
 */
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { byAnswer, byFailure, type Change } from './change.ts';
import { KEPT_EVENTS, type StoreEvent } from './events.ts';
import { type Failure, type GoodAnswer, NO_HISTORY, type OriginHistory } from './history.ts';
import { openSqlite, type SqliteDatabase, type SqliteStatement } from './sqlite-driver.ts';
import { type RobotsStore, StoreError } from './store.ts';
import { fromStored, keyOf, type StoredRow, toStored } from './stored.ts';

/** How long a process waits for another that writes. Milliseconds. */
const BUSY_TIMEOUT = 10_000;
const BUSY_PAUSE = 20;

/** Marks a file as a store of maycrawl: `mayc`. */
const APPLICATION_ID = 0x6d617963;

/**
 * The steps from one version of the schema to the next; the version is how many were taken. Only ever add to the end.
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
];

/**
 * Opens a store in a file, which is made if there is none, with the folders that it stands in.
 *
 * @throws {StoreError} if the file cannot be opened, is no store, or is of a later version; or if there is no SQLite: neither
 *   the optional dependency better-sqlite3 nor Node's own.
 */
export async function openSqliteStore(path: string): Promise<RobotsStore> {
  let database: SqliteDatabase | undefined;
  try {
    makeFolder(dirname(path));
    database = await openSqlite(path);
    await setUp(database, path);
    return new SqliteStore(database);
  } catch (cause) {
    database?.close();
    if (cause instanceof StoreError) throw cause;
    const { message } = cause as Error;
    throw new StoreError('store-unreadable', `cannot use ${path} as a store: ${message}`, { cause });
  }
}

/** Makes a folder and those that it is in. (mkdirSync's own way, with `recursive`, never ends below /proc.) */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** SQLite does not wait by itself for another process that prepares a new file at the same time. */
async function setUp(database: SqliteDatabase, path: string): Promise<void> {
  for (const giveUpAt = performance.now() + BUSY_TIMEOUT; ; ) {
    try {
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
      requireOwn(database, path);
      database.exec('PRAGMA journal_mode = WAL');
      // What was acknowledged survives the end of the process, however it ends.
      database.exec('PRAGMA synchronous = NORMAL');
      migrate(database, path);
      return;
    } catch (error) {
      const isBusy = /\b(locked|busy)\b/i.test((error as Error).message);
      if (!isBusy || performance.now() > giveUpAt) throw error;
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
  immediately(database, () => {
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as {
      user_version: number;
    };
    if (version > MIGRATIONS.length) {
      throw new StoreError(
        'store-from-the-future',
        `${path} was written by a later version of maycrawl (its version is ${version}, this program knows ${MIGRATIONS.length}); update maycrawl, or use another file`,
      );
    }
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

/** Does several things as one step that no other process can come into. */
function immediately<T>(database: SqliteDatabase, work: () => T): T {
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

class SqliteStore implements RobotsStore {
  readonly #database: SqliteDatabase;
  readonly #statements: Map<string, SqliteStatement> = new Map();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    return this.#read(keyOf(origin));
  }

  async putAnswer(origin: string, answer: GoodAnswer): Promise<OriginHistory> {
    return this.#change(origin, byAnswer(answer));
  }

  async recordFailure(origin: string, failure: Failure): Promise<OriginHistory> {
    return this.#change(origin, byFailure(failure));
  }

  async list(limit: number, after = ''): Promise<string[]> {
    const rows = this.#prepare('SELECT origin FROM origins WHERE origin > ? ORDER BY origin LIMIT ?').all(
      after,
      limit,
    ) as { origin: string }[];
    return rows.map(({ origin }) => origin);
  }

  async events(origin: string): Promise<StoreEvent[]> {
    const rows = this.#prepare(
      'SELECT at, kind, status, code, hash, bytes FROM events WHERE key = ? ORDER BY id DESC LIMIT ?',
    ).all(keyOf(origin), KEPT_EVENTS) as StoreEvent[];
    return rows.map((row) => ({ ...row }));
  }

  async delete(origin?: string): Promise<number> {
    return immediately(this.#database, () => {
      if (origin === undefined) {
        const { changes } = this.#prepare('DELETE FROM origins').run();
        for (const table of ['events', 'leases']) this.#prepare(`DELETE FROM ${table}`).run();
        return Number(changes);
      }
      const key = keyOf(origin);
      this.#prepare('DELETE FROM events WHERE key = ?').run(key);
      return Number(this.#prepare('DELETE FROM origins WHERE key = ?').run(key).changes);
    });
  }

  async lease(origin: string, owner: string, until: number, now: number): Promise<boolean> {
    const { changes } = this.#prepare(
      `INSERT INTO leases (key, owner, until) VALUES (@key, @owner, @until)
       ON CONFLICT (key) DO UPDATE SET owner = @owner, until = @until WHERE owner = @owner OR until <= @now`,
    ).run({ key: keyOf(origin), owner, until, now });
    return Number(changes) > 0;
  }

  async release(origin: string, owner: string): Promise<void> {
    this.#prepare('DELETE FROM leases WHERE key = ? AND owner = ?').run(keyOf(origin), owner);
  }

  async close(): Promise<void> {
    this.#statements.clear();
    this.#database.close();
  }

  #prepare(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #read(key: Buffer): OriginHistory | undefined {
    const row = this.#prepare('SELECT answer, outage, body FROM origins WHERE key = ?').get(key) as
      | StoredRow
      | undefined;
    return row && fromStored(row);
  }

  #change(origin: string, change: Change): OriginHistory {
    const key = keyOf(origin);
    return immediately(this.#database, () => {
      const before = this.#read(key) ?? NO_HISTORY;
      const changed = change(before);
      if (changed === undefined) return before;
      this.#put(key, origin, changed.history);
      this.#addEvent(key, changed.event);
      return changed.history;
    });
  }

  #put(key: Buffer, origin: string, history: OriginHistory): void {
    const { answer, outage, body } = toStored(history);
    this.#prepare(
      'INSERT OR REPLACE INTO origins (key, origin, answer, outage, body) VALUES (?,?,?,?,?)',
    ).run(...[key, origin, answer, outage, body]);
  }

  #addEvent(key: Buffer, { at, kind, status, code, hash, bytes }: StoreEvent): void {
    this.#prepare('INSERT INTO events (key, at, kind, status, code, hash, bytes) VALUES (?,?,?,?,?,?,?)').run(
      ...[key, at, kind, status, code, hash, bytes],
    );
    this.#prepare(
      `DELETE FROM events WHERE key = @key AND id <= (
         SELECT id FROM events WHERE key = @key ORDER BY id DESC LIMIT 1 OFFSET @kept
       )`,
    ).run({ key, kept: KEPT_EVENTS });
  }
}
