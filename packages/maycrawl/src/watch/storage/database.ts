/**
 * Opens the database of the monitor: a SQLite file for one machine, PostgreSQL for several.
 *
 * @module
 */
import {
  getLeaseTime,
  isPostgresUrl,
  migrate,
  openDatabase,
  type Sql,
  type SqlConnection,
  type SqlDatabase,
  sql,
} from '@maycrawl/client/database';
import { createSealedTargets, isKeyFileLost, type SealedTargets } from './sealed-targets.ts';
import { createWatchSchema } from './tables.ts';

/** An open database. */
export interface WatchDatabase {
  readonly db: SqlDatabase;
  readonly targets: SealedTargets;
  /** Runs renewals of leases, which must not wait for other statements. */
  readonly renewals: Pick<SqlConnection, 'run'>;
  /** SQL: the time that all workers share for leases. */
  readonly leaseTime: () => Sql;
}

/** Those who delete rows of several tables do it one after another, so that none waits for another that waits for it. */
const DELETING_LOCK = 0x6d617978;
/** Those who claim messages, so that each gets all alerts of one. */
const OUTBOX_LOCK = 0x6d617979;

/**
 * Opens a database, and brings its tables to the newest version.
 *
 * @param name - a path, or `postgres://user:password@host:port/database`.
 * @param environment - where the key is that seals targets (sealed-targets.ts).
 * @throws {DatabaseError} if it cannot be used.
 */
export async function openWatchDatabase(
  name: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<WatchDatabase> {
  const db = await openDatabase(name, {
    // What is committed must survive a power failure: an event may have been reported already.
    sqlite: { survives: 'power-failure' },
    postgres: { applicationName: 'maycrawl-watch' },
  });
  try {
    await migrate(db, createWatchSchema(db.kind));
    const targets = isPostgresUrl(name)
      ? createSealedTargets(undefined, environment)
      : createSealedTargets(name, environment, await isKeyFileLost(name, db));
    return { db, targets, renewals: db.reserveConnection(), leaseTime: () => getLeaseTime(db) };
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** By how much clocks of workers that share a database may differ, in milliseconds. */
const CLOCK_TOLERANCE = 300_000;
/** No message waits longer for its next try. Milliseconds. */
const LONGEST_PAUSE = 2 * 86_400_000;

/**
 * Corrects times that a clock has written which was ahead: sites that were checked in the future are due, messages do not wait for times
 * that are too far ahead. (Leases that end too far ahead have expired.)
 *
 * @param now - milliseconds since 1970.
 */
export async function correctTimes({ db }: WatchDatabase, now: number): Promise<void> {
  await db.run(
    sql`update watch_sites set due_at = ${now}, checked_at = ${now} where checked_at > ${now + CLOCK_TOLERANCE}`,
  );
  await db.run(sql`update watch_outbox set next_at = ${now} where next_at > ${now + LONGEST_PAUSE}`);
}

/** Waits until no other process deletes rows of several tables. Then none does until the end of the transaction. */
export async function lockDeleting(transaction: SqlConnection): Promise<void> {
  await lock(transaction, DELETING_LOCK);
}

/** Waits until no other process claims messages, or records their delivery. */
export async function lockOutbox(transaction: SqlConnection): Promise<void> {
  await lock(transaction, OUTBOX_LOCK);
}

async function lock(transaction: SqlConnection, key: number): Promise<void> {
  // In SQLite there is one writer at a time.
  if (transaction.kind === 'postgres') await transaction.get(sql`select pg_advisory_xact_lock(${key})`);
}
