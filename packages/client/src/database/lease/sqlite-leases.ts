/**
 * Leases in a SQLite file, in the table `leases (key, owner, until)`. Their clock is the time since the machine was started, which all its
 * processes share: a change of the wall clock changes neither when a lease expires nor who has it.
 *
 * @module
 */
import type { SqliteDatabase } from '../sqlite.ts';
import { getMonotonicTime, isLeased, MAX_LEASE } from './lease.ts';
import { SqliteReleases } from './sqlite-releases.ts';

/** Takes, renews and releases leases. The caller runs each step in a turn of the database ({@link SqliteDatabase.attempt}). */
export class SqliteLeases {
  readonly #database: SqliteDatabase;
  readonly #releases: SqliteReleases;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#releases = new SqliteReleases(database, (key) => this.#find(key, '') !== undefined);
  }

  /**
   * Takes a lease, or renews it.
   *
   * @param milliseconds - when it expires; at most {@link MAX_LEASE}.
   * @returns whether it was free.
   */
  async take(key: Buffer, owner: string, milliseconds: number): Promise<boolean> {
    const now = getMonotonicTime();
    // A look needs no turn to write, for which all processes that wait for leases would queue.
    if (await this.#database.attempt(() => this.#find(key, owner))) return false;
    const changes = await this.#database.attempt(() =>
      this.#database.run(
        `INSERT INTO leases (key, owner, until) VALUES (?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until
         WHERE leases.owner = excluded.owner OR NOT ${isLeased('leases.until', '?')}`,
        key,
        owner,
        now + milliseconds,
        now,
        now,
      ),
    );
    return changes > 0;
  }

  /** Renews a lease, if the owner still has it. */
  renew(key: Buffer, owner: string, milliseconds: number): void {
    this.#database.run(
      'UPDATE leases SET until = ? WHERE key = ? AND owner = ?',
      getMonotonicTime() + milliseconds,
      key,
      owner,
    );
  }

  /** Ends a lease. Other processes notice the commit; {@link wake} wakes those who wait in this one. @returns whether the owner had it. */
  end(key: Buffer, owner: string): boolean {
    return this.#database.run('DELETE FROM leases WHERE key = ? AND owner = ?', key, owner) > 0;
  }

  /** Wakes those who wait in this process. */
  wake(key: Buffer): void {
    this.#releases.wake(key);
  }

  /** Resolves when the lease is free, or after a number of milliseconds. */
  wait(key: Buffer, milliseconds: number): Promise<void> {
    return this.#releases.wait(key, milliseconds);
  }

  /**
   * Removes leases that expired long ago. An owner that was paused for less finds its lease again, if no other client took it.
   *
   * @param age - milliseconds.
   */
  removeExpired(age: number): void {
    const now = getMonotonicTime();
    this.#database.run('DELETE FROM leases WHERE until < ? OR until > ?', now - age, now + MAX_LEASE);
  }

  close(): void {
    this.#releases.close();
  }

  /** A lease that runs and is not of this owner. */
  #find(key: Buffer, notOf: string): object | undefined {
    const now = getMonotonicTime();
    return this.#database.get(
      `SELECT 1 FROM leases WHERE key = ? AND owner <> ? AND ${isLeased('until', '?')}`,
      key,
      notOf,
      now,
      now,
    );
  }
}
