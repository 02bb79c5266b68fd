/**
 * Eviction in a SQLite store. The caller runs each step in a transaction.
 *
 * @module
 */
import type { SqliteDatabase } from '../database/sqlite.ts';
import {
  chooseEvicted,
  type EntryKind,
  STEP_BYTES,
  STEP_ENTRIES,
  type StoreLimits,
  type Totals,
} from './limits.ts';
import { removeEntry } from './sqlite-entries.ts';

/** What one step removed. */
export interface EvictionStep {
  readonly removed: number;
  readonly removedBytes: number;
  /** Whether there is nothing more to remove. */
  readonly isDone: boolean;
}

/** How much is in the store. */
export function readTotals(database: SqliteDatabase): Totals {
  return database.get(
    `SELECT origins, bytes, failing_origins AS failingOrigins, failing_bytes AS failingBytes FROM totals`,
  ) as Totals;
}

/**
 * Evicts some entries.
 *
 * @param oldest - entries that were used last before this time go, too; milliseconds since 1970, `undefined` for none.
 */
export function evictSome(
  database: SqliteDatabase,
  limits: StoreLimits,
  oldest: number | undefined,
): EvictionStep {
  let removed = 0;
  let removedBytes = 0;
  while (removed < STEP_ENTRIES && removedBytes < STEP_BYTES) {
    const kind = chooseEvicted(readTotals(database), limits);
    const candidate = kind === undefined ? findAged(database, oldest) : findOldest(database, kind);
    if (candidate === undefined) return { removed, removedBytes, isDone: true };
    removeEntry(database, candidate.key);
    removed++;
    removedBytes += candidate.bytes;
  }
  return { removed, removedBytes, isDone: false };
}

interface Candidate {
  readonly key: Buffer;
  readonly bytes: number;
}

function findOldest(
  database: SqliteDatabase,
  kind: EntryKind,
  before = Number.MAX_SAFE_INTEGER,
): Candidate | undefined {
  return database.get(
    'SELECT key, bytes FROM usage WHERE failing = ? AND used_at < ? ORDER BY used_at LIMIT 1',
    kind === 'failing' ? 1 : 0,
    before,
  ) as Candidate | undefined;
}

function findAged(database: SqliteDatabase, oldest: number | undefined): Candidate | undefined {
  if (oldest === undefined) return undefined;
  return findOldest(database, 'good', oldest) ?? findOldest(database, 'failing', oldest);
}
