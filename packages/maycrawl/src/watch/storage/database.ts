// Opens the database of the monitor: a SQLite file for one machine, PostgreSQL for several.
import {
  getLeaseTime,
  isPostgresUrl,
  migrate,
  openDatabase,
  type PostgresOptions,
  type Sql,
  type SqlConnection,
  type SqlDatabase,
  sql,
} from '@maycrawl/client/internal';
import { createWatchSchema } from './schema.ts';
import { createSealedTargets, isKeyFileLost, type SealedTargets } from './sealed-targets.ts';

export interface WatchDatabase {
  readonly db: SqlDatabase;
  readonly targets: SealedTargets;
  /** Runs renewals of leases, which must not wait for other statements. */
  readonly renewals: Pick<SqlConnection, 'run'>;
  /** SQL: the time that all workers share for leases. */
  readonly leaseTime: () => Sql;
}

/** Lock of transactions that delete rows of several tables: one at a time, so that there is no deadlock. */
const DELETING_LOCK = 0x6d617978;
/** Lock of transactions that claim messages: one at a time, so that each claims all alerts of a message. */
const OUTBOX_LOCK = 0x6d617979;

/** Deadlines of a PostgreSQL database, in milliseconds. */
export type DatabaseDeadlines = Pick<PostgresOptions, 'connectTimeout' | 'statementTimeout'>;

/**
 * Opens a database, and brings its tables to the newest version.
 *
 * @param name - a path, or `postgres://user:password@host:port/database`.
 * @param environment - has the key that seals targets (sealed-targets.ts).
 * @param deadlines - of statements in PostgreSQL.
 * @throws {DatabaseError} if the database cannot be used.
 */
export async function openWatchDatabase(
  name: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
  deadlines: DatabaseDeadlines = {},
): Promise<WatchDatabase> {
  const db = await openDatabase(name, {
    // Commits must survive a power failure: notifications of an event may have been sent.
    sqlite: { survives: 'power-failure' },
    postgres: { applicationName: 'maycrawl-watch', ...deadlines },
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

/** The tolerated difference of the clocks of workers, in milliseconds. */
export const CLOCK_TOLERANCE = 300_000;
/** The longest pause before an attempt to deliver a message, in milliseconds. */
const LONGEST_PAUSE = 2 * 86_400_000;

/** Whether a stored time is of a clock that was ahead. Both are in milliseconds since 1970. */
export function isAhead(time: number, now: number): boolean {
  return time - now > CLOCK_TOLERANCE;
}

/**
 * Corrects times of a clock that was ahead: sites that were checked or audited, or whose logs were read, in the future are due, and messages do not wait for times that are
 * too far ahead.
 *
 * @param now - milliseconds since 1970.
 */
export async function correctTimes({ db }: WatchDatabase, now: number): Promise<void> {
  await db.run(
    sql`update watch_sites set due_at = ${now}, checked_at = ${now} where checked_at > ${now + CLOCK_TOLERANCE}`,
  );
  await db.run(
    sql`update watch_audits set due_at = ${now}, last_at = ${now} where last_at > ${now + CLOCK_TOLERANCE}`,
  );
  await db.run(
    sql`update watch_logs set due_at = ${now}, last_at = ${now} where last_at > ${now + CLOCK_TOLERANCE}`,
  );
  await db.run(sql`update watch_outbox set next_at = ${now} where next_at > ${now + LONGEST_PAUSE}`);
}

/** Locks deletion from several tables until the end of the transaction. */
export async function lockDeleting(transaction: SqlConnection): Promise<void> {
  await lock(transaction, DELETING_LOCK);
}

/** Locks claims and results of messages until the end of the transaction. */
export async function lockOutbox(transaction: SqlConnection): Promise<void> {
  await lock(transaction, OUTBOX_LOCK);
}

async function lock(transaction: SqlConnection, key: number): Promise<void> {
  // SQLite has one writer at a time.
  if (transaction.kind === 'postgres') await transaction.get(sql`select pg_advisory_xact_lock(${key})`);
}
