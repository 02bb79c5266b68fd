/**
 * The entries of origins in a PostgreSQL store: reading many at a time, replacing one, and removing one or all.
 *
 * @module
 */
import { Batch } from '../database/batch.ts';
import type { PostgresResult } from '../database/drivers.ts';
import type { PostgresDatabase } from '../database/postgres.ts';
import type { Change } from '../robots/observation.ts';
import { KEPT_EVENTS } from '../robots/store-event.ts';
import { getStoredSize, type StoredRow, toStored, toStoredKind } from '../robots/stored.ts';
import { ENTRY_BYTES, EVENT_BYTES } from './limits.ts';
import { SCHEMA } from './postgres-schema.ts';

/** Entries that one statement reads: their files together are at most 10 MB. */
const MAX_READS = 20;
/** Entries that one statement removes, so that it ends before its deadline. */
const MAX_REMOVALS = 1000;

/** An entry as it is stored. */
export interface EntryRow extends StoredRow {
  readonly key: Buffer;
  /** Changes with each change of the entry. */
  readonly version: number;
  readonly usedAt: number;
}

/** What is to be stored. */
export type Changed = NonNullable<ReturnType<Change>>;

/** What must be true for an entry to be replaced. */
export interface PutCondition {
  /** Has the lease of the origin, which ends in the same step. */
  readonly owner: string | undefined;
  /** The version that the caller read; `null` if there was no entry, `any` if it does not matter. */
  readonly version: number | null | 'any';
}

/** Whether the owner had the lease, and whether the entry was replaced. */
export interface PutResult {
  readonly isMine: boolean;
  readonly isPut: boolean;
  /** The size of the entry; 0 if it was not replaced. */
  readonly bytes: number;
}

interface RemovedRow {
  readonly removed: number;
  /** The last key; `null` if there was none. */
  readonly last: Buffer | null;
}

/** Reads, replaces and removes entries. */
export class PostgresEntries {
  readonly #database: PostgresDatabase;
  readonly #reads: Batch<Buffer, EntryRow | undefined> = new Batch(MAX_READS, (keys) => this.#readAll(keys));

  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  /** Reads an entry, together with others of the same turn of the event loop; `undefined` if there is none. */
  read(key: Buffer): Promise<EntryRow | undefined> {
    return this.#reads.add(key.toString('hex'), key);
  }

  /**
   * Replaces an entry in one statement, so that other processes see all of it or nothing: the lease ends, and the entry and its event are
   * written.
   *
   * @param now - milliseconds since 1970.
   */
  async put(
    key: Buffer,
    origin: string,
    { history, event }: Changed,
    { owner, version }: PutCondition,
    now: number,
  ): Promise<PutResult> {
    const stored = toStored(history);
    const { answer, outage, body } = stored;
    const bytes = ENTRY_BYTES + 3 * origin.length + getStoredSize(stored);
    const { at, kind, status, code, hash, bytes: fileBytes } = event;
    const values = [
      key,
      Buffer.from(origin),
      answer,
      outage,
      body && Buffer.from(body),
      now,
      bytes,
      owner ?? null,
      version === 'any' ? null : version,
      version === 'any',
      at,
      toStoredKind(kind),
      status,
      code,
      hash,
      fileBytes,
    ];
    const { rows } = await this.#database.query<PutResult>(PUT, values, 'put');
    return rows[0] as PutResult;
  }

  /** Removes an entry. @returns the number of removed entries. */
  async remove(key: Buffer): Promise<number> {
    const { rows } = await this.#database.query(
      `WITH gone AS (DELETE FROM ${SCHEMA}.origins WHERE key = $1 RETURNING key), old AS (
         DELETE FROM ${SCHEMA}.events WHERE key = $1
       ) SELECT key FROM gone`,
      [key],
    );
    return rows.length;
  }

  /** Removes all entries, some in a statement, and all leases. @returns the number of removed entries. */
  async removeAll(): Promise<number> {
    let removed = 0;
    for (let after: Buffer | null = Buffer.alloc(0); after !== null; ) {
      const result: PostgresResult<RemovedRow> = await this.#database.query(REMOVE_SOME, [after]);
      const [row] = result.rows;
      removed += row?.removed ?? 0;
      after = row?.last ?? null;
    }
    await this.#database.query(`DELETE FROM ${SCHEMA}.leases`);
    return removed;
  }

  async #readAll(keys: readonly Buffer[]): Promise<(EntryRow | undefined)[]> {
    const { rows } = await this.#database.query<EntryRow>(
      `SELECT key, answer, outage, body, version, used_at AS "usedAt" FROM ${SCHEMA}.origins WHERE key = ANY($1::bytea[])`,
      [keys],
      'read',
    );
    const found = new Map(rows.map((row) => [row.key.toString('hex'), row]));
    return keys.map((key) => found.get(key.toString('hex')));
  }
}

/**
 * Parameters: 1 key, 2 origin, 3 answer, 4 outage, 5 body, 6 time of use, 7 bytes without the events, 8 owner of the lease or null, 9 the version that was
 * read or null, 10 whether any version may be replaced, from 11 on the event.
 */
const PUT = `
  WITH mine AS (
    DELETE FROM ${SCHEMA}.leases WHERE key = $1 AND owner = $8 RETURNING key
  ), put AS (
    INSERT INTO ${SCHEMA}.origins AS known (key, origin, answer, outage, body, used_at, bytes, version)
    SELECT $1, $2, $3, $4, $5, $6, $7 + ${EVENT_BYTES} * least(${KEPT_EVENTS}, 1 + (
      SELECT count(*) FROM ${SCHEMA}.events WHERE key = $1
    )), 1
    WHERE ($8::text IS NULL OR EXISTS (SELECT FROM mine))
      AND ($9::bigint IS NULL OR EXISTS (SELECT FROM ${SCHEMA}.origins WHERE key = $1 AND version = $9))
    ON CONFLICT (key) DO UPDATE
      SET answer = $3, outage = $4, body = $5, used_at = $6, bytes = excluded.bytes, version = known.version + 1
      WHERE $10 OR known.version = $9
    RETURNING key, bytes
  ), event AS (
    INSERT INTO ${SCHEMA}.events (key, at, kind, status, code, hash, bytes)
    SELECT key, $11, $12, $13, $14, $15, $16 FROM put
  ), old AS (
    DELETE FROM ${SCHEMA}.events WHERE key = (SELECT key FROM put) AND id <= (
      SELECT id FROM ${SCHEMA}.events WHERE key = $1 ORDER BY id DESC LIMIT 1 OFFSET ${KEPT_EVENTS - 1}
    )
  )
  SELECT EXISTS (SELECT FROM mine) AS "isMine", EXISTS (SELECT FROM put) AS "isPut",
    coalesce((SELECT bytes FROM put), 0) AS bytes`;

/** Parameter: the key behind which it begins. */
const REMOVE_SOME = `
  WITH chosen AS (
    SELECT key FROM ${SCHEMA}.origins WHERE key > $1 ORDER BY key LIMIT ${MAX_REMOVALS}
  ), gone AS (
    DELETE FROM ${SCHEMA}.origins WHERE key IN (SELECT key FROM chosen) RETURNING key
  ), old AS (
    DELETE FROM ${SCHEMA}.events WHERE key IN (SELECT key FROM chosen)
  )
  SELECT (SELECT count(*) FROM gone) AS removed, (SELECT key FROM chosen ORDER BY key DESC LIMIT 1) AS last`;
