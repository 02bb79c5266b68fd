/**
 * Waiting for the release of leases in a SQLite file. SQLite notifies no other process. While callers wait, the store looks at
 * `PRAGMA data_version`, which changes with each commit of another connection and costs a few microseconds.
 *
 * @module
 */
import type { SqliteDatabase } from '../sqlite.ts';
import { ReleaseWaiters } from './release-waiters.ts';

/** Pauses between two looks: short after a change, longer when nothing changes. Milliseconds. */
const SHORTEST_PAUSE = 2;
const LONGEST_PAUSE = 50;
/** The pause is this share of the time since the last change. */
const PAUSE_SHARE = 0.1;

/** Wakes callers whose lease is released, by this process or by another. */
export class SqliteReleases {
  readonly #database: SqliteDatabase;
  readonly #isLeased: (key: Buffer) => boolean;
  readonly #waiters: ReleaseWaiters = new ReleaseWaiters();
  #timer: NodeJS.Timeout | undefined;
  #version: number | undefined;
  #changedAt = 0;

  /** @param isLeased - whether a client has the lease of a key now. */
  constructor(database: SqliteDatabase, isLeased: (key: Buffer) => boolean) {
    this.#database = database;
    this.#isLeased = isLeased;
  }

  /** Resolves when the lease is free, or after a number of milliseconds. */
  async wait(key: Buffer, milliseconds: number): Promise<void> {
    const waiting = this.#waiters.wait(key.toString('hex'), milliseconds);
    if (this.#timer === undefined) {
      // The lease may have been released before this caller waited: the first look is at all leases.
      this.#version = undefined;
      this.#changedAt = performance.now();
      this.#schedule();
    } else if (!this.#isLeased(key)) this.wake(key);
    await waiting;
  }

  /** Wakes those in this process: its own commits do not change the data version that it sees. */
  wake(key: Buffer): void {
    this.#waiters.wake(key.toString('hex'));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#waiters.wakeAll();
  }

  #schedule(): void {
    const pause = (performance.now() - this.#changedAt) * PAUSE_SHARE;
    this.#timer = setTimeout(() => this.#look(), Math.min(Math.max(pause, SHORTEST_PAUSE), LONGEST_PAUSE));
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#waiters.isEmpty) return;
    try {
      const row = this.#database.get('PRAGMA data_version') as { data_version: number };
      if (row.data_version !== this.#version) {
        this.#version = row.data_version;
        this.#changedAt = performance.now();
        for (const key of this.#waiters.keys)
          if (!this.#isLeased(Buffer.from(key, 'hex'))) this.#waiters.wake(key);
      }
    } catch {
      // Each caller tries to take its lease again, and meets the error there.
      this.#waiters.wakeAll();
    }
    if (!this.#waiters.isEmpty) this.#schedule();
  }
}
