/**
 * Eviction in a PostgreSQL store. One process at a time evicts, some rows in a statement.
 *
 * @module
 */
import type { PostgresDatabase, PostgresTransaction } from '../database/postgres.ts';
import {
  chooseVictims,
  ENTRY_BYTES,
  EVENT_BYTES,
  STEP_BYTES,
  STEP_ENTRIES,
  type StoreLimits,
  type Totals,
  type Victims,
} from './limits.ts';
import { SCHEMA } from './postgres-schema.ts';

/** The advisory lock of the process that evicts. */
const EVICTION_LOCK = 0x6d61797a;

/** The size of an entry. Rows that an earlier version wrote have none; of them the file counts, and fifty events. */
export const BYTES: string = `coalesce(bytes, ${ENTRY_BYTES} + ${50 * EVENT_BYTES} + coalesce(octet_length(answer), 0) + coalesce(octet_length(outage), 0) + coalesce(octet_length(body), 0))`;

/** How much is in the store. It reads a few bytes of each row: the caller does so rarely. */
export async function readTotals(connection: Pick<PostgresTransaction, 'query'>): Promise<Totals> {
  const { rows } = await connection.query<Totals>(
    `SELECT count(*) AS origins, coalesce(sum(${BYTES}), 0) AS bytes,
       count(*) FILTER (WHERE outage IS NOT NULL) AS "failingOrigins",
       coalesce(sum(${BYTES}) FILTER (WHERE outage IS NOT NULL), 0) AS "failingBytes"
     FROM ${SCHEMA}.origins`,
  );
  // A sum of 64-bit integers is a decimal, which the driver returns as text.
  const [row] = rows;
  return {
    origins: Number(row?.origins),
    bytes: Number(row?.bytes),
    failingOrigins: Number(row?.failingOrigins),
    failingBytes: Number(row?.failingBytes),
  };
}

/** What eviction removed, and what is left. */
export interface Evicted {
  readonly removed: number;
  readonly removedBytes: number;
  readonly totals: Totals;
}

/**
 * Evicts what is over the limits and what is too old. The process that evicts has a lock from the count of the entries on: what two
 * processes counted at the same time, both would remove.
 *
 * @param oldest - the time before which an entry was used last that is too old; `undefined` for none.
 * @param waits - whether to wait while another process evicts, or to leave it to that one.
 */
export async function evict(
  database: PostgresDatabase,
  limits: StoreLimits,
  oldest: number | undefined,
  waits: boolean,
): Promise<Evicted> {
  // The end of a connection releases its lock.
  return database.withConnection(async (connection) => {
    const lock = waits ? 'pg_advisory_lock($1) IS NOT NULL' : 'pg_try_advisory_lock($1)';
    const { rows } = await connection.query<{ isMine: boolean }>(`SELECT ${lock} AS "isMine"`, [
      EVICTION_LOCK,
    ]);
    let totals = await readTotals(connection);
    let removed = 0;
    let removedBytes = 0;
    while (rows[0]?.isMine) {
      const victims = await evictSome(connection, limits, totals, oldest);
      if (victims.length === 0) {
        await connection.query('SELECT pg_advisory_unlock($1)', [EVICTION_LOCK]);
        break;
      }
      totals = victims.reduce(subtract, totals);
      removed += victims.length;
      removedBytes += victims.reduce((sum, { bytes }) => sum + bytes, 0);
    }
    return { removed, removedBytes, totals };
  });
}

interface Victim {
  readonly key: Buffer;
  readonly bytes: number;
  readonly isFailing: boolean;
}

async function evictSome(
  connection: PostgresTransaction,
  limits: StoreLimits,
  totals: Totals,
  oldest: number | undefined,
): Promise<readonly Victim[]> {
  const kind = chooseVictims(totals, limits);
  if (kind === undefined && oldest === undefined) return [];
  const { rows } = await connection.query<Victim>(
    `SELECT key, ${BYTES} AS bytes, outage IS NOT NULL AS "isFailing" FROM ${SCHEMA}.origins
     WHERE ${kind === undefined ? 'used_at < $1' : '(outage IS NOT NULL) = $1'} ORDER BY used_at LIMIT ${STEP_ENTRIES}`,
    [kind === undefined ? (oldest ?? null) : kind === 'failing'],
  );
  const victims = takeVictims(rows, kind, limits, totals);
  await connection.query(
    `WITH gone AS (DELETE FROM ${SCHEMA}.origins WHERE key = ANY($1)) DELETE FROM ${SCHEMA}.events WHERE key = ANY($1)`,
    [victims.map(({ key }) => key)],
  );
  return victims;
}

/** As many as are needed, and as one step may remove. */
function takeVictims(
  rows: readonly Victim[],
  kind: Victims | undefined,
  limits: StoreLimits,
  before: Totals,
): readonly Victim[] {
  const victims: Victim[] = [];
  let totals = before;
  let bytes = 0;
  for (const row of rows) {
    if (bytes >= STEP_BYTES || (kind !== undefined && chooseVictims(totals, limits) !== kind)) break;
    victims.push(row);
    totals = subtract(totals, row);
    bytes += row.bytes;
  }
  return victims;
}

function subtract(totals: Totals, { bytes, isFailing }: Victim): Totals {
  return {
    origins: totals.origins - 1,
    bytes: totals.bytes - bytes,
    failingOrigins: totals.failingOrigins - (isFailing ? 1 : 0),
    failingBytes: totals.failingBytes - (isFailing ? bytes : 0),
  };
}
