/**
 * A store in a PostgreSQL database, which the machines of a fleet share.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { toSqlDatabase } from '../database/connection.ts';
import { PostgresLeases } from '../database/lease/postgres-leases.ts';
import { checkWritable, migrate } from '../database/migrate.ts';
import { openPostgres, type PostgresDatabase, type PostgresValue } from '../database/postgres.ts';
import { type CachedResponse, type Failure, NO_HISTORY, type OriginHistory } from '../robots/history.ts';
import { type Change, createChange } from '../robots/observation.ts';
import { KEPT_EVENTS, type StoreEvent } from '../robots/store-event.ts';
import { fromStored, fromStoredEvent, toStoreKey } from '../robots/stored.ts';
import {
  checkStoreOptions,
  createAgeLimit,
  POSTGRES_LIMITS,
  resolveLimits,
  type StoreLimits,
  type StoreOptions,
  USE_PRECISION,
} from './limits.ts';
import { type Changed, PostgresEntries, type PutCondition, type PutResult } from './postgres-entries.ts';
import { evict, readTotals } from './postgres-eviction.ts';
import { getOriginStart, POSTGRES_STORE, SCHEMA } from './postgres-schema.ts';
import type { EntryUsage, FullStore, Lease, Pruned, StoreStats } from './store.ts';
import { StoreError, toStoreError } from './store-error.ts';

/** A process looks whether the store is over its limits after this time, and after it wrote this share of them. Milliseconds. */
const PRUNE_INTERVAL = 300_000;
const PRUNE_SHARE = 1 / 1024;
/** How often a change is tried that others come before. */
const MAX_TRIES = 100;

/** See open-store.ts. */
export async function openPostgresStore(url: string, options: StoreOptions = {}): Promise<FullStore> {
  checkStoreOptions('openPostgresStore', options);
  const limits = resolveLimits(options, POSTGRES_LIMITS);
  let database: PostgresDatabase | undefined;
  try {
    database = await openPostgres(url, { applicationName: 'maycrawl' });
    await migrate(toSqlDatabase(database), POSTGRES_STORE);
    return new PostgresStore(database, limits, options);
  } catch (error) {
    await database?.close();
    throw toStoreError(error);
  }
}

class PostgresStore implements FullStore {
  readonly #database: PostgresDatabase;
  readonly #entries: PostgresEntries;
  readonly #leases: PostgresLeases;
  readonly #limits: StoreLimits;
  readonly #now: () => number;
  readonly #countsReads: boolean;
  readonly #getOldest: () => number | undefined;
  #closed: Promise<void> | undefined;
  /** What goes on that no caller waits for. */
  readonly #background: Set<Promise<void>> = new Set();
  #isPruning = false;
  #prunedAt: number = performance.now();
  /** The share of the limits that was written since the store was pruned. */
  #writtenShare = 0;
  #evictions = 0;
  #failures = 0;
  /** Why pruning failed the last time; `undefined` if it did not. */
  #pruneError: StoreError | undefined;

  constructor(database: PostgresDatabase, limits: StoreLimits, options: StoreOptions) {
    const { now = Date.now, countsReads = true } = options;
    this.#database = database;
    this.#entries = new PostgresEntries(database);
    this.#leases = new PostgresLeases(database, `${SCHEMA}.leases`);
    this.#limits = limits;
    this.#now = now;
    this.#countsReads = countsReads;
    this.#getOldest = createAgeLimit(limits.maxAge, now);
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    const key = toStoreKey(origin);
    const row = await this.#guard(() => this.#entries.read(key));
    if (row === undefined) return undefined;
    if (this.#countsReads && Math.abs(this.#now() - row.usedAt) > USE_PRECISION)
      this.#run(() =>
        this.#query(`UPDATE ${SCHEMA}.origins SET used_at = $2 WHERE key = $1`, [key, this.#now()]),
      );
    return fromStored(row);
  }

  async putResponse(origin: string, response: CachedResponse, owner?: string): Promise<OriginHistory> {
    const change = createChange({ response });
    // What the owner of the lease fetched takes the place of anything.
    if (owner !== undefined) {
      const changed = change(NO_HISTORY, true);
      const { isPut } = await this.#put(origin, changed as Changed, { owner, version: 'any' });
      return isPut ? (changed as Changed).history : ((await this.get(origin)) ?? NO_HISTORY);
    }
    return this.#change(origin, change, undefined);
  }

  async recordFailure(origin: string, failure: Failure, owner?: string): Promise<OriginHistory> {
    return this.#change(origin, createChange({ failure }), owner);
  }

  async list(limit: number, after = ''): Promise<string[]> {
    // Bytes of UTF-8 have the order of the characters; those of an origin are ASCII.
    const start = getOriginStart('origin');
    const rows = await this.#query<{ origin: Buffer }>(
      `SELECT origin FROM ${SCHEMA}.origins WHERE ${start} >= ${getOriginStart('$1::bytea')} AND origin > $1
       ORDER BY ${start}, origin LIMIT $2`,
      [Buffer.from(after), limit],
    );
    return rows.map(({ origin }) => origin.toString());
  }

  async events(origin: string): Promise<StoreEvent[]> {
    const rows = await this.#query<StoreEvent>(
      `SELECT at, kind, status, code, hash, bytes FROM ${SCHEMA}.events WHERE key = $1 ORDER BY id DESC LIMIT $2`,
      [toStoreKey(origin), KEPT_EVENTS],
    );
    return rows.map(fromStoredEvent);
  }

  async delete(origin?: string): Promise<number> {
    return this.#guard(() =>
      origin === undefined ? this.#entries.removeAll() : this.#entries.remove(toStoreKey(origin)),
    );
  }

  async lease(origin: string, owner: string, milliseconds: number): Promise<boolean> {
    return this.#guard(() => this.#leases.take(toStoreKey(origin), owner, milliseconds));
  }

  async renew(leases: readonly Lease[], milliseconds: number): Promise<void> {
    const owned = leases.map(({ origin, owner }) => ({ key: toStoreKey(origin), owner }));
    await this.#guard(() => this.#leases.renew(owned, milliseconds));
  }

  async release(origin: string, owner: string): Promise<void> {
    await this.#guard(() => this.#leases.release(toStoreKey(origin), owner));
  }

  async waitForRelease(origin: string, milliseconds: number): Promise<void> {
    await this.#leases.wait(toStoreKey(origin), milliseconds);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#leases.close();
    // What goes on may start something more.
    while (this.#background.size > 0) await Promise.all(this.#background);
    await this.#leases.close();
    await this.#database.close();
  }

  get evictions(): number {
    return this.#evictions;
  }

  async stats(): Promise<StoreStats> {
    const { origins, bytes } = await this.#guard(() => readTotals(this.#database));
    return { origins, bytes, evictions: this.#evictions, failures: this.#failures };
  }

  async check(): Promise<void> {
    if (!(await this.#guard(() => checkWritable(toSqlDatabase(this.#database), POSTGRES_STORE))))
      throw new StoreError('store-replaced', 'the tables of the store were replaced; restart the program');
    if (this.#pruneError !== undefined) throw this.#pruneError;
  }

  async prune(given: Partial<StoreLimits> = {}): Promise<Pruned> {
    const limits = resolveLimits(given, this.#limits);
    // The reads before this call count as use.
    await Promise.all(this.#background);
    const oldest = given.maxAge === undefined ? this.#getOldest() : this.#now() - limits.maxAge;
    return this.#evict(limits, oldest, true);
  }

  async getUsage(origin: string): Promise<EntryUsage | undefined> {
    const [row] = await this.#query<EntryUsage>(
      `SELECT bytes, used_at AS "usedAt" FROM ${SCHEMA}.origins WHERE key = $1`,
      [toStoreKey(origin)],
    );
    return row;
  }

  async #evict(limits: StoreLimits, oldest: number | undefined, waits: boolean): Promise<Pruned> {
    const { removed, removedBytes, totals } = await this.#guard(() =>
      evict(this.#database, {
        ...{ limits, oldest, waits },
        // The next process goes on with what is left.
        isStopped: () => this.#closed !== undefined,
        onStep: (count) => {
          this.#evictions += count;
        },
      }),
    );
    await this.#guard(() => this.#leases.removeExpired());
    return { removed, removedBytes, origins: totals.origins, bytes: totals.bytes };
  }

  /** Changes what is known. If another process was faster, the change applies to what that process stored. */
  async #change(origin: string, change: Change, owner: string | undefined): Promise<OriginHistory> {
    let fence = owner;
    let isOwner = owner !== undefined;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const row = await this.#guard(() => this.#entries.read(toStoreKey(origin)));
      const before = (row && fromStored(row)) ?? NO_HISTORY;
      const changed = change(before, isOwner);
      if (changed === undefined) return before;
      const version = row?.version ?? null;
      const { isMine, isPut } = await this.#put(origin, changed, { owner: fence, version });
      if (isPut) return changed.history;
      if (fence !== undefined && !isMine) return before;
      // The lease has ended in this step, which shows whose turn it was.
      fence = undefined;
      isOwner &&= isMine;
      await sleep(Math.random() * 5);
    }
    throw new StoreError('store-unavailable', `the store could not change what it knows of ${origin}`);
  }

  async #put(origin: string, changed: Changed, condition: PutCondition): Promise<PutResult> {
    const key = toStoreKey(origin);
    const put = await this.#guard(() => this.#entries.put(key, origin, changed, condition, this.#now()));
    if (put.isMine) this.#leases.notify(key);
    if (put.isPut) {
      this.#writtenShare += Math.max(put.bytes / this.#limits.maxBytes, 1 / this.#limits.maxOrigins);
      this.#pruneIfDue();
    }
    return put;
  }

  #pruneIfDue(): void {
    const isDue = this.#writtenShare > PRUNE_SHARE || performance.now() - this.#prunedAt > PRUNE_INTERVAL;
    if (!isDue || this.#isPruning || this.#closed !== undefined) return;
    this.#isPruning = true;
    this.#writtenShare = 0;
    this.#run(async () => {
      try {
        await this.#evict(this.#limits, this.#getOldest(), false);
        this.#pruneError = undefined;
      } catch (error) {
        this.#pruneError = error as StoreError;
      } finally {
        this.#isPruning = false;
        this.#prunedAt = performance.now();
      }
    });
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

  async #query<Row extends object>(text: string, values: readonly PostgresValue[] = []): Promise<Row[]> {
    return this.#guard(async () => (await this.#database.query<Row>(text, values)).rows);
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
