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
import { StoreUpkeep } from './upkeep.ts';

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
  readonly #upkeep: StoreUpkeep;
  #closed: Promise<void> | undefined;
  #evictions = 0;

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
    this.#upkeep = new StoreUpkeep(limits, () => this.#evict(limits, this.#getOldest(), false));
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    const key = toStoreKey(origin);
    const row = await this.#upkeep.guard(() => this.#entries.read(this.#database, key));
    if (row === undefined) return undefined;
    if (this.#countsReads && Math.abs(this.#now() - row.usedAt) > USE_PRECISION) this.#addUse(key);
    return fromStored(row);
  }

  async record(origin: string, observation: Observation, owner?: string): Promise<OriginHistory> {
    const key = toStoreKey(origin);
    const change = createChange(observation);
    const { history, bytes } = await this.#upkeep.guard(async () => {
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
      // In SQLite a step has ended then: also a program that writes without a pause stays within the limits.
      if (this.#upkeep.addWritten(bytes)) await nextTurn();
    }
    return history;
  }

  list(limit: number, after = ''): Promise<string[]> {
    return this.#upkeep.guard(() => this.#entries.list(this.#database, limit, after));
  }

  async events(origin: string): Promise<StoreEvent[]> {
    const row = await this.#upkeep.guard(() => this.#entries.read(this.#database, toStoreKey(origin)));
    return fromStoredEvents(row?.events);
  }

  delete(origin?: string): Promise<number> {
    return this.#upkeep.guard(async () => {
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
    return this.#upkeep.guard(() => this.#leases.take(toStoreKey(origin), owner, milliseconds));
  }

  async renew(leases: readonly Lease[], milliseconds: number): Promise<void> {
    const owned = leases.map(({ origin, owner }) => ({ key: toStoreKey(origin), owner }));
    await this.#upkeep.guard(() => this.#leases.renew(owned, milliseconds));
  }

  async release(origin: string, owner: string): Promise<void> {
    await this.#upkeep.guard(() => this.#leases.end(this.#database, toStoreKey(origin), owner));
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#upkeep.close();
    await this.#recordUses();
    await this.#upkeep.idle();
    await this.#database.close();
  }

  get evictions(): number {
    return this.#evictions;
  }

  async stats(): Promise<StoreStats> {
    const { origins, bytes } = await this.#upkeep.guard(() =>
      readTotals(this.#database, this.#dialect.tables),
    );
    return { origins, bytes, evictions: this.#evictions, failures: this.#upkeep.failures };
  }

  async check(): Promise<void> {
    await this.#upkeep.guard(async () => {
      this.#dialect.check();
      if (!(await checkWritable(this.#database, this.#dialect.schema)))
        throw new DatabaseError(
          'database-replaced',
          'the tables of the store were replaced; restart the program',
        );
    });
    await this.#upkeep.requirePruned();
  }

  async prune(given: Partial<StoreLimits> = {}): Promise<Pruned> {
    const limits = resolveLimits(given, this.#limits);
    const oldest = given.maxAge === undefined ? this.#getOldest() : this.#now() - limits.maxAge;
    // The reads before this call count as use.
    await this.#upkeep.idle();
    const pruned = await this.#evict(limits, oldest, true);
    await this.#upkeep.guard(() => this.#dialect.returnSpace());
    return pruned;
  }

  getUsage(origin: string): Promise<EntryUsage | undefined> {
    return this.#upkeep.guard(() => this.#entries.readUsage(this.#database, toStoreKey(origin)));
  }

  async #evict(limits: StoreLimits, oldest: number | undefined, waits: boolean): Promise<Pruned> {
    await this.#upkeep.guard(() => this.#dialect.makeSpace());
    await this.#recordUses();
    const eviction = new SqlEviction(this.#dialect, this.#entries, {
      ...{ limits, oldest, waits },
      // The next process goes on with what is left.
      isStopped: () => this.#upkeep.isClosed,
      onStep: (count) => {
        this.#evictions += count;
      },
    });
    const { removed, removedBytes, totals } = await this.#upkeep.guard(() => eviction.run(this.#database));
    await this.#upkeep.guard(() => this.#leases.removeExpired());
    return { removed, removedBytes, origins: totals.origins, bytes: totals.bytes };
  }

  /** A use is recorded later, together with others. */
  #addUse(key: Buffer): void {
    this.#uses.set(key.toString('hex'), key);
    const isDue =
      this.#uses.size >= MAX_PENDING_USES || performance.now() - this.#usesRecordedAt > USE_INTERVAL;
    if (isDue && !this.#upkeep.isClosed) this.#upkeep.run(() => this.#recordUses());
  }

  /** Records that entries were used. If that fails, it is counted, and they seem not to have been used for longer. */
  async #recordUses(): Promise<void> {
    const keys = [...this.#uses.values()];
    this.#uses.clear();
    this.#usesRecordedAt = performance.now();
    if (keys.length > 0)
      await this.#upkeep
        .guard(() => this.#entries.recordUse(this.#database, keys, this.#now()))
        .catch(() => {});
  }
}
