// A store in one SQLite file, which several processes of one machine can share.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { toSqlDatabase } from '../database/connection.ts';
import { migrate, type Schema } from '../database/migrate.ts';
import { openSqlite } from '../database/open-sqlite.ts';
import type { SqliteDatabase } from '../database/sqlite.ts';
import { checkStoreOptions, resolveLimits, SQLITE_LIMITS, type StoreOptions } from './limits.ts';
import { getTables, type StoreDialect, type StoreTables } from './sql-dialect.ts';
import { SqlStore } from './sql-store.ts';
import type { FullStore } from './store.ts';

/** Marks a file as a store of maycrawl: `mayc`. */
const APPLICATION_ID = 0x6d617963;
/** How many pages a step of pruning gives back to the file system. */
const VACUUM_PAGES = 500;

/** Size and last use are in a table of their own: to change the time of use must not write the file of the origin again. */
const SCHEMA: Schema = {
  component: 'robots-store',
  migrations: [
    {
      name: 'origins, histories, leases and totals',
      script: `PRAGMA application_id = ${APPLICATION_ID};
   CREATE TABLE origins (
     key BLOB PRIMARY KEY, origin TEXT NOT NULL, is_failing INTEGER NOT NULL, used_at INTEGER NOT NULL, bytes INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX origins_by_name ON origins (substr(origin, 1, 200));
   CREATE INDEX origins_by_use ON origins (is_failing, used_at);
   CREATE TABLE histories (key BLOB PRIMARY KEY, response TEXT, outage TEXT, body BLOB, events TEXT NOT NULL);
   CREATE TABLE leases (key BLOB PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL);
   CREATE TABLE totals (
     id INTEGER PRIMARY KEY CHECK (id = 1), origins INTEGER NOT NULL, bytes INTEGER NOT NULL,
     failing_origins INTEGER NOT NULL, failing_bytes INTEGER NOT NULL
   );
   INSERT INTO totals VALUES (1, 0, 0, 0, 0);
   CREATE TRIGGER origins_added AFTER INSERT ON origins BEGIN
     UPDATE totals SET origins = origins + 1, bytes = bytes + new.bytes,
       failing_origins = failing_origins + new.is_failing, failing_bytes = failing_bytes + new.is_failing * new.bytes;
   END;
   CREATE TRIGGER origins_removed AFTER DELETE ON origins BEGIN
     UPDATE totals SET origins = origins - 1, bytes = bytes - old.bytes,
       failing_origins = failing_origins - old.is_failing, failing_bytes = failing_bytes - old.is_failing * old.bytes;
   END;
   CREATE TRIGGER origins_changed AFTER UPDATE OF is_failing, bytes ON origins BEGIN
     UPDATE totals SET bytes = bytes + new.bytes - old.bytes, failing_origins = failing_origins + new.is_failing - old.is_failing,
       failing_bytes = failing_bytes + new.is_failing * new.bytes - old.is_failing * old.bytes;
   END;`,
    },
  ],
};

/** See open-store.ts. */
export async function openSqliteStore(path: string, options: StoreOptions = {}): Promise<FullStore> {
  checkStoreOptions('openSqliteStore', options);
  const limits = resolveLimits(options, SQLITE_LIMITS);
  const file = await openSqlite(path, {
    ...{ applicationId: APPLICATION_ID, createsFolder: true },
    hasLog: options.isDiskFull !== true,
  });
  try {
    const database = toSqlDatabase(file);
    await migrate(database, SCHEMA);
    return new SqlStore(database, new SqliteDialect(file), limits, options);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** A transaction has the file to itself, so that nothing must be locked. */
class SqliteDialect implements StoreDialect {
  readonly schema: Schema = SCHEMA;
  readonly tables: StoreTables = getTables('main');
  readonly #file: SqliteDatabase;

  constructor(file: SqliteDatabase) {
    this.#file = file;
  }

  async lockEntry(): Promise<void> {}

  async lockEviction(): Promise<boolean> {
    return true;
  }

  check(): void {
    this.#file.check();
  }

  requireSpace(): void {
    this.#file.requireSpace();
  }

  makeSpace(): Promise<void> {
    return this.#file.attempt(() => this.#file.restartFullLog());
  }

  /** Shrinks the file, in steps. */
  async returnSpace(): Promise<void> {
    const countFree = (): number =>
      (this.#file.get('PRAGMA freelist_count') as { freelist_count: number }).freelist_count;
    for (let free = await this.#file.attempt(countFree), last = Infinity; free > 0 && free < last; ) {
      last = free;
      await this.#file.attempt(() => this.#file.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`));
      free = await this.#file.attempt(countFree);
      // Requests come in between.
      await nextTurn();
    }
  }
}
