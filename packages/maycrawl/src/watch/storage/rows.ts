// SQL and leases that several tables of the monitor share.
import {
  isLeasedAt,
  joinSql,
  LeaseRenewal,
  rawSql,
  type Sql,
  type SqlConnection,
  type SqlValue,
  sql,
} from '@maycrawl/client/internal';
import type { WatchDatabase } from './database.ts';

/** How long a worker has what it claimed after its last renewal, in milliseconds of the time that all workers share. */
export const LEASE_TIME = 12_000;
/** Rows of one statement. */
const CHUNK = 500;

/** Returns a list of values for `in`. It must not be empty. */
export function toSqlList(values: readonly SqlValue[]): Sql {
  return sql`(${joinSql(values)})`;
}

/** Splits a list into parts for one statement each. */
export function* splitIntoChunks<T>(values: readonly T[]): Generator<T[]> {
  for (let from = 0; from < values.length; from += CHUNK) yield values.slice(from, from + CHUNK);
}

/** Returns an `insert` of rows with the same columns. There must be one row. */
export function insertInto(table: string, rows: readonly object[]): Sql {
  const columns = Object.keys(rows[0] as object);
  const values = rows.map(
    (row) => sql`(${joinSql(columns.map((name) => (row as Record<string, SqlValue>)[name] ?? null))})`,
  );
  return sql`insert into ${rawSql(table)} (${rawSql(columns.join(', '))}) values ${joinSql(values)}`;
}

/** A condition: no worker has claimed the row. */
export function isFree({ leaseTime }: WatchDatabase): Sql {
  return sql`not ${isLeasedAt('lease_until', leaseTime())}`;
}

/** The end of a lease that is taken or renewed now. */
export function getLeaseEnd({ leaseTime }: WatchDatabase): Sql {
  return sql`${leaseTime()} + ${rawSql(String(LEASE_TIME))}`;
}

/** Ends a `select`: locks its rows, and skips those that other transactions have locked. SQLite has one writer at a time. */
export function skipLocked({ kind }: SqlConnection): Sql {
  return rawSql(kind === 'postgres' ? 'for update skip locked' : '');
}

/** Runs work, and renews leases until it ends. */
export async function renewWhile(renew: () => Promise<void>, work: () => Promise<unknown>): Promise<void> {
  const renewal = new LeaseRenewal(renew, LEASE_TIME);
  renewal.start();
  try {
    await work();
  } finally {
    renewal.stop();
  }
}
