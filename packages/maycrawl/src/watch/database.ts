/**
 * Opens the database of the monitor: a SQLite file for one machine, PostgreSQL for several.
 *
 * @module
 */

import {
  DatabaseError,
  loadBetterSqlite,
  loadPostgres,
  makePrivateDatabase,
} from '@maycrawl/client/database';
import { StoreError } from '@maycrawl/client/store';
import type { Database } from 'better-sqlite3';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresDialect,
  SqliteDialect,
  SqliteDriver,
  sql,
  type Transaction,
} from 'kysely';
import { createSealedTargets, type SealedTargets } from './sealed-targets.ts';
import { createTables, SCHEMA_VERSION, type Tables } from './tables.ts';

/** An open database, and what of it differs between the two kinds. */
export interface WatchDatabase {
  readonly db: Kysely<Tables>;
  readonly isPostgres: boolean;
  readonly targets: SealedTargets;
}

/** How long a writer waits for another one, in milliseconds. */
const BUSY_TIMEOUT = 10_000;
/** Only one program makes the tables. */
const SCHEMA_LOCK = 0x6d617977;
/** Those who delete rows of several tables do it one after another, so that none waits for another that waits for it. */
const DELETING_LOCK = 0x6d617978;
/** Those who take on messages, so that each gets all alerts of one. */
const TELLING_LOCK = 0x6d617979;
/** PostgreSQL's 64-bit integers, which the driver would give as text. Times and counts fit into a number. */
const INT8 = 20;

/**
 * Opens it, and makes the tables if they are not there.
 *
 * @param name - a path, or `postgres://user:password@host:port/database`.
 * @param environment - where the key is that seals targets (sealed-targets.ts).
 * @throws {StoreError} if it cannot be used.
 */
export async function openWatchDatabase(
  name: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<WatchDatabase> {
  const isPostgres = /^postgres(ql)?:\/\//.test(name);
  let db: Kysely<Tables> | undefined;
  try {
    db = new Kysely<Tables>({ dialect: isPostgres ? await postgres(name) : await sqlite(name) });
    const version = await db.transaction().execute(async (transaction) => {
      if (isPostgres) await sql`select pg_advisory_xact_lock(${SCHEMA_LOCK})`.execute(transaction);
      return createTables(transaction, isPostgres);
    });
    if (version > SCHEMA_VERSION)
      throw new StoreError('store-from-the-future', 'the database was made by a later version of maycrawl');
    return { db, isPostgres, targets: createSealedTargets(isPostgres ? undefined : name, environment) };
  } catch (cause) {
    await db?.destroy();
    if (cause instanceof StoreError) throw cause;
    if (cause instanceof DatabaseError) throw new StoreError('store-unavailable', cause.message, { cause });
    // The name of a database may have a password in it, a message of its driver has not.
    const what = isPostgres ? 'the database' : name;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError('store-unavailable', `cannot use ${what}: ${reason}`, { cause });
  }
}

/** By how much clocks of workers that share a database may differ, in milliseconds. */
const CLOCK_TOLERANCE = 300_000;
/** No lease is longer. Milliseconds. */
const LONGEST_LEASE = 86_400_000;
/** No message waits longer for its next try. Milliseconds. */
const LONGEST_PAUSE = 2 * 86_400_000;

/**
 * Corrects times that a clock has written which was ahead: sites that were checked in the future are due, messages and claims do not wait
 * for times that are too far ahead.
 *
 * @param now - milliseconds since 1970.
 */
export async function correctTimes({ db }: WatchDatabase, now: number): Promise<void> {
  const free = { lease_owner: null, lease_until: null } as const;
  const sites = db.updateTable('watch_sites');
  await sites
    .set({ due_at: now, checked_at: now })
    .where('checked_at', '>', now + CLOCK_TOLERANCE)
    .execute();
  await sites
    .set(free)
    .where('lease_until', '>', now + LONGEST_LEASE)
    .execute();
  const messages = db.updateTable('watch_outbox');
  await messages
    .set({ next_at: now })
    .where('next_at', '>', now + LONGEST_PAUSE)
    .execute();
  await messages
    .set(free)
    .where('lease_until', '>', now + LONGEST_LEASE)
    .execute();
}

/** Waits until nobody else deletes rows of several tables, which then nobody does until the end of the transaction. */
export async function lockDeleting(database: WatchDatabase, transaction: Transaction<Tables>): Promise<void> {
  await lock(database, transaction, DELETING_LOCK);
}

/** Waits until nobody else takes on messages, or writes down what came of them. */
export async function lockTelling(database: WatchDatabase, transaction: Transaction<Tables>): Promise<void> {
  await lock(database, transaction, TELLING_LOCK);
}

async function lock(
  { isPostgres }: WatchDatabase,
  transaction: Transaction<Tables>,
  key: number,
): Promise<void> {
  // In SQLite there is one writer at a time.
  if (isPostgres) await sql`select pg_advisory_xact_lock(${key})`.execute(transaction);
}

async function sqlite(path: string): Promise<Dialect> {
  const Database = await loadBetterSqlite();
  // Settings have targets with secrets in them.
  makePrivateDatabase(path);
  const file = new Database(path, { timeout: BUSY_TIMEOUT });
  file.pragma('journal_mode = WAL');
  // What is committed must outlive a power cut: an event may have been told already.
  file.pragma('synchronous = FULL');
  return new ImmediateDialect(file);
}

async function postgres(url: string): Promise<Dialect> {
  const pg = await loadPostgres();
  const types = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
  };
  const pool = new pg.Pool({ connectionString: url, types, application_name: 'maycrawl-watch', max: 10 });
  pool.on('error', () => {});
  // Of a client in use: whoever uses it is told by what was asked of it.
  pool.on('connect', (client) => client.on('error', () => {}));
  return new PostgresDialect({ pool });
}

/**
 * SQLite whose transactions are those of a writer from their beginning. One that only reads at first could not write any more when
 * another program has written meanwhile, and would not wait for it but fail.
 */
class ImmediateDialect extends SqliteDialect {
  readonly #file: Database;

  constructor(file: Database) {
    super({ database: file });
    this.#file = file;
  }

  override createDriver(): Driver {
    return new ImmediateDriver(this.#file);
  }
}

class ImmediateDriver extends SqliteDriver {
  readonly #file: Database;

  constructor(file: Database) {
    super({ database: file });
    this.#file = file;
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    // After an error such as a full disk SQLite has rolled back itself, and a second time is an error that would hide the first.
    if (this.#file.inTransaction) await super.rollbackTransaction(connection);
  }
}
