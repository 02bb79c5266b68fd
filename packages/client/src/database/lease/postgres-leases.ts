/**
 * Leases in a PostgreSQL database, in a table with the columns `key`, `owner` and `until`. Their clock is the server's.
 *
 * @module
 */
import { LRUCache } from 'lru-cache';
import { Batch } from '../batch.ts';
import type { PostgresDatabase } from '../postgres.ts';
import { isLeased, MAX_LEASE, SERVER_TIME } from './lease.ts';
import { NOTIFY, PostgresReleases } from './postgres-releases.ts';

/** Leases that one statement takes. */
const MAX_LEASES = 100;
/** Attempts to take a lease that are remembered for callers that are about to wait. */
const MAX_ATTEMPTS = 10_000;

/**
 * A statement that reads this does not wait for the disk when it commits: a lease that is lost when the server breaks down costs at
 * most one more request.
 */
const WITHOUT_SYNC = `WITH without_sync AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

interface WantedLease {
  readonly key: Buffer;
  readonly owner: string;
  readonly milliseconds: number;
}

/** Takes, renews and releases leases, and waits for their release. */
export class PostgresLeases {
  readonly #database: PostgresDatabase;
  readonly #table: string;
  /** A connection for renewals alone: behind other statements in a queue they could come too late. */
  readonly #renewals: Pick<PostgresDatabase, 'query'>;
  readonly #releases: PostgresReleases;
  /** Notifications before each attempt to take a lease that was not free. */
  readonly #attempts: LRUCache<string, number> = new LRUCache({ max: MAX_ATTEMPTS });
  readonly #batch: Batch<WantedLease, boolean> = new Batch(MAX_LEASES, (wanted) => this.#takeAll(wanted));
  /** Keys whose release other processes are to be notified of. */
  readonly #toNotify: Set<string> = new Set();
  #notifying: Promise<void> | undefined;

  /** @param table - its name. */
  constructor(database: PostgresDatabase, table: string) {
    this.#database = database;
    this.#table = table;
    this.#renewals = database.reserveConnection();
    this.#releases = new PostgresReleases(() => database.connect());
  }

  /**
   * Takes a lease, or renews it.
   *
   * @param milliseconds - when it expires; at most {@link MAX_LEASE}.
   * @returns whether it was free.
   */
  async take(key: Buffer, owner: string, milliseconds: number): Promise<boolean> {
    const name = key.toString('hex');
    const { count } = this.#releases;
    if (await this.#batch.add(name, { key, owner, milliseconds })) return true;
    this.#attempts.set(name, count);
    return false;
  }

  /** Renews leases as far as their owners still have them. */
  async renew(
    leases: readonly { readonly key: Buffer; readonly owner: string }[],
    milliseconds: number,
  ): Promise<void> {
    const table = this.#table;
    await this.#renewals.query(
      `${WITHOUT_SYNC} UPDATE ${table} SET until = ${SERVER_TIME} + $3
       FROM without_sync, unnest($1::bytea[], $2::text[]) AS own (key, owner)
       WHERE ${table}.key = own.key AND ${table}.owner = own.owner`,
      [leases.map(({ key }) => key), leases.map(({ owner }) => owner), milliseconds],
    );
  }

  /** Releases a lease, if the owner still has it. */
  async release(key: Buffer, owner: string): Promise<void> {
    const { rowCount } = await this.#database.query(
      `${WITHOUT_SYNC} DELETE FROM ${this.#table} USING without_sync WHERE key = $1 AND owner = $2 RETURNING 1`,
      [key, owner],
    );
    if (rowCount) this.notify(key);
  }

  /** Notifies all processes of a release. Releases during a notification are in the next one, together. */
  notify(key: Buffer): void {
    this.#toNotify.add(key.toString('hex'));
    // Callers who are not notified try again after a time.
    this.#notifying ??= this.#notifyAll()
      .catch(() => {})
      .finally(() => {
        this.#notifying = undefined;
      });
  }

  /** Resolves when a lease that was not free has been released, or after a number of milliseconds. */
  async wait(key: Buffer, milliseconds: number): Promise<void> {
    const name = key.toString('hex');
    const since = this.#attempts.get(name) ?? this.#releases.count;
    this.#attempts.delete(name);
    await this.#releases.wait(name, milliseconds, since);
  }

  /** Removes leases that expired long ago. */
  async removeExpired(): Promise<void> {
    await this.#database.query(
      `DELETE FROM ${this.#table} WHERE until < ${SERVER_TIME} - ${MAX_LEASE} OR until > ${SERVER_TIME} + ${MAX_LEASE}`,
    );
  }

  /** Ends all waits, and the notifications that are under way. */
  async close(): Promise<void> {
    await this.#releases.close();
    await this.#notifying;
  }

  async #notifyAll(): Promise<void> {
    while (this.#toNotify.size > 0) {
      const keys = [...this.#toNotify];
      this.#toNotify.clear();
      await this.#database.query(NOTIFY, [keys], 'notify');
    }
  }

  /**
   * The statement excludes the leases of other owners before the conflict, which would lock them. The order is the same in all processes, so that two that
   * take the same leases cannot wait for each other.
   */
  async #takeAll(wanted: readonly WantedLease[]): Promise<boolean[]> {
    const { rows } = await this.#database.query<{ key: Buffer }>(
      `${WITHOUT_SYNC}
       INSERT INTO ${this.#table} AS current_lease (key, owner, until)
       SELECT wanted.key, wanted.owner, ${SERVER_TIME} + wanted.milliseconds
       FROM without_sync, unnest($1::bytea[], $2::text[], $3::bigint[]) AS wanted (key, owner, milliseconds)
       WHERE NOT EXISTS (
         SELECT FROM ${this.#table} AS other WHERE other.key = wanted.key AND other.owner <> wanted.owner
           AND ${isLeased('other.until', SERVER_TIME)}
       )
       ORDER BY wanted.key
       ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until
       WHERE current_lease.owner = excluded.owner OR NOT ${isLeased('current_lease.until', SERVER_TIME)}
       RETURNING key`,
      [
        wanted.map(({ key }) => key),
        wanted.map(({ owner }) => owner),
        wanted.map(({ milliseconds }) => milliseconds),
      ],
      'lease',
    );
    const taken = new Set(rows.map(({ key }) => key.toString('hex')));
    return wanted.map(({ key }) => taken.has(key.toString('hex')));
  }
}
