/**
 * A store in one SQLite file, which several processes of one machine can share.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { byAnswer, byFailure, type Change } from '../robots/change.ts';
import { KEPT_EVENTS, type StoreEvent } from '../robots/events.ts';
import { type Failure, type GoodAnswer, NO_HISTORY, type OriginHistory } from '../robots/history.ts';
import { fromStored, keyOf, type StoredRow, sizeOfStored, toStored } from '../robots/stored.ts';
import {
  createAgeLimit,
  resolveLimits,
  SQLITE_LIMITS,
  type StoreLimits,
  type StoreOptions,
} from './limits.ts';
import type { SqliteStatement } from './sqlite-driver.ts';
import { type EvictionStep, evictSome, readTotals, recordUsage, removeEntry } from './sqlite-eviction.ts';
import {
  BUSY_TIMEOUT,
  isBusy,
  openStoreFile,
  requireFile,
  runImmediately,
  type StoreFile,
  toStoreError,
} from './sqlite-file.ts';
import { SqliteReleases } from './sqlite-releases.ts';
import {
  type EntryUsage,
  type FullStore,
  type Lease,
  MAX_LEASE,
  type Pruned,
  type StoreStats,
} from './store.ts';

/** A use is written down if the last one is longer ago than this. Milliseconds. */
const USE_PRECISION = 3_600_000;
/** With this number of uses that are not written down, they are. */
const MAX_PENDING_USES = 500;
/** How often a store looks for entries and leases that are too old. Milliseconds. */
const SWEEP_INTERVAL = 60_000;
/** How many pages a step of pruning gives back to the file system. */
const VACUUM_PAGES = 500;

/**
 * Opens a store in a file, which is created if it does not exist, with the folders that it is in. The file is for its owner alone.
 *
 * @throws {StoreError} if the file cannot be opened, is no store, or is of a later version; or if there is no SQLite: neither
 *   the optional dependency better-sqlite3 nor Node's own.
 * @throws {RangeError} for a limit that is no positive number.
 */
export async function openSqliteStore(path: string, options: StoreOptions = {}): Promise<FullStore> {
  const limits = resolveLimits(options, SQLITE_LIMITS);
  return new SqliteStore(await openStoreFile(path), limits, options);
}

class SqliteStore implements FullStore {
  readonly #file: StoreFile;
  readonly #limits: StoreLimits;
  readonly #now: () => number;
  readonly #countsReads: boolean;
  readonly #getOldest: () => number | undefined;
  readonly #statements: Map<string, SqliteStatement> = new Map();
  readonly #prepare = (sql: string): SqliteStatement => {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#file.database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  };
  readonly #releases: SqliteReleases = new SqliteReleases(this.#prepare, (key) => this.#isLeased(key));
  /** Entries that were read, and whose use is not written down. */
  readonly #uses: Map<string, Buffer> = new Map();
  #sweptAt = Number.NEGATIVE_INFINITY;
  #evictions = 0;
  #failures = 0;

  constructor(file: StoreFile, limits: StoreLimits, { now = Date.now, countsReads = true }: StoreOptions) {
    this.#file = file;
    this.#limits = limits;
    this.#now = now;
    this.#countsReads = countsReads;
    this.#getOldest = createAgeLimit(limits.maxAge, now);
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    const key = keyOf(origin);
    const row = (await this.#run(() =>
      this.#prepare(
        'SELECT answer, outage, body, used_at AS usedAt FROM origins LEFT JOIN usage USING (key) WHERE key = ?',
      ).get(key),
    )) as (StoredRow & { readonly usedAt: number | null }) | undefined;
    if (row === undefined) return undefined;
    if (this.#countsReads && Math.abs(this.#now() - (row.usedAt ?? 0)) > USE_PRECISION) {
      this.#uses.set(key.toString('hex'), key);
      if (this.#uses.size >= MAX_PENDING_USES) await this.#flushUses();
    }
    return fromStored(row);
  }

  async putAnswer(origin: string, answer: GoodAnswer, owner?: string): Promise<OriginHistory> {
    return this.#change(origin, byAnswer(answer), owner);
  }

  async recordFailure(origin: string, failure: Failure, owner?: string): Promise<OriginHistory> {
    return this.#change(origin, byFailure(failure), owner);
  }

  async list(limit: number, after = ''): Promise<string[]> {
    const rows = await this.#run(() =>
      this.#prepare('SELECT origin FROM origins WHERE origin > ? ORDER BY origin LIMIT ?').all(after, limit),
    );
    return (rows as { origin: string }[]).map(({ origin }) => origin);
  }

  async events(origin: string): Promise<StoreEvent[]> {
    const rows = await this.#run(() =>
      this.#prepare(
        'SELECT at, kind, status, code, hash, bytes FROM events WHERE key = ? ORDER BY id DESC LIMIT ?',
      ).all(keyOf(origin), KEPT_EVENTS),
    );
    return (rows as StoreEvent[]).map((row) => ({ ...row }));
  }

  async delete(origin?: string): Promise<number> {
    return this.#write(() => {
      if (origin !== undefined) return removeEntry(this.#prepare, keyOf(origin)) ? 1 : 0;
      const { changes } = this.#prepare('DELETE FROM origins').run();
      for (const table of ['events', 'leases', 'usage']) this.#prepare(`DELETE FROM ${table}`).run();
      return Number(changes);
    });
  }

  async lease(origin: string, owner: string, milliseconds: number): Promise<boolean> {
    const now = monotonicTime();
    const parameters = { key: keyOf(origin), owner, until: now + milliseconds, now, latest: now + MAX_LEASE };
    // A look needs no turn to write, for which all processes that wait for leases would queue.
    const others = await this.#run(() =>
      this.#prepare('SELECT 1 FROM leases WHERE key = ? AND owner <> ? AND until > ? AND until <= ?').get(
        parameters.key,
        owner,
        now,
        parameters.latest,
      ),
    );
    if (others !== undefined) return false;
    const { changes } = await this.#run(() =>
      this.#prepare(
        `INSERT INTO leases (key, owner, until) VALUES (@key, @owner, @until)
         ON CONFLICT (key) DO UPDATE SET owner = @owner, until = @until
         WHERE owner = @owner OR until <= @now OR until > @latest`,
      ).run(parameters),
    );
    return Number(changes) > 0;
  }

  async renew(leases: readonly Lease[], milliseconds: number): Promise<void> {
    await this.#write(() => {
      const until = monotonicTime() + milliseconds;
      for (const { origin, owner } of leases)
        this.#prepare('UPDATE leases SET until = ? WHERE key = ? AND owner = ?').run(
          ...[until, keyOf(origin), owner],
        );
    });
  }

  async release(origin: string, owner: string): Promise<void> {
    const key = keyOf(origin);
    if (await this.#run(() => this.#removeLease(key, owner))) this.#releases.wake(key);
  }

  async waitForRelease(origin: string, milliseconds: number): Promise<void> {
    await this.#releases.wait(keyOf(origin), milliseconds);
  }

  async close(): Promise<void> {
    this.#releases.close();
    await this.#flushUses();
    this.#statements.clear();
    this.#file.database.close();
  }

  async stats(): Promise<StoreStats> {
    const { origins, bytes } = await this.#run(() => readTotals(this.#prepare));
    return { origins, bytes, evictions: this.#evictions, failures: this.#failures };
  }

  async check(): Promise<void> {
    try {
      requireFile(this.#file);
    } catch (error) {
      this.#failures++;
      throw error;
    }
    await this.#run(() => this.#prepare('UPDATE totals SET checked_at = ?').run(this.#now()));
  }

  async prune(given: Partial<StoreLimits> = {}): Promise<Pruned> {
    const limits = resolveLimits(given, this.#limits);
    const oldest = given.maxAge === undefined ? this.#getOldest() : this.#now() - limits.maxAge;
    let removed = 0;
    let removedBytes = 0;
    await this.#flushUses();
    for (let step: EvictionStep | undefined; step?.isDone !== true; ) {
      step = await this.#write(() => this.#evict(limits, oldest));
      removed += step.removed;
      removedBytes += step.removedBytes;
      // Requests come in between.
      await sleep(0);
    }
    await this.#giveSpaceBack();
    const { origins, bytes } = await this.#run(() => readTotals(this.#prepare));
    return { removed, removedBytes, origins, bytes };
  }

  async getUsage(origin: string): Promise<EntryUsage | undefined> {
    const row = await this.#run(() =>
      this.#prepare('SELECT bytes, used_at AS usedAt FROM usage WHERE key = ?').get(keyOf(origin)),
    );
    return row === undefined ? undefined : { ...(row as EntryUsage) };
  }

  #read(key: Buffer): OriginHistory | undefined {
    const row = this.#prepare('SELECT answer, outage, body FROM origins WHERE key = ?').get(key) as
      | StoredRow
      | undefined;
    return row && fromStored(row);
  }

  async #change(origin: string, change: Change, owner: string | undefined): Promise<OriginHistory> {
    const key = keyOf(origin);
    const history = await this.#write(() => {
      const before = this.#read(key) ?? NO_HISTORY;
      if (owner !== undefined && !this.#removeLease(key, owner)) return before;
      const changed = change(before, owner !== undefined);
      if (changed === undefined) return before;
      this.#writeUses();
      this.#put(key, origin, changed.history, changed.event);
      this.#evict(this.#limits, this.#sweep());
      return changed.history;
    });
    if (owner !== undefined) this.#releases.wake(key);
    return history;
  }

  #put(key: Buffer, origin: string, history: OriginHistory, event: StoreEvent): void {
    const stored = toStored(history);
    const { answer, outage, body } = stored;
    this.#prepare(
      'INSERT OR REPLACE INTO origins (key, origin, answer, outage, body) VALUES (?,?,?,?,?)',
    ).run(...[key, origin, answer, outage, body]);
    this.#addEvent(key, event);
    const bytes = 3 * origin.length + sizeOfStored(stored);
    recordUsage(this.#prepare, key, { isFailing: outage !== null, usedAt: this.#now(), bytes });
  }

  #addEvent(key: Buffer, { at, kind, status, code, hash, bytes }: StoreEvent): void {
    this.#prepare('INSERT INTO events (key, at, kind, status, code, hash, bytes) VALUES (?,?,?,?,?,?,?)').run(
      ...[key, at, kind, status, code, hash, bytes],
    );
    this.#prepare(
      `DELETE FROM events WHERE key = @key AND id <= (
         SELECT id FROM events WHERE key = @key ORDER BY id DESC LIMIT 1 OFFSET @kept
       )`,
    ).run({ key, kept: KEPT_EVENTS });
  }

  #evict(limits: StoreLimits, oldest: number | undefined): EvictionStep {
    const step = evictSome(this.#prepare, limits, oldest);
    this.#evictions += step.removed;
    return step;
  }

  /** Removes leases that expired long ago. @returns the time before which entries are too old, if it is time to look for them. */
  #sweep(): number | undefined {
    const now = monotonicTime();
    if (now - this.#sweptAt < SWEEP_INTERVAL) return undefined;
    this.#sweptAt = now;
    // An owner that was paused for less than that finds its lease again, if no other client took it.
    this.#prepare('DELETE FROM leases WHERE until < ? OR until > ?').run(
      ...[now - SWEEP_INTERVAL, now + MAX_LEASE],
    );
    return this.#getOldest();
  }

  #isLeased(key: Buffer): boolean {
    const now = monotonicTime();
    return (
      this.#prepare('SELECT 1 FROM leases WHERE key = ? AND until > ? AND until <= ?').get(
        ...[key, now, now + MAX_LEASE],
      ) !== undefined
    );
  }

  #removeLease(key: Buffer, owner: string): boolean {
    return (
      Number(this.#prepare('DELETE FROM leases WHERE key = ? AND owner = ?').run(key, owner).changes) > 0
    );
  }

  /** Writes down when entries were used. If that fails, it is counted, and they seem not to have been used for longer. */
  async #flushUses(): Promise<void> {
    if (this.#uses.size > 0) await this.#write(() => this.#writeUses()).catch(() => {});
  }

  #writeUses(): void {
    for (const key of this.#uses.values())
      this.#prepare('UPDATE usage SET used_at = ? WHERE key = ?').run(this.#now(), key);
    this.#uses.clear();
  }

  /** Shrinks the file, in steps. One that was created before version 2 cannot be shrunk so; it uses its free pages again. */
  async #giveSpaceBack(): Promise<void> {
    const countFree = (): number =>
      (this.#prepare('PRAGMA freelist_count').get() as { freelist_count: number }).freelist_count;
    for (let free = await this.#run(countFree), last = Infinity; free > 0 && free < last; ) {
      last = free;
      await this.#run(() => this.#file.database.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`));
      free = await this.#run(countFree);
      await sleep(0);
    }
  }

  /** Does several things as one step that no other process can come into. */
  #write<T>(work: () => T): Promise<T> {
    return this.#run(() => runImmediately(this.#file.database, work));
  }

  /** Runs statements, and again while another process writes. @throws {StoreError} if they fail. */
  async #run<T>(work: () => T): Promise<T> {
    for (const giveUpAt = performance.now() + BUSY_TIMEOUT; ; ) {
      try {
        return work();
      } catch (error) {
        if (isBusy(error) && performance.now() < giveUpAt) {
          await sleep(1 + Math.random() * 4);
          continue;
        }
        this.#failures++;
        throw toStoreError(error, this.#file.path);
      }
    }
  }
}

/**
 * Milliseconds since the machine was started, the same for all its processes. A change of the wall clock changes neither when a lease
 * expires nor who has it.
 */
function monotonicTime(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
