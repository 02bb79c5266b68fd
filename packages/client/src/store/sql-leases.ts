// Leases in a database. Their clock is the one that all owners share (`getLeaseTime`): a change of the wall clock of a machine changes neither
// when a lease expires nor who has it.
import { getLeaseTime, isLeasedAt, MAX_LEASE } from '../database/lease.ts';
import { joinSql, type Sql, type SqlConnection, type SqlDatabase, sql } from '../database/sql.ts';

/** Leases that one statement renews. */
const MAX_RENEWALS = 200;

/** Takes, renews and ends leases. */
export class SqlLeases {
  readonly #database: SqlDatabase;
  readonly #table: Sql;
  /** A connection for renewals alone: behind other statements in a queue they could come too late. */
  readonly #renewals: Pick<SqlConnection, 'run'>;

  constructor(database: SqlDatabase, table: Sql) {
    this.#database = database;
    this.#table = table;
    this.#renewals = database.reserveConnection();
  }

  /**
   * Takes a lease, or renews it.
   *
   * @param milliseconds - when it expires; at most {@link MAX_LEASE}.
   * @returns whether it was free.
   */
  async take(key: Buffer, owner: string, milliseconds: number): Promise<boolean> {
    const table = this.#table;
    const now = getLeaseTime(this.#database);
    // A look needs no turn to write and no lock, for which all who wait for leases would queue.
    const other = await this.#database.get(
      sql`select 1 as found from ${table} where key = ${key} and owner <> ${owner} and ${isLeasedAt('until', now)}`,
    );
    if (other !== undefined) return false;
    const taken = await this.#database.run(
      sql`insert into ${table} as current_lease (key, owner, until) values (${key}, ${owner}, ${now} + ${milliseconds})
          on conflict (key) do update set owner = excluded.owner, until = excluded.until
          where current_lease.owner = excluded.owner or not ${isLeasedAt('current_lease.until', now)}`,
    );
    return taken > 0;
  }

  /** Renews leases as far as their owners still have them. */
  async renew(
    leases: readonly { readonly key: Buffer; readonly owner: string }[],
    milliseconds: number,
  ): Promise<void> {
    for (let start = 0; start < leases.length; start += MAX_RENEWALS) {
      const own = leases
        .slice(start, start + MAX_RENEWALS)
        .map(({ key, owner }) => sql`(key = ${key} and owner = ${owner})`);
      await this.#renewals.run(
        sql`update ${this.#table} set until = ${getLeaseTime(this.#database)} + ${milliseconds} where ${joinSql(own, ' or ')}`,
      );
    }
  }

  /** Ends a lease. @returns whether the owner had it. */
  async end(connection: SqlConnection, key: Buffer, owner: string): Promise<boolean> {
    return (
      (await connection.run(sql`delete from ${this.#table} where key = ${key} and owner = ${owner}`)) > 0
    );
  }

  /** Removes leases that expired long ago. An owner that was paused for less finds its lease again, if no other client took it. */
  async removeExpired(): Promise<void> {
    const now = getLeaseTime(this.#database);
    await this.#database.run(
      sql`delete from ${this.#table} where until < ${now} - ${MAX_LEASE} or until > ${now} + ${MAX_LEASE}`,
    );
  }

  async removeAll(): Promise<void> {
    await this.#database.run(sql`delete from ${this.#table}`);
  }
}
