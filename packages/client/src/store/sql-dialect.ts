// What SQLite and PostgreSQL do not share: the tables, locks, and the space of a file.
import type { Schema } from '../database/migrate.ts';
import { rawSql, type Sql, type SqlConnection } from '../database/sql.ts';

export type StoreTables = Readonly<Record<'origins' | 'histories' | 'leases', Sql>> & {
  /** One row or several, whose sums are the totals of `origins`. Triggers update them. */
  readonly totals: Sql;
};

/** The part of a store that one database does in its own way. */
export interface StoreDialect {
  readonly schema: Schema;
  readonly tables: StoreTables;
  /** Locks an entry, which need not exist, until the end of the transaction. */
  lockEntry(transaction: SqlConnection, key: Buffer): Promise<void>;
  /**
   * Locks eviction until the end of the transaction.
   *
   * @param waits - whether to wait while another process evicts, or to leave it to that one.
   * @returns whether this process has the lock.
   */
  lockEviction(transaction: SqlConnection, waits: boolean): Promise<boolean>;
  /** @throws {DatabaseError} if the database was deleted or replaced, or has no space. */
  check(): void;
  /** @throws {DatabaseError} if what is written now could not be removed any more. */
  requireSpace(): void;
  /** Makes it possible to remove entries from a store without space. */
  makeSpace(): Promise<void>;
  /** Returns the space of removed entries to the file system. */
  returnSpace(): Promise<void>;
}

/** @param namespace - the schema that all tables are in. */
export function getTables(namespace: string): StoreTables {
  const [origins, histories, leases, totals] = ['origins', 'histories', 'leases', 'totals'].map((name) =>
    rawSql(`${namespace}.${name}`),
  ) as [Sql, Sql, Sql, Sql];
  return { origins, histories, leases, totals };
}
