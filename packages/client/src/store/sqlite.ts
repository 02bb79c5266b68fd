/**
 * A store in one SQLite file, which several processes of one machine can share.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { toSqlDatabase } from '../database/connection.ts';
import { SqliteLeases } from '../database/lease/sqlite-leases.ts';
import { migrate } from '../database/migrate.ts';
import { openSqlite, type SqliteDatabase } from '../database/sqlite.ts';
import { type CachedResponse, type Failure, NO_HISTORY, type OriginHistory } from '../robots/history.ts';
import { type Change, createChange } from '../robots/observation.ts';
import { KEPT_EVENTS, type StoreEvent } from '../robots/store-event.ts';
import { fromStored, fromStoredEvent, type StoredRow, toStoreKey } from '../robots/stored.ts';
import {
  checkStoreOptions,
  createAgeLimit,
  resolveLimits,
  SQLITE_LIMITS,
  type StoreLimits,
  type StoreOptions,
  USE_PRECISION,
} from './limits.ts';
import { putEntry, readEntry, removeEntry } from './sqlite-entries.ts';
import { type EvictionStep, evictSome, readTotals } from './sqlite-eviction.ts';
import { APPLICATION_ID, SQLITE_STORE } from './sqlite-schema.ts';
import type { EntryUsage, FullStore, Lease, Pruned, StoreStats } from './store.ts';
import { toStoreError } from './store-error.ts';

/** With this number of uses that are not written down, they are. */
const MAX_PENDING_USES = 500;
/** How often a store looks for entries and leases that are too old. Milliseconds. */
const SWEEP_INTERVAL = 60_000;
/** How many pages a step of pruning gives back to the file system. */
const VACUUM_PAGES = 500;

/** See open-store.ts. */
export async function openSqliteStore(path: string, options: StoreOptions = {}): Promise<FullStore> {
  checkStoreOptions('openSqliteStore', options);
  const limits = resolveLimits(options, SQLITE_LIMITS);
  let database: SqliteDatabase | undefined;
  try {
    database = await openSqlite(path, {
      ...{ applicationId: APPLICATION_ID, createsFolder: true },
      hasLog: options.isDiskFull !== true,
    });
    await migrate(toSqlDatabase(database), SQLITE_STORE);
    return new SqliteStore(database, limits, options);
  } catch (error) {
    database?.close();
    throw toStoreError(error);
  }
}

class SqliteStore implements FullStore {
  readonly #database: SqliteDatabase;
  readonly #limits: StoreLimits;
  readonly #now: () => number;
  readonly #countsReads: boolean;
  readonly #getOldest: () => number | undefined;
  readonly #leases: SqliteLeases;
  /** Entries that were read, and whose use is not written down. */
  readonly #uses: Map<string, Buffer> = new Map();
  #sweptAt = Number.NEGATIVE_INFINITY;
  #evictions = 0;
  #failures = 0;

  constructor(
    database: SqliteDatabase,
    limits: StoreLimits,
    { now = Date.now, countsReads = true }: StoreOptions,
  ) {
    this.#database = database;
    this.#leases = new SqliteLeases(database);
    this.#limits = limits;
    this.#now = now;
    this.#countsReads = countsReads;
    this.#getOldest = createAgeLimit(limits.maxAge, now);
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    const key = toStoreKey(origin);
    const row = await this.#run(() =>
      this.#database.get<StoredRow & { readonly usedAt: number | null }>(
        'SELECT answer, outage, body, used_at AS usedAt FROM origins LEFT JOIN usage USING (key) WHERE key = ?',
        key,
      ),
    );
    if (row === undefined) return undefined;
    if (this.#countsReads && Math.abs(this.#now() - (row.usedAt ?? 0)) > USE_PRECISION) {
      this.#uses.set(key.toString('hex'), key);
      if (this.#uses.size >= MAX_PENDING_USES) await this.#flushUses();
    }
    return fromStored(row);
  }

  async putResponse(origin: string, response: CachedResponse, owner?: string): Promise<OriginHistory> {
    return this.#change(origin, createChange({ response }), owner);
  }

  async recordFailure(origin: string, failure: Failure, owner?: string): Promise<OriginHistory> {
    return this.#change(origin, createChange({ failure }), owner);
  }

  async list(limit: number, after = ''): Promise<string[]> {
    const rows = await this.#run(() =>
      this.#database.all<{ origin: string }>(
        'SELECT origin FROM origins WHERE origin > ? ORDER BY origin LIMIT ?',
        after,
        limit,
      ),
    );
    return rows.map(({ origin }) => origin);
  }

  async events(origin: string): Promise<StoreEvent[]> {
    const rows = await this.#run(() =>
      this.#database.all<StoreEvent>(
        'SELECT at, kind, status, code, hash, bytes FROM events WHERE key = ? ORDER BY id DESC LIMIT ?',
        toStoreKey(origin),
        KEPT_EVENTS,
      ),
    );
    return rows.map(fromStoredEvent);
  }

  async delete(origin?: string): Promise<number> {
    return this.#write(() => {
      if (origin !== undefined) return removeEntry(this.#database, toStoreKey(origin)) ? 1 : 0;
      const count = this.#database.run('DELETE FROM origins');
      for (const table of ['events', 'leases', 'usage']) this.#database.run(`DELETE FROM ${table}`);
      return count;
    });
  }

  async lease(origin: string, owner: string, milliseconds: number): Promise<boolean> {
    return this.#guard(() => this.#leases.take(toStoreKey(origin), owner, milliseconds));
  }

  async renew(leases: readonly Lease[], milliseconds: number): Promise<void> {
    await this.#write(() => {
      for (const { origin, owner } of leases) this.#leases.renew(toStoreKey(origin), owner, milliseconds);
    });
  }

  async release(origin: string, owner: string): Promise<void> {
    const key = toStoreKey(origin);
    if (await this.#run(() => this.#leases.end(key, owner))) this.#leases.wake(key);
  }

  async waitForRelease(origin: string, milliseconds: number): Promise<void> {
    await this.#leases.wait(toStoreKey(origin), milliseconds);
  }

  async close(): Promise<void> {
    this.#leases.close();
    await this.#flushUses();
    this.#database.close();
  }

  get evictions(): number {
    return this.#evictions;
  }

  async stats(): Promise<StoreStats> {
    const { origins, bytes } = await this.#run(() => readTotals(this.#database));
    return { origins, bytes, evictions: this.#evictions, failures: this.#failures };
  }

  async check(): Promise<void> {
    try {
      this.#database.check();
    } catch (error) {
      this.#failures++;
      throw toStoreError(error);
    }
    await this.#run(() => this.#database.run('UPDATE totals SET checked_at = ?', this.#now()));
  }

  async prune(given: Partial<StoreLimits> = {}): Promise<Pruned> {
    const limits = resolveLimits(given, this.#limits);
    const oldest = given.maxAge === undefined ? this.#getOldest() : this.#now() - limits.maxAge;
    let removed = 0;
    let removedBytes = 0;
    await this.#run(() => this.#database.restartFullLog());
    await this.#flushUses();
    for (let step: EvictionStep | undefined; step?.isDone !== true; ) {
      step = await this.#write(() => this.#evict(limits, oldest));
      removed += step.removed;
      removedBytes += step.removedBytes;
      await this.#run(() => this.#database.restartFullLog());
      // Requests come in between.
      await sleep(0);
    }
    await this.#giveSpaceBack();
    const { origins, bytes } = await this.#run(() => readTotals(this.#database));
    return { removed, removedBytes, origins, bytes };
  }

  async getUsage(origin: string): Promise<EntryUsage | undefined> {
    return this.#run(() =>
      this.#database.get<EntryUsage>(
        'SELECT bytes, used_at AS usedAt FROM usage WHERE key = ?',
        toStoreKey(origin),
      ),
    );
  }

  async #change(origin: string, change: Change, owner: string | undefined): Promise<OriginHistory> {
    const key = toStoreKey(origin);
    // What fills the disk cannot be removed any more.
    await this.#run(() => this.#database.requireSpace());
    const history = await this.#write(() => {
      const before = readEntry(this.#database, key) ?? NO_HISTORY;
      if (owner !== undefined && !this.#leases.end(key, owner)) return before;
      const changed = change(before, owner !== undefined);
      if (changed === undefined) return before;
      this.#writeUses();
      putEntry(this.#database, key, origin, changed, this.#now());
      this.#evict(this.#limits, this.#sweep());
      return changed.history;
    });
    if (owner !== undefined) this.#leases.wake(key);
    return history;
  }

  #evict(limits: StoreLimits, oldest: number | undefined): EvictionStep {
    const step = evictSome(this.#database, limits, oldest);
    this.#evictions += step.removed;
    return step;
  }

  /** Removes leases that expired long ago. @returns the time before which entries are too old, if it is time to look for them. */
  #sweep(): number | undefined {
    const now = performance.now();
    if (now - this.#sweptAt < SWEEP_INTERVAL) return undefined;
    this.#sweptAt = now;
    this.#leases.removeExpired(SWEEP_INTERVAL);
    return this.#getOldest();
  }

  /** Writes down when entries were used. If that fails, it is counted, and they seem not to have been used for longer. */
  async #flushUses(): Promise<void> {
    if (this.#uses.size > 0) await this.#write(() => this.#writeUses()).catch(() => {});
  }

  #writeUses(): void {
    for (const key of this.#uses.values())
      this.#database.run('UPDATE usage SET used_at = ? WHERE key = ?', this.#now(), key);
    this.#uses.clear();
  }

  /** Shrinks the file, in steps. One that was created before version 2 cannot be shrunk so; it uses its free pages again. */
  async #giveSpaceBack(): Promise<void> {
    const countFree = (): number =>
      (this.#database.get('PRAGMA freelist_count') as { freelist_count: number }).freelist_count;
    for (let free = await this.#run(countFree), last = Infinity; free > 0 && free < last; ) {
      last = free;
      await this.#run(() => this.#database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`));
      free = await this.#run(countFree);
      await sleep(0);
    }
  }

  /** Does several things as one step that no other process can come into. */
  #write<T>(work: () => T): Promise<T> {
    return this.#run(() => this.#database.transaction(work));
  }

  /** Runs statements, and again while another process writes. @throws {StoreError} if they fail. */
  #run<T>(work: () => T): Promise<T> {
    return this.#guard(() => this.#database.attempt(work));
  }

  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#failures++;
      throw toStoreError(error);
    }
  }
}
