/**
 * A store in one SQLite file, which several processes of one machine can share.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database, Statement } from 'better-sqlite3';
import { eventOfAnswer, eventOfFailure, KEPT_EVENTS, type StoreEvent } from './events.ts';
import {
  type Failure,
  type GoodAnswer,
  NO_HISTORY,
  type OriginHistory,
  type Outage,
  withAnswer,
  withFailure,
} from './history.ts';
import { type RobotsStore, StoreError } from './store.ts';

/** How long a process waits for another that writes. Milliseconds. */
const BUSY_TIMEOUT = 10_000;

/**
 * The steps from one version of the schema to the next; the version is how many were taken. Only ever add to the end.
 * Origins are found by their hash, since they can be longer than an index should hold; a file that many origins share is there
 * once.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE bodies (hash BLOB PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;
   CREATE TABLE origins (
     key BLOB PRIMARY KEY,
     origin TEXT NOT NULL,
     answer_kind TEXT, fetched_at INTEGER, fresh_until INTEGER, body BLOB, status INTEGER, answer_code TEXT,
     answer_reason TEXT, etag TEXT, last_modified TEXT,
     outage_since INTEGER, outage_last_at INTEGER, outage_failures INTEGER, outage_code TEXT, outage_status INTEGER,
     outage_reason TEXT, outage_retry_at INTEGER
   ) WITHOUT ROWID;
   CREATE INDEX origins_by_body ON origins (body);
   CREATE INDEX origins_by_name ON origins (origin);
   CREATE TABLE events (
     id INTEGER PRIMARY KEY,
     key BLOB NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, status INTEGER, code TEXT, hash TEXT, bytes INTEGER NOT NULL
   );
   CREATE INDEX events_by_key ON events (key, id);
   CREATE TABLE leases (key BLOB PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;`,
];

interface OriginRow {
  readonly answer_kind: GoodAnswer['kind'] | null;
  readonly fetched_at: number;
  readonly fresh_until: number;
  readonly bytes: Buffer | null;
  readonly status: number | null;
  readonly answer_code: GoodAnswer['code'];
  readonly answer_reason: string | null;
  readonly etag: string | null;
  readonly last_modified: string | null;
  readonly outage_since: number | null;
  readonly outage_last_at: number;
  readonly outage_failures: number;
  readonly outage_code: Outage['code'];
  readonly outage_status: number | null;
  readonly outage_reason: string;
  readonly outage_retry_at: number | null;
}

/**
 * Opens a store in a file, which is made if there is none, with the folders that it stands in.
 *
 * @throws {StoreError} if the file cannot be opened, is no store, or is of a later version; or if better-sqlite3, which is an
 *   optional dependency, is not installed.
 */
export async function openSqliteStore(path: string): Promise<RobotsStore> {
  const Sqlite = await loadSqlite();
  let database: Database | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    database = new Sqlite(path, { timeout: BUSY_TIMEOUT });
    database.pragma('journal_mode = WAL');
    // What was acknowledged survives the end of the process, however it ends.
    database.pragma('synchronous = NORMAL');
    migrate(database, path);
    return new SqliteStore(database);
  } catch (cause) {
    database?.close();
    if (cause instanceof StoreError) throw cause;
    const { message } = cause as Error;
    throw new StoreError('store-unreadable', `cannot use ${path} as a store: ${message}`, { cause });
  }
}

async function loadSqlite(): Promise<typeof import('better-sqlite3')> {
  try {
    return (await import('better-sqlite3')).default;
  } catch (cause) {
    const advice = 'npm install better-sqlite3 adds it';
    throw new StoreError('store-unavailable', `the package better-sqlite3 cannot be loaded; ${advice}`, {
      cause,
    });
  }
}

/** Brings the file to the newest version. Two processes that do so at the same time wait for each other. */
function migrate(database: Database, path: string): void {
  const step = database.transaction(() => {
    const version = database.pragma('user_version', { simple: true }) as number;
    if (version > MIGRATIONS.length) {
      throw new StoreError(
        'store-from-the-future',
        `${path} was written by a later version of maycrawl (its version is ${version}, this program knows ${MIGRATIONS.length}); update maycrawl, or use another file`,
      );
    }
    for (const migration of MIGRATIONS.slice(version)) database.exec(migration);
    database.pragma(`user_version = ${MIGRATIONS.length}`);
  });
  step.immediate();
}

class SqliteStore implements RobotsStore {
  readonly #database: Database;
  readonly #statements: Map<string, Statement> = new Map();

  constructor(database: Database) {
    this.#database = database;
  }

  async get(origin: string): Promise<OriginHistory | undefined> {
    return this.#read(keyOf(origin));
  }

  async putAnswer(origin: string, answer: GoodAnswer): Promise<OriginHistory> {
    return this.#write(origin, (history) =>
      history.answer !== null && history.answer.fetchedAt > answer.fetchedAt
        ? undefined
        : { next: withAnswer(answer), event: eventOfAnswer(answer) },
    );
  }

  async recordFailure(origin: string, failure: Failure): Promise<OriginHistory> {
    return this.#write(origin, (history) =>
      history.answer !== null && history.answer.fetchedAt > failure.at
        ? undefined
        : { next: withFailure(history, failure), event: eventOfFailure(failure) },
    );
  }

  async list(limit: number, after = ''): Promise<string[]> {
    const rows = this.#prepare('SELECT origin FROM origins WHERE origin > ? ORDER BY origin LIMIT ?').all(
      after,
      limit,
    ) as { origin: string }[];
    return rows.map(({ origin }) => origin);
  }

  async events(origin: string): Promise<StoreEvent[]> {
    return this.#prepare(
      'SELECT at, kind, status, code, hash, bytes FROM events WHERE key = ? ORDER BY id DESC LIMIT ?',
    ).all(keyOf(origin), KEPT_EVENTS) as StoreEvent[];
  }

  async delete(origin?: string): Promise<number> {
    const deleteRows = this.#database.transaction(() => {
      if (origin === undefined) {
        const { changes } = this.#prepare('DELETE FROM origins').run();
        for (const table of ['events', 'bodies', 'leases']) this.#prepare(`DELETE FROM ${table}`).run();
        return changes;
      }
      const key = keyOf(origin);
      const body = this.#bodyOf(key);
      const { changes } = this.#prepare('DELETE FROM origins WHERE key = ?').run(key);
      this.#prepare('DELETE FROM events WHERE key = ?').run(key);
      this.#deleteUnused(body);
      return changes;
    });
    return deleteRows.immediate();
  }

  async lease(origin: string, owner: string, until: number, now: number): Promise<boolean> {
    const { changes } = this.#prepare(
      `INSERT INTO leases (key, owner, until) VALUES (@key, @owner, @until)
       ON CONFLICT (key) DO UPDATE SET owner = @owner, until = @until WHERE owner = @owner OR until <= @now`,
    ).run({ key: keyOf(origin), owner, until, now });
    return changes > 0;
  }

  async release(origin: string, owner: string): Promise<void> {
    this.#prepare('DELETE FROM leases WHERE key = ? AND owner = ?').run(keyOf(origin), owner);
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #read(key: Buffer): OriginHistory | undefined {
    const row = this.#prepare(
      'SELECT origins.*, bodies.bytes FROM origins LEFT JOIN bodies ON bodies.hash = origins.body WHERE key = ?',
    ).get(key) as OriginRow | undefined;
    return row && { answer: answerOf(row), outage: outageOf(row) };
  }

  /** Changes what is known of an origin, as one step that no other process can come into. */
  #write(
    origin: string,
    change: (history: OriginHistory) => { next: OriginHistory; event: StoreEvent } | undefined,
  ): OriginHistory {
    const key = keyOf(origin);
    const transaction = this.#database.transaction(() => {
      const before = this.#read(key) ?? NO_HISTORY;
      const changed = change(before);
      if (changed === undefined) return before;
      this.#put(key, origin, changed.next);
      this.#addEvent(key, changed.event);
      return changed.next;
    });
    return transaction.immediate();
  }

  #put(key: Buffer, origin: string, { answer, outage }: OriginHistory): void {
    const before = this.#bodyOf(key);
    const body = answer?.kind === 'found' ? createHash('sha256').update(answer.bytes).digest() : null;
    if (body !== null) {
      this.#prepare('INSERT OR IGNORE INTO bodies (hash, bytes) VALUES (?, ?)').run(body, answer?.bytes);
    }
    this.#prepare('INSERT OR REPLACE INTO origins VALUES (?,?, ?,?,?,?,?,?,?,?,?, ?,?,?,?,?,?,?)').run(
      key,
      origin,
      ...[answer?.kind, answer?.fetchedAt, answer?.freshUntil, body].map((value) => value ?? null),
      ...[answer?.status, answer?.code, answer?.reason].map((value) => value ?? null),
      ...[answer?.etag, answer?.lastModified].map((value) => value ?? null),
      ...[outage?.since, outage?.lastAt, outage?.failures, outage?.code].map((value) => value ?? null),
      ...[outage?.status, outage?.reason, outage?.retryAt].map((value) => value ?? null),
    );
    if (before !== null && (body === null || !before.equals(body))) this.#deleteUnused(before);
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

  #bodyOf(key: Buffer): Buffer | null {
    const row = this.#prepare('SELECT body FROM origins WHERE key = ?').get(key) as
      | { body: Buffer | null }
      | undefined;
    return row?.body ?? null;
  }

  /** Forgets a file that no origin has any more. */
  #deleteUnused(body: Buffer | null): void {
    if (body === null) return;
    this.#prepare(
      'DELETE FROM bodies WHERE hash = @body AND NOT EXISTS (SELECT 1 FROM origins WHERE body = @body)',
    ).run({ body });
  }
}

function keyOf(origin: string): Buffer {
  return createHash('sha256').update(origin).digest();
}

function answerOf(row: OriginRow): GoodAnswer | null {
  if (row.answer_kind === null) return null;
  return {
    kind: row.answer_kind,
    fetchedAt: row.fetched_at,
    freshUntil: row.fresh_until,
    bytes: new Uint8Array(row.bytes ?? []),
    status: row.status,
    code: row.answer_code,
    reason: row.answer_reason,
    etag: row.etag,
    lastModified: row.last_modified,
  };
}

function outageOf(row: OriginRow): Outage | null {
  if (row.outage_since === null) return null;
  return {
    since: row.outage_since,
    lastAt: row.outage_last_at,
    failures: row.outage_failures,
    code: row.outage_code,
    status: row.outage_status,
    reason: row.outage_reason,
    retryAt: row.outage_retry_at,
  };
}
