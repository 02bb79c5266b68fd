// A store in a database: SQLite (sqlite.ts) or PostgreSQL (postgres.ts).
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseError } from '../database/database-error.ts';
import { checkWritable } from '../database/migrate.ts';
import type { SqlDatabase } from '../database/sql.ts';
import { NO_HISTORY, type OriginHistory } from '../robots/history.ts';
import { createChange, type Observation } from '../robots/observation.ts';
import type { StoreEvent } from '../robots/store-event.ts';
import { fromStored, fromStoredEvents, toStoreKey } from '../robots/stored.ts';
import {
  createAgeLimit,
  resolveLimits,
  type StoreLimits,
  type StoreOptions,
  USE_PRECISION,
} from './limits.ts';
import type { StoreDialect } from './sql-dialect.ts';
import { SqlEntries } from './sql-entries.ts';
import { readTotals, SqlEviction } from './sql-eviction.ts';
import { SqlLeases } from './sql-leases.ts';
import type { EntryUsage, FullStore, Lease, Pruned, StoreStats } from './store.ts';

/** A process looks whether the store is over its limits after this time, and after it wrote this share of them. Milliseconds. */
const PRUNE_INTERVAL = 300_000;
const PRUNE_SHARE = 1 / 1024;
/** Uses are recorded after this time in milliseconds, or with this number of them. */
const USE_INTERVAL = 60_000;
const MAX_PENDING_USES = 500;

/** Stores histories in a database. */
export class SqlStore implements FullStore {
  readonly #database: SqlDatabase;
  readonly #dialect: StoreDialect;
  readonly #entries: SqlEntries;
  readonly #leases: SqlLeases;
  readonly #limits: StoreLimits;
  readonly #now: () => number;
  readonly #countsReads: boolean;
  readonly #getOldest: () => number | undefined;
  /** Entries that were read, and whose use is not recorded. */
  readonly #uses: Map<string, Buffer> = new Map();
  #usesRecordedAt: number = performance.now();
  /** What goes on that no caller waits for. */
  readonly #background: Set<Promise<void>> = new Set();
  #closed: Promise<void> | undefined;
  #isPruning = false;
  /** A process that writes one entry and ends prunes, too. */
  #prunedAt = Number.NEGATIVE_INFINITY;
  /** The share of the limits that was written since the store was pruned. */
  #writtenShare = 0;
  #evictions = 0;
  #failures = 0;
  /** Why pruning failed the last time; `undefined` if it did not. */
  #pruneError: unknown;

  /** @param database - with the tables of the dialect. The store closes it. */
  constructor(database: SqlDatabase, dialect: StoreDialect, limits: StoreLimits, options: StoreOptions) {
    const { now = Date.now, countsReads = true } = options;
    this.#database = database;
    this.#dialect = dialect;
    this.#entries = new SqlEntries(dialect.tables);
    this.#leases = new SqlLeases(database, dialect.tables.leases);
    this.#limits = limits;
    this.#now = now;
    this.#countsReads = countsReads;
    this.#getOldest = createAgeLimit(limits.maxAge, now);
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    const key = toStoreKey(origin);
    const row = await this.#guard(() => this.#entries.read(this.#database, key));
    if (row === undefined) return undefined;
    if (this.#countsReads && Math.abs(this.#now() - row.usedAt) > USE_PRECISION) this.#addUse(key);
    return fromStored(row);
  }

  async record(origin: string, observation: Observation, owner?: string): Promise<OriginHistory> {
    const key = toStoreKey(origin);
    const change = createChange(observation);
    const { history, bytes } = await this.#guard(async () => {
      this.#dialect.requireSpace();
      return this.#database.transaction(async (transaction) => {
        await this.#dialect.lockEntry(transaction, key);
        const entry = await this.#entries.read(transaction, key);
        const before = (entry && fromStored(entry)) ?? NO_HISTORY;
        const events = fromStoredEvents(entry?.events);
        const isOwner = owner !== undefined && (await this.#leases.end(transaction, key, owner));
        const changed = owner === undefined || isOwner ? change(before, isOwner) : undefined;
        if (changed === undefined) return { history: before, bytes: 0 };
        const newest = [changed.event, ...events];
        return {
          history: changed.history,
          bytes: await this.#entries.put(transaction, origin, key, changed.history, newest, this.#now()),
        };
      });
    });
    if (bytes > 0) {
      this.#writtenShare += Math.max(bytes / this.#limits.maxBytes, 1 / this.#limits.maxOrigins);
      // In SQLite a step has ended then: also a program that writes without a pause stays within the limits.
      if (this.#pruneIfDue()) await nextTurn();
    }
    return history;
  }

  list(limit: number, after = ''): Promise<string[]> {
    return this.#guard(() => this.#entries.list(this.#database, limit, after));
  }

  async events(origin: string): Promise<StoreEvent[]> {
    const row = await this.#guard(() => this.#entries.read(this.#database, toStoreKey(origin)));
    return fromStoredEvents(row?.events);
  }

  delete(origin?: string): Promise<number> {
    return this.#guard(async () => {
      if (origin !== undefined) {
        const keys = [toStoreKey(origin)];
        return (await this.#database.transaction((transaction) => this.#entries.remove(transaction, keys)))
          .length;
      }
      const removed = await this.#entries.removeAll(this.#database);
      await this.#leases.removeAll();
      return removed;
    });
  }

  lease(origin: string, owner: string, milliseconds: number): Promise<boolean> {
    return this.#guard(() => this.#leases.take(toStoreKey(origin), owner, milliseconds));
  }

  async renew(leases: readonly Lease[], milliseconds: number): Promise<void> {
    const owned = leases.map(({ origin, owner }) => ({ key: toStoreKey(origin), owner }));
    await this.#guard(() => this.#leases.renew(owned, milliseconds));
  }

  async release(origin: string, owner: string): Promise<void> {
    await this.#guard(() => this.#leases.end(this.#database, toStoreKey(origin), owner));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#recordUses();
    await Promise.all(this.#background);
    await this.#database.close();
  }

  get evictions(): number {
    return this.#evictions;
  }

  async stats(): Promise<StoreStats> {
    const { origins, bytes } = await this.#guard(() => readTotals(this.#database, this.#dialect.tables));
    return { origins, bytes, evictions: this.#evictions, failures: this.#failures };
  }

  async check(): Promise<void> {
    await this.#guard(async () => {
      this.#dialect.check();
      if (!(await checkWritable(this.#database, this.#dialect.schema)))
        throw new DatabaseError(
          'database-replaced',
          'the tables of the store were replaced; restart the program',
        );
    });
    if (this.#pruneError !== undefined) throw this.#pruneError;
  }

  async prune(given: Partial<StoreLimits> = {}): Promise<Pruned> {
    const limits = resolveLimits(given, this.#limits);
    const oldest = given.maxAge === undefined ? this.#getOldest() : this.#now() - limits.maxAge;
    // The reads before this call count as use.
    await Promise.all(this.#background);
    const pruned = await this.#evict(limits, oldest, true);
    await this.#guard(() => this.#dialect.returnSpace());
    return pruned;
  }

  getUsage(origin: string): Promise<EntryUsage | undefined> {
    return this.#guard(() => this.#entries.readUsage(this.#database, toStoreKey(origin)));
  }

  async #evict(limits: StoreLimits, oldest: number | undefined, waits: boolean): Promise<Pruned> {
    await this.#guard(() => this.#dialect.makeSpace());
    await this.#recordUses();
    const eviction = new SqlEviction(this.#dialect, this.#entries, {
      ...{ limits, oldest, waits },
      // The next process goes on with what is left.
      isStopped: () => this.#closed !== undefined,
      onStep: (count) => {
        this.#evictions += count;
      },
    });
    const { removed, removedBytes, totals } = await this.#guard(() => eviction.run(this.#database));
    await this.#guard(() => this.#leases.removeExpired());
    return { removed, removedBytes, origins: totals.origins, bytes: totals.bytes };
  }

  /** Prunes in the background. @returns whether it is time to prune, which may go on already. */
  #pruneIfDue(): boolean {
    const isDue = this.#writtenShare > PRUNE_SHARE || performance.now() - this.#prunedAt > PRUNE_INTERVAL;
    if (!isDue || this.#closed !== undefined) return false;
    if (this.#isPruning) return true;
    this.#isPruning = true;
    this.#writtenShare = 0;
    this.#run(async () => {
      try {
        await this.#evict(this.#limits, this.#getOldest(), false);
        this.#pruneError = undefined;
      } catch (error) {
        this.#pruneError = error;
      } finally {
        this.#isPruning = false;
        this.#prunedAt = performance.now();
      }
    });
    return true;
  }

  /** A use is recorded later, together with others. */
  #addUse(key: Buffer): void {
    this.#uses.set(key.toString('hex'), key);
    const isDue =
      this.#uses.size >= MAX_PENDING_USES || performance.now() - this.#usesRecordedAt > USE_INTERVAL;
    if (isDue && this.#closed === undefined) this.#run(() => this.#recordUses());
  }

  /** Records that entries were used. If that fails, it is counted, and they seem not to have been used for longer. */
  async #recordUses(): Promise<void> {
    const keys = [...this.#uses.values()];
    this.#uses.clear();
    this.#usesRecordedAt = performance.now();
    if (keys.length > 0)
      await this.#guard(() => this.#entries.recordUse(this.#database, keys, this.#now())).catch(() => {});
  }

  /** Does something that no caller waits for. A failure of it is counted where it happens. */
  #run(work: () => Promise<unknown>): void {
    const done = work()
      .catch(() => {})
      .then(() => {
        this.#background.delete(done);
      });
    this.#background.add(done);
  }

  /** Counts failures. */
  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#failures++;
      throw error;
    }
  }
}
