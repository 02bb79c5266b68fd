/**
 * The entries of origins in a SQLite store. The caller runs each function in a transaction.
 *
 * @module
 */
import type { SqliteDatabase } from '../database/sqlite.ts';
import type { OriginHistory } from '../robots/history.ts';
import type { Change } from '../robots/observation.ts';
import { KEPT_EVENTS, type StoreEvent } from '../robots/store-event.ts';
import { fromStored, getStoredSize, type StoredRow, toStored, toStoredKind } from '../robots/stored.ts';
import { ENTRY_BYTES, EVENT_BYTES } from './limits.ts';

/** The history of an origin; `undefined` if there is none, or it is damaged. */
export function readEntry(database: SqliteDatabase, key: Buffer): OriginHistory | undefined {
  const row = database.get<StoredRow>('SELECT answer, outage, body FROM origins WHERE key = ?', key);
  return row && fromStored(row);
}

/**
 * Replaces an entry, adds its event, and records its size and use.
 *
 * @param now - milliseconds since 1970.
 */
export function putEntry(
  database: SqliteDatabase,
  key: Buffer,
  origin: string,
  { history, event }: NonNullable<ReturnType<Change>>,
  now: number,
): void {
  const stored = toStored(history);
  const { answer, outage, body } = stored;
  database.run(
    'INSERT OR REPLACE INTO origins (key, origin, answer, outage, body) VALUES (?,?,?,?,?)',
    key,
    origin,
    answer,
    outage,
    body,
  );
  addEvent(database, key, event);
  const row = database.get<{ events: number }>('SELECT count(*) AS events FROM events WHERE key = ?', key);
  const bytes = ENTRY_BYTES + 3 * origin.length + getStoredSize(stored) + EVENT_BYTES * (row?.events ?? 0);
  database.run(
    `INSERT INTO usage (key, failing, used_at, bytes) VALUES (?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET failing = excluded.failing, used_at = excluded.used_at, bytes = excluded.bytes`,
    key,
    outage === null ? 0 : 1,
    now,
    bytes,
  );
}

/** Removes an entry. @returns whether there was one. */
export function removeEntry(database: SqliteDatabase, key: Buffer): boolean {
  database.run('DELETE FROM events WHERE key = ?', key);
  database.run('DELETE FROM usage WHERE key = ?', key);
  return database.run('DELETE FROM origins WHERE key = ?', key) > 0;
}

function addEvent(
  database: SqliteDatabase,
  key: Buffer,
  { at, kind, status, code, hash, bytes }: StoreEvent,
): void {
  database.run(
    'INSERT INTO events (key, at, kind, status, code, hash, bytes) VALUES (?,?,?,?,?,?,?)',
    key,
    at,
    toStoredKind(kind),
    status,
    code,
    hash,
    bytes,
  );
  database.run(
    `DELETE FROM events WHERE key = ? AND id <= (
       SELECT id FROM events WHERE key = ? ORDER BY id DESC LIMIT 1 OFFSET ?
     )`,
    key,
    key,
    KEPT_EVENTS,
  );
}
