/**
 * The tables of a store in a PostgreSQL database, and what can be wrong with the database.
 *
 * @module
 */
import type { Pool, PoolClient } from 'pg';
import { StoreError } from './store.ts';

/** All tables are in a schema of their own. */
export const SCHEMA = 'maycrawl';
/** Whoever changes the schema holds this advisory lock, so that two who start at once do not do it twice. */
const MIGRATION_LOCK = 0x6d617963;
/** What an entry takes beside its texts: keys, indexes and row headers. */
export const ENTRY_BYTES = 1000;
export const EVENT_BYTES = 150;
/** The server's time, in milliseconds since 1970: the clock of leases. */
export const SERVER_TIME = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * The steps from one version of the schema to the next; the version is how many were taken. Only ever add to the end. An origin is
 * there as bytes: the database's own kind of text has an order of its own.
 *
 * Rows of version 1 have no size: the queries compute it.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE ${SCHEMA}.origins (key BYTEA PRIMARY KEY, origin BYTEA NOT NULL, answer TEXT, outage TEXT, body BYTEA);
   CREATE TABLE ${SCHEMA}.events (
     id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     key BYTEA NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL, status INTEGER, code TEXT, hash TEXT, bytes INTEGER NOT NULL
   );
   CREATE INDEX events_by_key ON ${SCHEMA}.events (key, id);
   CREATE TABLE ${SCHEMA}.leases (key BYTEA PRIMARY KEY, owner TEXT NOT NULL, until BIGINT NOT NULL);`,
  `ALTER TABLE ${SCHEMA}.origins
     ADD COLUMN version BIGINT NOT NULL DEFAULT 0,
     ADD COLUMN used_at BIGINT NOT NULL DEFAULT (extract(epoch FROM now()) * 1000)::bigint,
     ADD COLUMN bytes INTEGER;
   CREATE INDEX origins_by_use ON ${SCHEMA}.origins ((outage IS NOT NULL), used_at);
   DELETE FROM ${SCHEMA}.leases;`,
];

/** The version of the schema that this program knows. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;

/**
 * Brings the tables to the newest version.
 *
 * @throws {StoreError} if they are of a later version.
 */
export async function migrate(pool: Pool): Promise<void> {
  // A role that may use the tables need not be one that may create them.
  if ((await readVersion(pool)) === SCHEMA_VERSION) return;
  await transact(pool, async (client) => {
    // A large table takes longer than a query of every day may.
    await client.query('SET LOCAL statement_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    // An administrator may have created the schema for a role that must not create any.
    const found = await client.query('SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1', [SCHEMA]);
    if (found.rowCount === 0) await client.query(`CREATE SCHEMA ${SCHEMA}`);
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
    else if (version < MIGRATIONS.length)
      await client.query(`UPDATE ${SCHEMA}.version SET version = $1`, [MIGRATIONS.length]);
  });
}

/** Codes of PostgreSQL for tables and schemas that do not exist. */
const MISSING: ReadonlySet<string> = new Set(['42P01', '3F000']);

/** The version of the tables; `undefined` if there are none. */
async function readVersion(pool: Pool): Promise<number | undefined> {
  try {
    const { rows } = await pool.query<{ version: number }>(`SELECT version FROM ${SCHEMA}.version`);
    return rows[0]?.version;
  } catch (error) {
    if (MISSING.has((error as { code?: string }).code ?? '')) return undefined;
    throw error;
  }
}

/** Codes of transactions that the server gave up because of others: the same transaction may succeed later. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01']);

/** Whether a transaction failed only because of others at the same time. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has((error as { code?: string }).code ?? '');
}

/** Does several things as one step. */
export async function transact<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: unknown;
  try {
    // The default of a database can be a stricter level, under which waiting for a lock does not help.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // After a failure the state of the connection is unknown: it is not used again, and what was begun is undone.
    client.release(failure !== undefined);
  }
}

/** Codes of PostgreSQL (its manual, appendix A) that say more than that the store cannot be used. */
const CODES: ReadonlyMap<string, readonly [StoreError['code'], string]> = new Map([
  [
    '53100',
    [
      'store-full',
      'no space is left for the database; what it has stays, and it goes on when there is space',
    ],
  ],
  ['25006', ['store-read-only', 'the database cannot be written to']],
  ['42P01', ['store-replaced', 'the tables of the store are gone; restart the program']],
  ['3F000', ['store-replaced', 'the schema of the store is gone; restart the program']],
  ['3D000', ['store-replaced', 'the database of the store is gone']],
]);

/** Describes what the driver threw. A message of the driver has no password in it. */
export function toStoreError(cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const [code, text] = CODES.get((cause as { code?: string }).code ?? '') ?? [
    'store-unavailable',
    'cannot use the database as a store',
  ];
  return new StoreError(code, `${text}: ${messageOf(cause)}`, { cause });
}

/** The message of what a driver threw. */
function messageOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  // A failed connection to a name with several addresses has no message of its own.
  return message || code || String(error);
}
