/**
 * Eviction in a SQLite store. The caller runs each step in a transaction.
 *
 * @module
 */
import {
  chooseVictims,
  STEP_BYTES,
  STEP_ENTRIES,
  type StoreLimits,
  type Totals,
  type Victims,
} from './limits.ts';
import type { SqliteStatement } from './sqlite-driver.ts';
import { ENTRY_BYTES, EVENT_BYTES } from './sqlite-file.ts';

/** Prepares a statement once. */
export type Prepare = (sql: string) => SqliteStatement;

/** What one step removed. */
export interface EvictionStep {
  readonly removed: number;
  readonly removedBytes: number;
  /** Whether there is nothing more to remove. */
  readonly isDone: boolean;
}

/** How much is in the store. */
export function readTotals(prepare: Prepare): Totals {
  return prepare(
    `SELECT origins, bytes, failing_origins AS failingOrigins, failing_bytes AS failingBytes FROM totals`,
  ).get() as Totals;
}

/** Records size and use of an entry that was written. */
export function recordUsage(prepare: Prepare, key: Buffer, usage: EntryWritten): void {
  const { events } = prepare('SELECT count(*) AS events FROM events WHERE key = ?').get(key) as {
    events: number;
  };
  prepare(
    `INSERT INTO usage (key, failing, used_at, bytes) VALUES (?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET failing = excluded.failing, used_at = excluded.used_at, bytes = excluded.bytes`,
  ).run(key, usage.isFailing ? 1 : 0, usage.usedAt, ENTRY_BYTES + usage.bytes + EVENT_BYTES * events);
}

interface EntryWritten {
  readonly isFailing: boolean;
  readonly usedAt: number;
  /** Of its texts and its file. */
  readonly bytes: number;
}

/** Removes an entry. @returns whether there was one. */
export function removeEntry(prepare: Prepare, key: Buffer): boolean {
  prepare('DELETE FROM events WHERE key = ?').run(key);
  prepare('DELETE FROM usage WHERE key = ?').run(key);
  return Number(prepare('DELETE FROM origins WHERE key = ?').run(key).changes) > 0;
}

/**
 * Evicts some entries.
 *
 * @param oldest - entries that were used last before this time go, too; milliseconds since 1970, `undefined` for none.
 */
export function evictSome(prepare: Prepare, limits: StoreLimits, oldest: number | undefined): EvictionStep {
  let removed = 0;
  let removedBytes = 0;
  while (removed < STEP_ENTRIES && removedBytes < STEP_BYTES) {
    const kind = chooseVictims(readTotals(prepare), limits);
    const victim = kind === undefined ? findAged(prepare, oldest) : findOldest(prepare, kind);
    if (victim === undefined) return { removed, removedBytes, isDone: true };
    removeEntry(prepare, victim.key);
    removed++;
    removedBytes += victim.bytes;
  }
  return { removed, removedBytes, isDone: false };
}

interface Victim {
  readonly key: Buffer;
  readonly bytes: number;
}

function findOldest(prepare: Prepare, kind: Victims, before = Number.MAX_SAFE_INTEGER): Victim | undefined {
  return prepare(
    'SELECT key, bytes FROM usage WHERE failing = ? AND used_at < ? ORDER BY used_at LIMIT 1',
  ).get(kind === 'failing' ? 1 : 0, before) as Victim | undefined;
}

function findAged(prepare: Prepare, oldest: number | undefined): Victim | undefined {
  if (oldest === undefined) return undefined;
  return findOldest(prepare, 'good', oldest) ?? findOldest(prepare, 'failing', oldest);
}
