// Rows of a table that are due at times and that workers claim: scheduled audits, and access logs. Each belongs to a monitored site.
import { joinSql, rawSql, type Sql, type SqlConnection, type SqlValue, sql } from '@maycrawl/client/internal';
import type { Impact } from '../analysis/impact/impact-types.ts';
import type { SiteSettings } from '../site.ts';
import type { WatchDatabase } from '../storage/database.ts';
import { readSettings, recordImpacts } from '../storage/events.ts';
import { getLeaseEnd, isFree, skipLocked } from '../storage/rows.ts';
import type { EventRow } from '../storage/tables.ts';

/** Values of columns. */
type Columns = Readonly<Record<string, SqlValue>>;

/** From the attempt to read a damaged row to the next one, in milliseconds. */
const DAMAGE_PAUSE = 3_600_000;

/** @typeParam Key - columns that, with those of `local`, are the key of the table. */
export class ScheduledRows<Key extends Columns & { readonly origin: string }> {
  readonly #database: WatchDatabase;
  readonly #table: Sql;
  readonly #key: readonly string[];
  readonly #local: Columns;

  /** @param local - the columns of the rows that this process may claim. @defaultValue all rows */
  constructor(
    database: WatchDatabase,
    table: string,
    key: readonly (keyof Key & string)[],
    local: Columns = {},
  ) {
    this.#database = database;
    this.#table = rawSql(table);
    this.#key = key;
    this.#local = local;
  }

  /**
   * Claims the row that is due first: no other worker gets it before the lease has expired.
   *
   * @param read - reads the row, and the settings of its site; they are `undefined` if it is not monitored any more.
   * @throws what `read` throws; then the row is due again after an hour.
   */
  async claim<Row extends Key, T>(
    owner: string,
    now: number,
    read: (row: Row, site: SiteSettings | undefined) => T,
  ): Promise<T | undefined> {
    const found = await this.#database.db.transaction(async (transaction) => {
      const columns = rawSql([...this.#key, ...Object.keys(this.#local)].join(', '));
      const due = sql`select ${columns} from ${this.#table}
                      where ${this.#isLocal} and due_at <= ${now} and ${isFree(this.#database)}
                      order by due_at limit 1 ${skipLocked(transaction)}`;
      const [row] = await transaction.all<Row>(
        sql`update ${this.#table} set lease_owner = ${owner}, lease_until = ${getLeaseEnd(this.#database)}
            where (${columns}) in (${due}) returning *`,
      );
      return row && { row, site: await readSettings(transaction, row.origin) };
    });
    if (found === undefined) return undefined;
    try {
      return read(found.row, found.site && this.#database.targets.parseSettings(found.site));
    } catch (error) {
      await this.release(found.row, owner, { due_at: now + DAMAGE_PAUSE });
      throw error;
    }
  }

  /** Renews the claims of an owner. */
  async renew(owner: string): Promise<void> {
    await this.#database.renewals.run(
      sql`update ${this.#table} set lease_until = ${getLeaseEnd(this.#database)} where lease_owner = ${owner}`,
    );
  }

  /** Changes columns of a row. @returns whether the owner still has it. */
  async change(
    key: Key,
    owner: string,
    changes: Columns,
    connection: SqlConnection = this.#database.db,
  ): Promise<boolean> {
    const isRow = this.#areEqual(Object.fromEntries(this.#key.map((name) => [name, key[name] ?? null])));
    const count = await connection.run(
      sql`update ${this.#table} set ${joinSql(toEqualities(changes))}
          where ${isRow} and ${this.#isLocal} and lease_owner = ${owner}`,
    );
    return count > 0;
  }

  /** Changes columns of a row and releases it. @returns whether the owner had it. */
  release(key: Key, owner: string, changes: Columns, connection?: SqlConnection): Promise<boolean> {
    return this.change(key, owner, { ...changes, lease_owner: null, lease_until: null }, connection);
  }

  /**
   * Releases a row whose work has ended, and records the events of the work and their notifications, in one transaction. Nothing is recorded
   * if another worker has claimed the row meanwhile.
   *
   * @param at - of the events, in milliseconds since 1970.
   * @returns the events.
   */
  async end(
    key: Key,
    owner: string,
    changes: Columns,
    { at, impacts }: { readonly at: number; readonly impacts: readonly Impact[] },
  ): Promise<EventRow[]> {
    return this.#database.db.transaction(async (transaction) => {
      if (!(await this.release(key, owner, changes, transaction))) return [];
      return recordImpacts(transaction, this.#database.targets, { origin: key.origin, at, impacts });
    });
  }

  /** Returns when the next local row is due that no worker has claimed; `null` without one. */
  async nextDue(): Promise<number | null> {
    const row = await this.#database.db.get<{ next: number | null }>(
      sql`select min(due_at) as next from ${this.#table} where ${this.#isLocal} and ${isFree(this.#database)}`,
    );
    return row?.next ?? null;
  }

  /** A condition. */
  get #isLocal(): Sql {
    return this.#areEqual(this.#local);
  }

  #areEqual(columns: Columns): Sql {
    return joinSql([rawSql('true'), ...toEqualities(columns)], ' and ');
  }
}

function toEqualities(columns: Columns): Sql[] {
  return Object.entries(columns).map(([name, value]) => sql`${rawSql(name)} = ${value}`);
}
