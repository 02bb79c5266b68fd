/**
 * A store in a PostgreSQL database, which the machines of a fleet share.
 *
 * @module
 */
import type { Pool, PoolClient } from 'pg';
import { byAnswer, byFailure, type Change } from './change.ts';
import { KEPT_EVENTS, type StoreEvent } from './events.ts';
import { type Failure, type GoodAnswer, NO_HISTORY, type OriginHistory } from './history.ts';
import { type RobotsStore, StoreError } from './store.ts';
import { fromStored, keyOf, type StoredRow, toStored } from './stored.ts';

/** All tables are in a schema of their own. */
const SCHEMA = 'maycrawl';
/** Whoever changes the schema holds this advisory lock, so that two who start at once do not do it twice. */
const MIGRATION_LOCK = 0x6d617963;
const CONNECT_TIMEOUT = 5_000;
const STATEMENT_TIMEOUT = 10_000;

/**
 * The steps from one version of the schema to the next; the version is how many were taken. Only ever add to the end. An origin is
 * there as bytes: the database's own kind of text has an order of its own.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE ${SCHEMA}.origins (key BYTEA PRIMARY KEY, origin BYTEA NOT NULL, answer TEXT, outage TEXT, body BYTEA);
   CREATE TABLE ${SCHEMA}.events (
     id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     key BYTEA NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL, status INTEGER, code TEXT, hash TEXT, bytes INTEGER NOT NULL
   );
   CREATE INDEX events_by_key ON ${SCHEMA}.events (key, id);
   CREATE TABLE ${SCHEMA}.leases (key BYTEA PRIMARY KEY, owner TEXT NOT NULL, until BIGINT NOT NULL);`,
];

/** The driver gives 64-bit numbers as text, since they may be more than a number can hold. Times are not. */
type Time = string;

/**
 * Opens a store in a PostgreSQL database, and brings its tables to the newest version. They are in the schema `maycrawl`.
 *
 * @param url - `postgres://user:password@host:port/database`.
 * @throws {StoreError} if the database cannot be reached, or is of a later version; or if `pg`, which is an optional
 *   dependency, is not installed.
 */
export async function openPostgresStore(url: string): Promise<RobotsStore> {
  const pool = await makePool(url);
  // A connection that breaks while nobody uses it concerns nobody: the next one is new.
  pool.on('error', () => {});
  // Of a client in use: whoever uses it is told by what was asked of it.
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await migrate(pool);
    return new PostgresStore(pool);
  } catch (cause) {
    await pool.end();
    if (cause instanceof StoreError) throw cause;
    throw new StoreError('store-unavailable', `cannot use the database as a store: ${messageOf(cause)}`, {
      cause,
    });
  }
}

async function makePool(url: string): Promise<Pool> {
  try {
    const { default: pg } = await import('pg');
    return new pg.Pool({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_TIMEOUT,
      statement_timeout: STATEMENT_TIMEOUT,
      // Of the client's own, for a server that does not answer any more.
      query_timeout: STATEMENT_TIMEOUT,
      application_name: 'maycrawl',
    });
  } catch (cause) {
    throw new StoreError('store-unavailable', `cannot open the database: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  // A failed connection to a name with several addresses has no message of its own.
  return message || code || String(error);
}

async function migrate(pool: Pool): Promise<void> {
  await transact(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`);
    await client.query(`CREATE TABLE IF NOT EXISTS ${SCHEMA}.version (version INTEGER NOT NULL)`);
    const { rows } = await client.query<{ version: number }>(`SELECT version FROM ${SCHEMA}.version`);
    const version = rows[0]?.version ?? 0;
    if (version > MIGRATIONS.length) {
      throw new StoreError(
        'store-from-the-future',
        `the database was set up by a later version of maycrawl (its version is ${version}, this program knows ${MIGRATIONS.length}); update maycrawl, or use another database`,
      );
    }
    for (const migration of MIGRATIONS.slice(version)) await client.query(migration);
    if (rows.length === 0)
      await client.query(`INSERT INTO ${SCHEMA}.version VALUES ($1)`, [MIGRATIONS.length]);
    else await client.query(`UPDATE ${SCHEMA}.version SET version = $1`, [MIGRATIONS.length]);
  });
}

/** Does several things as one step. */
async function transact<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // After a failure nobody knows in which state the connection is: it is not used again, and what was begun is undone.
    client.release(failure !== undefined);
  }
}

class PostgresStore implements RobotsStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    return read(this.#pool, keyOf(origin));
  }

  async putAnswer(origin: string, answer: GoodAnswer): Promise<OriginHistory> {
    return this.#change(origin, byAnswer(answer));
  }

  async recordFailure(origin: string, failure: Failure): Promise<OriginHistory> {
    return this.#change(origin, byFailure(failure));
  }

  async list(limit: number, after = ''): Promise<string[]> {
    // Bytes of UTF-8 have the order of the characters; those of an origin are ASCII.
    const { rows } = await this.#pool.query<{ origin: Buffer }>(
      `SELECT origin FROM ${SCHEMA}.origins WHERE origin > $1 ORDER BY origin LIMIT $2`,
      [Buffer.from(after), limit],
    );
    return rows.map(({ origin }) => origin.toString());
  }

  async events(origin: string): Promise<StoreEvent[]> {
    const { rows } = await this.#pool.query<Omit<StoreEvent, 'at'> & { at: Time }>(
      `SELECT at, kind, status, code, hash, bytes FROM ${SCHEMA}.events WHERE key = $1 ORDER BY id DESC LIMIT $2`,
      [keyOf(origin), KEPT_EVENTS],
    );
    return rows.map((row) => ({ ...row, at: Number(row.at) }));
  }

  async delete(origin?: string): Promise<number> {
    return transact(this.#pool, async (client) => {
      if (origin === undefined) {
        const { rowCount } = await client.query(`DELETE FROM ${SCHEMA}.origins`);
        for (const table of ['events', 'leases']) await client.query(`DELETE FROM ${SCHEMA}.${table}`);
        return rowCount ?? 0;
      }
      const key = keyOf(origin);
      await lock(client, key);
      const { rowCount } = await client.query(`DELETE FROM ${SCHEMA}.origins WHERE key = $1`, [key]);
      await client.query(`DELETE FROM ${SCHEMA}.events WHERE key = $1`, [key]);
      return rowCount ?? 0;
    });
  }

  async lease(origin: string, owner: string, until: number, now: number): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      `INSERT INTO ${SCHEMA}.leases AS held (key, owner, until) VALUES ($1, $2, $3)
       ON CONFLICT (key) DO UPDATE SET owner = $2, until = $3 WHERE held.owner = $2 OR held.until <= $4`,
      [keyOf(origin), owner, until, now],
    );
    return rowCount === 1;
  }

  async release(origin: string, owner: string): Promise<void> {
    await this.#pool.query(`DELETE FROM ${SCHEMA}.leases WHERE key = $1 AND owner = $2`, [
      keyOf(origin),
      owner,
    ]);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #change(origin: string, change: Change): Promise<OriginHistory> {
    const key = keyOf(origin);
    return transact(this.#pool, async (client) => {
      await lock(client, key);
      const before = (await read(client, key)) ?? NO_HISTORY;
      const changed = change(before);
      if (changed === undefined) return before;
      await put(client, key, origin, changed.history);
      await addEvent(client, key, changed.event);
      return changed.history;
    });
  }
}

type Queries = Pick<Pool, 'query'>;

/** Keeps all others from changing an origin until the end of the transaction, also one that is not there yet. */
async function lock(client: Queries, key: Buffer): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [key.readBigInt64BE(0).toString()]);
}

async function read(client: Queries, key: Buffer): Promise<OriginHistory | undefined> {
  const { rows } = await client.query<StoredRow>(
    `SELECT answer, outage, body FROM ${SCHEMA}.origins WHERE key = $1`,
    [key],
  );
  return rows[0] && fromStored(rows[0]);
}

async function put(client: Queries, key: Buffer, origin: string, history: OriginHistory): Promise<void> {
  const { answer, outage, body } = toStored(history);
  await client.query(
    `INSERT INTO ${SCHEMA}.origins (key, origin, answer, outage, body) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (key) DO UPDATE SET answer = $3, outage = $4, body = $5`,
    [key, Buffer.from(origin), answer, outage, body && Buffer.from(body)],
  );
}

async function addEvent(
  client: Queries,
  key: Buffer,
  { at, kind, status, code, hash, bytes }: StoreEvent,
): Promise<void> {
  await client.query(
    `INSERT INTO ${SCHEMA}.events (key, at, kind, status, code, hash, bytes) VALUES ($1,$2,$3,$4,$5,$6,$7)`,
    [key, at, kind, status, code, hash, bytes],
  );
  await client.query(
    `DELETE FROM ${SCHEMA}.events WHERE key = $1 AND id <= (
       SELECT id FROM ${SCHEMA}.events WHERE key = $1 ORDER BY id DESC LIMIT 1 OFFSET $2
     )`,
    [key, KEPT_EVENTS],
  );
}
