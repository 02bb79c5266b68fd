/**
 * A store in a PostgreSQL database, which the machines of a fleet share.
 *
 * @module
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, ClientConfig, Pool, PoolConfig, QueryResultRow } from 'pg';
import { byAnswer, byFailure, type Change } from '../robots/change.ts';
import { KEPT_EVENTS, type StoreEvent } from '../robots/events.ts';
import { type Failure, type GoodAnswer, NO_HISTORY, type OriginHistory } from '../robots/history.ts';
import { fromStored, keyOf, type StoredRow, sizeOfStored, toStored } from '../robots/stored.ts';
import { Batch } from './batch.ts';
import {
  createAgeLimit,
  POSTGRES_LIMITS,
  resolveLimits,
  type StoreLimits,
  type StoreOptions,
} from './limits.ts';
import { loadPostgres } from './optional-drivers.ts';
import { BYTES, evict, readTotals } from './postgres-eviction.ts';
import { NOTIFY, PostgresReleases } from './postgres-releases.ts';
import {
  ENTRY_BYTES,
  EVENT_BYTES,
  isConflict,
  migrate,
  SCHEMA,
  SCHEMA_VERSION,
  SERVER_TIME,
  toStoreError,
  transact,
} from './postgres-schema.ts';
import {
  type EntryUsage,
  type FullStore,
  type Lease,
  MAX_LEASE,
  type Pruned,
  StoreError,
  type StoreStats,
} from './store.ts';

const CONNECT_TIMEOUT = 5_000;
const STATEMENT_TIMEOUT = 10_000;
/** A use is written down if the last one is longer ago than this. Milliseconds. */
const USE_PRECISION = 3_600_000;
/** A process looks whether the store is over its limits after this time, and after it wrote this share of them. Milliseconds. */
const PRUNE_INTERVAL = 300_000;
const PRUNE_SHARE = 1 / 64;
/** How often a change is tried that others come before. */
const MAX_TRIES = 100;
/** Entries that one statement reads: their files together are at most 10 MB. */
const MAX_READS = 20;
/** Leases that one statement takes. */
const MAX_LEASES = 100;
/** How often a statement is tried that the server gives up because of others. */
const MAX_CONFLICTS = 10;
/** Attempts to take a lease that are remembered for callers that are about to wait. */
const MAX_ATTEMPTS = 10_000;

/** The driver gives 64-bit numbers as text, since they may be more than a number can hold. Times and versions are not. */
type Integer = string;

/**
 * Opens a store in a PostgreSQL database, and brings its tables to the newest version. They are in the schema `maycrawl`.
 *
 * @param url - `postgres://user:password@host:port/database`.
 * @throws {StoreError} if the database cannot be reached, or is of a later version; or if `pg`, which is an optional
 *   dependency, is not installed.
 * @throws {RangeError} for a limit that is no positive number.
 * @throws {TypeError} if `url` is no string, or is empty.
 */
export async function openPostgresStore(url: string, options: StoreOptions = {}): Promise<FullStore> {
  // Without a URL the driver would connect to any server on this machine.
  if (typeof url !== 'string' || url === '') throw new TypeError(`not the URL of a database: ${String(url)}`);
  const limits = resolveLimits(options, POSTGRES_LIMITS);
  const { Pool, Client } = await loadPostgres();
  const config: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    // Of the client's own, for a server that does not answer any more.
    query_timeout: STATEMENT_TIMEOUT,
    application_name: 'maycrawl',
  };
  const createPool = (options: PoolConfig): Pool => {
    const created = new Pool({ ...config, ...options });
    // A connection that breaks while it is unused affects no caller: the next one is new.
    created.on('error', () => {});
    // Of a client in use, its query reports the error.
    created.on('connect', (client) => client.on('error', () => {}));
    return created;
  };
  let pool: Pool | undefined;
  try {
    pool = createPool({});
    await migrate(pool);
  } catch (cause) {
    await pool?.end();
    throw toStoreError(cause);
  }
  const connect = async (): Promise<Client> => {
    const client = new Client(config);
    await client.connect();
    return client;
  };
  const renewals = createPool({ max: 1 });
  return new PostgresStore({ pool, renewals }, new PostgresReleases(connect), limits, options);
}

interface VersionedRow extends StoredRow {
  readonly key: Buffer;
  readonly version: Integer;
  readonly usedAt: Integer;
}

class PostgresStore implements FullStore {
  readonly #pool: Pool;
  /** A connection for renewals alone: behind other statements in a queue they could come too late. */
  readonly #renewals: Pool;
  readonly #releases: PostgresReleases;
  readonly #limits: StoreLimits;
  readonly #now: () => number;
  readonly #countsReads: boolean;
  readonly #getOldest: () => number | undefined;
  /** Notifications before each attempt to take a lease that was not free. */
  readonly #attempts: Map<string, number> = new Map();
  readonly #reads: Batch<Buffer, VersionedRow | undefined> = new Batch(MAX_READS, (keys) =>
    this.#readAll(keys),
  );
  readonly #leases: Batch<WantedLease, boolean> = new Batch(MAX_LEASES, (wanted) => this.#leaseAll(wanted));
  /** Keys whose release other processes are to be notified of. */
  readonly #toNotify: Set<string> = new Set();
  #isNotifying = false;
  #closed: Promise<void> | undefined;
  /** What goes on that no caller waits for. */
  readonly #background: Set<Promise<void>> = new Set();
  #isPruning = false;
  #prunedAt: number = performance.now();
  #writtenBytes = 0;
  #evictions = 0;
  #failures = 0;
  /** Why pruning failed the last time; `undefined` if it did not. */
  #pruneError: StoreError | undefined;

  constructor(
    { pool, renewals }: { readonly pool: Pool; readonly renewals: Pool },
    releases: PostgresReleases,
    limits: StoreLimits,
    options: StoreOptions,
  ) {
    const { now = Date.now, countsReads = true } = options;
    this.#pool = pool;
    this.#renewals = renewals;
    this.#releases = releases;
    this.#limits = limits;
    this.#now = now;
    this.#countsReads = countsReads;
    this.#getOldest = createAgeLimit(limits.maxAge, now);
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    const key = keyOf(origin);
    const row = await this.#read(key);
    if (row === undefined) return undefined;
    if (this.#countsReads && Math.abs(this.#now() - Number(row.usedAt)) > USE_PRECISION)
      this.#run(() =>
        this.#query(`UPDATE ${SCHEMA}.origins SET used_at = $2 WHERE key = $1`, [key, this.#now()]),
      );
    return fromStored(row);
  }

  async putAnswer(origin: string, answer: GoodAnswer, owner?: string): Promise<OriginHistory> {
    const change = byAnswer(answer);
    // What the owner of the lease fetched takes the place of anything.
    if (owner !== undefined) {
      const changed = change(NO_HISTORY, true);
      const { isPut } = await this.#put(origin, changed as Changed, { owner, version: 'any' });
      return isPut ? (changed as Changed).history : ((await this.get(origin)) ?? NO_HISTORY);
    }
    return this.#change(origin, change, undefined);
  }

  async recordFailure(origin: string, failure: Failure, owner?: string): Promise<OriginHistory> {
    return this.#change(origin, byFailure(failure), owner);
  }

  async list(limit: number, after = ''): Promise<string[]> {
    // Bytes of UTF-8 have the order of the characters; those of an origin are ASCII.
    const rows = await this.#query<{ origin: Buffer }>(
      `SELECT origin FROM ${SCHEMA}.origins WHERE origin > $1 ORDER BY origin LIMIT $2`,
      [Buffer.from(after), limit],
    );
    return rows.map(({ origin }) => origin.toString());
  }

  async events(origin: string): Promise<StoreEvent[]> {
    const rows = await this.#query<Omit<StoreEvent, 'at'> & { at: Integer }>(
      `SELECT at, kind, status, code, hash, bytes FROM ${SCHEMA}.events WHERE key = $1 ORDER BY id DESC LIMIT $2`,
      [keyOf(origin), KEPT_EVENTS],
    );
    return rows.map((row) => ({ ...row, at: Number(row.at) }));
  }

  async delete(origin?: string): Promise<number> {
    return this.#guard(() =>
      transact(this.#pool, async (client) => {
        const [condition, values] = origin === undefined ? ['true', []] : ['key = $1', [keyOf(origin)]];
        const { rowCount } = await client.query(`DELETE FROM ${SCHEMA}.origins WHERE ${condition}`, values);
        await client.query(`DELETE FROM ${SCHEMA}.events WHERE ${condition}`, values);
        if (origin === undefined) await client.query(`DELETE FROM ${SCHEMA}.leases`);
        return rowCount ?? 0;
      }),
    );
  }

  async lease(origin: string, owner: string, milliseconds: number): Promise<boolean> {
    const key = keyOf(origin);
    const name = key.toString('hex');
    const { count } = this.#releases;
    if (await this.#leases.add(name, { key, owner, milliseconds })) return true;
    this.#attempts.delete(name);
    this.#attempts.set(name, count);
    if (this.#attempts.size > MAX_ATTEMPTS) {
      const [oldest = ''] = this.#attempts.keys();
      this.#attempts.delete(oldest);
    }
    return false;
  }

  async renew(leases: readonly Lease[], milliseconds: number): Promise<void> {
    const text = `${WITHOUT_SYNC} UPDATE ${SCHEMA}.leases SET until = ${SERVER_TIME} + $3
       FROM without_sync, unnest($1::bytea[], $2::text[]) AS own (key, owner)
       WHERE leases.key = own.key AND leases.owner = own.owner`;
    const owners = leases.map(({ owner }) => owner);
    const values = [leases.map(({ origin }) => keyOf(origin)), owners, milliseconds];
    await this.#query(text, values, { pool: this.#renewals });
  }

  async release(origin: string, owner: string): Promise<void> {
    const key = keyOf(origin);
    const rows = await this.#query(
      `${WITHOUT_SYNC} DELETE FROM ${SCHEMA}.leases USING without_sync WHERE key = $1 AND owner = $2 RETURNING 1`,
      [key, owner],
    );
    if (rows.length > 0) this.#notify(key);
  }

  async waitForRelease(origin: string, milliseconds: number): Promise<void> {
    const name = keyOf(origin).toString('hex');
    const since = this.#attempts.get(name) ?? this.#releases.count;
    this.#attempts.delete(name);
    await this.#releases.wait(name, milliseconds, since);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#releases.close();
    // What goes on may start something more.
    while (this.#background.size > 0) await Promise.all(this.#background);
    await Promise.all([this.#pool.end(), this.#renewals.end()]);
  }

  /** Notifies all processes of a release. Releases during a notification are in the next one, together. */
  #notify(key: Buffer): void {
    this.#toNotify.add(key.toString('hex'));
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    this.#run(async () => {
      try {
        while (this.#toNotify.size > 0) {
          const keys = [...this.#toNotify];
          this.#toNotify.clear();
          await this.#query(NOTIFY, [keys], { name: 'notify' });
        }
      } finally {
        this.#isNotifying = false;
      }
    });
  }

  async stats(): Promise<StoreStats> {
    const { origins, bytes } = await this.#guard(() => readTotals(this.#pool));
    return { origins, bytes, evictions: this.#evictions, failures: this.#failures };
  }

  async check(): Promise<void> {
    const rows = await this.#query<{ version: number }>(
      `UPDATE ${SCHEMA}.version SET version = version RETURNING version`,
    );
    if (rows[0]?.version !== SCHEMA_VERSION)
      throw new StoreError('store-replaced', 'the tables of the store were replaced; restart the program');
    if (this.#pruneError !== undefined) throw this.#pruneError;
  }

  async prune(given: Partial<StoreLimits> = {}): Promise<Pruned> {
    const limits = resolveLimits(given, this.#limits);
    const oldest = given.maxAge === undefined ? this.#getOldest() : this.#now() - limits.maxAge;
    return this.#evict(limits, oldest, true);
  }

  async getUsage(origin: string): Promise<EntryUsage | undefined> {
    const [row] = await this.#query<{ bytes: number; usedAt: Integer }>(
      `SELECT ${BYTES} AS bytes, used_at AS "usedAt" FROM ${SCHEMA}.origins WHERE key = $1`,
      [keyOf(origin)],
    );
    return row && { bytes: row.bytes, usedAt: Number(row.usedAt) };
  }

  async #evict(limits: StoreLimits, oldest: number | undefined, waits: boolean): Promise<Pruned> {
    const { removed, removedBytes, totals } = await this.#guard(() =>
      evict(this.#pool, limits, oldest, waits),
    );
    this.#evictions += removed;
    await this.#query(
      `DELETE FROM ${SCHEMA}.leases WHERE until < ${SERVER_TIME} - ${MAX_LEASE} OR until > ${SERVER_TIME} + ${MAX_LEASE}`,
    );
    return { removed, removedBytes, origins: totals.origins, bytes: totals.bytes };
  }

  /** Changes what is known. If another process was faster, the change applies to what that process stored. */
  async #change(origin: string, change: Change, owner: string | undefined): Promise<OriginHistory> {
    let fence = owner;
    let isOwner = owner !== undefined;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const row = await this.#read(keyOf(origin));
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

  /** One statement, so that other processes see all of it or nothing: the lease ends, and the entry and its event are written. */
  async #put(
    origin: string,
    { history, event }: Changed,
    { owner, version }: { readonly owner: string | undefined; readonly version: Integer | null | 'any' },
  ): Promise<{ readonly isMine: boolean; readonly isPut: boolean }> {
    const stored = toStored(history);
    const { answer, outage, body } = stored;
    const bytes = ENTRY_BYTES + 3 * origin.length + sizeOfStored(stored) + EVENT_BYTES * KEPT_EVENTS;
    const { at, kind, status, code, hash, bytes: fileBytes } = event;
    const key = keyOf(origin);
    const values = [
      ...[key, Buffer.from(origin), answer, outage, body && Buffer.from(body), this.#now(), bytes],
      ...[owner ?? null, version === 'any' ? null : version, version === 'any'],
      ...[at, kind, status, code, hash, fileBytes],
    ];
    const [row] = await this.#query<{ isMine: boolean; isPut: boolean }>(PUT, values, { name: 'put' });
    if (row?.isMine) this.#notify(key);
    this.#writtenBytes += bytes;
    this.#pruneIfDue();
    return row as { isMine: boolean; isPut: boolean };
  }

  #read(key: Buffer): Promise<VersionedRow | undefined> {
    return this.#reads.add(key.toString('hex'), key);
  }

  async #readAll(keys: readonly Buffer[]): Promise<(VersionedRow | undefined)[]> {
    const rows = await this.#query<VersionedRow & QueryResultRow>(
      `SELECT key, answer, outage, body, version, used_at AS "usedAt" FROM ${SCHEMA}.origins WHERE key = ANY($1::bytea[])`,
      [keys],
      { name: 'read' },
    );
    const found = new Map(rows.map((row) => [row.key.toString('hex'), row]));
    return keys.map((key) => found.get(key.toString('hex')));
  }

  async #leaseAll(wanted: readonly WantedLease[]): Promise<boolean[]> {
    const rows = await this.#query<{ key: Buffer }>(
      LEASE,
      [
        wanted.map(({ key }) => key),
        wanted.map(({ owner }) => owner),
        wanted.map(({ milliseconds }) => milliseconds),
      ],
      { name: 'lease' },
    );
    const taken = new Set(rows.map(({ key }) => key.toString('hex')));
    return wanted.map(({ key }) => taken.has(key.toString('hex')));
  }

  #pruneIfDue(): void {
    const isDue =
      this.#writtenBytes > this.#limits.maxBytes * PRUNE_SHARE ||
      performance.now() - this.#prunedAt > PRUNE_INTERVAL;
    if (!isDue || this.#isPruning) return;
    this.#isPruning = true;
    this.#writtenBytes = 0;
    this.#run(async () => {
      try {
        await this.#evict(this.#limits, this.#getOldest(), false);
        this.#pruneError = undefined;
      } catch (error) {
        this.#pruneError = toStoreError(error);
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

  /** @param options - `name`: of a statement that is prepared once per connection, as those are that each request needs. */
  async #query<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
    { name, pool = this.#pool }: { readonly name?: string; readonly pool?: Pool } = {},
  ): Promise<Row[]> {
    const prepared = name === undefined ? {} : { name: `maycrawl_${name}` };
    return this.#guard(async () => {
      for (let conflicts = 0; ; conflicts++) {
        try {
          return (await pool.query<Row>({ text, values: [...values], ...prepared })).rows;
        } catch (error) {
          if (!isConflict(error) || conflicts === MAX_CONFLICTS) throw error;
          await sleep(Math.random() * 10);
        }
      }
    });
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

interface WantedLease {
  readonly key: Buffer;
  readonly owner: string;
  readonly milliseconds: number;
}

type Changed = NonNullable<ReturnType<Change>>;

/**
 * Parameters: 1 key, 2 origin, 3 answer, 4 outage, 5 body, 6 time of use, 7 bytes, 8 owner of the lease or null, 9 the version that was
 * read or null, 10 whether any version may be replaced, from 11 on the event.
 */
const PUT = `
  WITH mine AS (
    DELETE FROM ${SCHEMA}.leases WHERE key = $1 AND owner = $8 RETURNING key
  ), put AS (
    INSERT INTO ${SCHEMA}.origins AS known (key, origin, answer, outage, body, used_at, bytes, version)
    SELECT $1, $2, $3, $4, $5, $6, $7, 1
    WHERE ($8::text IS NULL OR EXISTS (SELECT FROM mine))
      AND ($9::bigint IS NULL OR EXISTS (SELECT FROM ${SCHEMA}.origins WHERE key = $1 AND version = $9))
    ON CONFLICT (key) DO UPDATE
      SET answer = $3, outage = $4, body = $5, used_at = $6, bytes = $7, version = known.version + 1
      WHERE $10 OR known.version = $9
    RETURNING key
  ), event AS (
    INSERT INTO ${SCHEMA}.events (key, at, kind, status, code, hash, bytes)
    SELECT key, $11, $12, $13, $14, $15, $16 FROM put
  ), old AS (
    DELETE FROM ${SCHEMA}.events WHERE key = (SELECT key FROM put) AND id <= (
      SELECT id FROM ${SCHEMA}.events WHERE key = $1 ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_EVENTS - 1}
    )
  )
  SELECT EXISTS (SELECT FROM mine) AS "isMine", EXISTS (SELECT FROM put) AS "isPut"`;

/**
 * A statement that reads this does not wait for the disk when it commits: a lease that is lost when the server breaks down costs at
 * most one more request.
 */
const WITHOUT_SYNC = `WITH without_sync AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))`;

/**
 * Parameters: keys, owners, milliseconds. Leases of others are left out before the conflict, which would lock them. The order is the same
 * in all processes, so that two that take the same leases cannot wait for each other.
 */
const LEASE = `${WITHOUT_SYNC}
  INSERT INTO ${SCHEMA}.leases AS held (key, owner, until)
  SELECT wanted.key, wanted.owner, ${SERVER_TIME} + wanted.milliseconds
  FROM without_sync, unnest($1::bytea[], $2::text[], $3::bigint[]) AS wanted (key, owner, milliseconds)
  WHERE NOT EXISTS (
    SELECT FROM ${SCHEMA}.leases AS other WHERE other.key = wanted.key AND other.owner <> wanted.owner
      AND other.until > ${SERVER_TIME} AND other.until <= ${SERVER_TIME} + ${MAX_LEASE}
  )
  ORDER BY wanted.key
  ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until
  WHERE held.owner = excluded.owner OR held.until <= ${SERVER_TIME} OR held.until > ${SERVER_TIME} + ${MAX_LEASE}
  RETURNING key`;
