/**
 * Opens the database of the monitor: a SQLite file for one machine, PostgreSQL for several.
 *
 * @module
 */
import { type Dialect, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely';
import { StoreError } from '../store/store.ts';
import { createTables, SCHEMA_VERSION, type Tables } from './tables.ts';

/** An open database, and what of it differs between the two kinds. */
export interface WatchDatabase {
  readonly db: Kysely<Tables>;
  readonly isPostgres: boolean;
}

/** How long a writer waits for another one, in milliseconds. */
const BUSY_TIMEOUT = 10_000;
/** Only one program makes the tables. */
const SCHEMA_LOCK = 0x6d617977;
/** PostgreSQL's 64-bit integers, which the driver would give as text. Times and counts fit into a number. */
const INT8 = 20;

/**
 * Opens it, and makes the tables if they are not there.
 *
 * @param name - a path, or `postgres://user:password@host:port/database`.
 * @throws {StoreError} if it cannot be used.
 */
export async function openWatchDatabase(name: string): Promise<WatchDatabase> {
  const isPostgres = /^postgres(ql)?:\/\//.test(name);
  let db: Kysely<Tables> | undefined;
  try {
    db = new Kysely<Tables>({ dialect: isPostgres ? await postgres(name) : await sqlite(name) });
    const version = isPostgres
      ? await db.transaction().execute(async (transaction) => {
          await sql`select pg_advisory_xact_lock(${SCHEMA_LOCK})`.execute(transaction);
          return createTables(transaction, true);
        })
      : await createTables(db, false);
    if (version > SCHEMA_VERSION)
      throw new StoreError('store-from-the-future', 'the database was made by a later version of maycrawl');
    return { db, isPostgres };
  } catch (cause) {
    await db?.destroy();
    if (cause instanceof StoreError) throw cause;
    // The name of a database may have a password in it, a message of its driver has not.
    const what = isPostgres ? 'the database' : name;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StoreError('store-unavailable', `cannot use ${what}: ${reason}`, { cause });
  }
}

async function sqlite(path: string): Promise<Dialect> {
  const { default: Database } = await import('better-sqlite3');
  const file = new Database(path, { timeout: BUSY_TIMEOUT });
  file.pragma('journal_mode = WAL');
  // What is committed must outlive a power cut: an event may have been told already.
  file.pragma('synchronous = FULL');
  return new SqliteDialect({ database: file });
}

async function postgres(url: string): Promise<Dialect> {
  const { default: pg } = await import('pg');
  const types = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
  };
  const pool = new pg.Pool({ connectionString: url, types, application_name: 'maycrawl-watch', max: 10 });
  pool.on('error', () => {});
  return new PostgresDialect({ pool });
}
