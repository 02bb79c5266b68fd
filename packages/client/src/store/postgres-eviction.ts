/**
 * Eviction in a PostgreSQL store, in steps of some rows. One process at a time evicts.
 *
 * @module
 */
import type { PostgresDatabase, PostgresTransaction } from '../database/postgres.ts';
import {
  chooseEvicted,
  type EntryKind,
  STEP_BYTES,
  STEP_ENTRIES,
  type StoreLimits,
  type Totals,
} from './limits.ts';
import { SCHEMA } from './postgres-schema.ts';

/** The advisory lock of the process that evicts. */
const EVICTION_LOCK = 0x6d61797a;

/** The planner uses a partial index only for the condition of the index: it does not know the value of a parameter. */
const CONDITIONS: Readonly<Record<EntryKind, string>> = {
  good: 'outage IS NULL',
  failing: 'outage IS NOT NULL',
};

/** How much is in the store. It reads the rows of `totals` alone. */
export async function readTotals(connection: Pick<PostgresTransaction, 'query'>): Promise<Totals> {
  const { rows } = await connection.query<Totals>(
    `SELECT sum(origins)::bigint AS origins, sum(bytes)::bigint AS bytes,
       sum(failing_origins)::bigint AS "failingOrigins", sum(failing_bytes)::bigint AS "failingBytes"
     FROM ${SCHEMA}.totals`,
  );
  return rows[0] as Totals;
}

/** What eviction removed, and what is left. */
export interface Evicted {
  readonly removed: number;
  readonly removedBytes: number;
  readonly totals: Totals;
}

/** Which entries are evicted, and how. */
export interface EvictionOptions {
  readonly limits: StoreLimits;
  /** The time before which an entry was used last that is too old; `undefined` for none. Milliseconds since 1970. */
  readonly oldest: number | undefined;
  /** Whether to wait while another process evicts, or to leave it to that one. */
  readonly waits: boolean;
  /** Whether to stop after the current step. */
  readonly isStopped: () => boolean;
  /** Is called after each step with the number of removed entries. */
  readonly onStep: (removed: number) => void;
}

/**
 * Evicts what is over the limits and what is too old. Each step is a transaction that counts, chooses and removes under one lock: what
 * two processes counted at the same time, both would remove.
 */
export async function evict(database: PostgresDatabase, options: EvictionOptions): Promise<Evicted> {
  // A later step begins where the one before ended, and does not read the rows that are removed but not vacuumed.
  const from: Record<EntryKind, number> = { good: 0, failing: 0 };
  let removed = 0;
  let removedBytes = 0;
  for (;;) {
    const step = await database.transaction((connection) => evictSome(connection, options, from));
    removed += step.removed;
    removedBytes += step.removedBytes;
    options.onStep(step.removed);
    if (step.isDone || options.isStopped()) return { removed, removedBytes, totals: step.totals };
  }
}

interface EvictionStep extends Evicted {
  /** Whether there is nothing more to remove, or another process evicts. */
  readonly isDone: boolean;
}

async function evictSome(
  connection: PostgresTransaction,
  { limits, oldest, waits }: EvictionOptions,
  from: Record<EntryKind, number>,
): Promise<EvictionStep> {
  const isMine = await lock(connection, waits);
  const totals = await readTotals(connection);
  const candidates = isMine ? await findCandidates(connection, limits, oldest, totals, from) : undefined;
  const last = candidates?.entries.at(-1);
  if (candidates === undefined || last === undefined)
    return { removed: 0, removedBytes: 0, totals, isDone: true };
  // An entry that was used meanwhile stays.
  const { rows } = await connection.query<{ removed: number; removedBytes: number }>(
    `WITH gone AS (
       DELETE FROM ${SCHEMA}.origins WHERE key = ANY($1) AND used_at <= $2 RETURNING key, bytes
     ), events AS (DELETE FROM ${SCHEMA}.events WHERE key IN (SELECT key FROM gone))
     SELECT count(*) AS removed, coalesce(sum(bytes), 0)::bigint AS "removedBytes" FROM gone`,
    [candidates.entries.map(({ key }) => key), last.usedAt],
  );
  from[candidates.kind] = last.usedAt;
  return { ...(rows[0] as { removed: number; removedBytes: number }), totals, isDone: false };
}

/** Locks eviction until the end of the transaction. @returns whether this process has the lock. */
async function lock(connection: PostgresTransaction, waits: boolean): Promise<boolean> {
  const call = waits ? 'pg_advisory_xact_lock($1) IS NOT NULL' : 'pg_try_advisory_xact_lock($1)';
  const { rows } = await connection.query<{ isMine: boolean }>(`SELECT ${call} AS "isMine"`, [EVICTION_LOCK]);
  return rows[0]?.isMine === true;
}

interface Candidate {
  readonly key: Buffer;
  readonly bytes: number;
  readonly usedAt: number;
}

interface Candidates {
  readonly kind: EntryKind;
  readonly entries: readonly Candidate[];
}

async function findCandidates(
  connection: PostgresTransaction,
  limits: StoreLimits,
  oldest: number | undefined,
  totals: Totals,
  from: Readonly<Record<EntryKind, number>>,
): Promise<Candidates | undefined> {
  const kind = chooseEvicted(totals, limits);
  if (kind !== undefined) {
    const entries = await readOldest(connection, kind, from[kind], Number.MAX_SAFE_INTEGER);
    return { kind, entries: takeNeeded(entries, kind, limits, totals) };
  }
  if (oldest === undefined) return undefined;
  for (const aged of ['good', 'failing'] as const) {
    const entries = await readOldest(connection, aged, from[aged], oldest);
    if (entries.length > 0) return { kind: aged, entries: takeStep(entries) };
  }
  return undefined;
}

/** The least recently used entries of a kind. @param before - they were used last before this time. */
async function readOldest(
  connection: PostgresTransaction,
  kind: EntryKind,
  from: number,
  before: number,
): Promise<Candidate[]> {
  const { rows } = await connection.query<Candidate>(
    `SELECT key, bytes, used_at AS "usedAt" FROM ${SCHEMA}.origins
     WHERE ${CONDITIONS[kind]} AND used_at >= $1 AND used_at < $2 ORDER BY used_at LIMIT ${STEP_ENTRIES}`,
    [from, before],
  );
  return rows;
}

/** As many as one step may remove. */
function takeStep(entries: readonly Candidate[]): readonly Candidate[] {
  let bytes = 0;
  const end = entries.findIndex((entry) => {
    const isFull = bytes >= STEP_BYTES;
    bytes += entry.bytes;
    return isFull;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

/** As many as one step may remove, and as the limits need. */
function takeNeeded(
  entries: readonly Candidate[],
  kind: EntryKind,
  limits: StoreLimits,
  before: Totals,
): readonly Candidate[] {
  let totals = before;
  const end = entries.findIndex((entry) => {
    const isEnough = chooseEvicted(totals, limits) !== kind;
    totals = subtract(totals, kind, entry.bytes);
    return isEnough;
  });
  return takeStep(end < 0 ? entries : entries.slice(0, end));
}

function subtract(totals: Totals, kind: EntryKind, bytes: number): Totals {
  const isFailing = kind === 'failing';
  return {
    origins: totals.origins - 1,
    bytes: totals.bytes - bytes,
    failingOrigins: totals.failingOrigins - (isFailing ? 1 : 0),
    failingBytes: totals.failingBytes - (isFailing ? bytes : 0),
  };
}
