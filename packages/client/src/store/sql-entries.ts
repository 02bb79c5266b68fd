/**
 * The entries of a store in a database: size and last use of an origin in one table, its history in another one. Statements that change
 * both begin with `origins`, so that no two of them wait for each other.
 *
 * @module
 */
import { joinSql, type SqlConnection, type SqlDatabase, sql } from '../database/sql.ts';
import type { OriginHistory } from '../robots/history.ts';
import { MAX_EVENTS, type StoreEvent } from '../robots/store-event.ts';
import { fromStored, fromStoredEvents, getStoredSize, type StoredRow, toStored } from '../robots/stored.ts';
import { ENTRY_BYTES, EVENT_BYTES } from './limits.ts';
import type { StoreTables } from './sql-dialect.ts';
import type { EntryUsage } from './store.ts';

/** Entries that one statement removes, so that it ends before its deadline. */
const MAX_REMOVALS = 1000;

/** A stored history, and when it was used. */
interface HistoryRow extends StoredRow {
  readonly usedAt: number;
}

/** What a store has of one origin. */
interface Entry {
  /** `undefined` if it is damaged. */
  readonly history: OriginHistory | undefined;
  readonly events: readonly StoreEvent[];
}

/** Reads and changes entries. */
export class SqlEntries {
  readonly #tables: StoreTables;

  constructor(tables: StoreTables) {
    this.#tables = tables;
  }

  /** A stored history, which may be damaged (`fromStored`); `undefined` if there is none. */
  readHistory(connection: SqlConnection, key: Buffer): Promise<HistoryRow | undefined> {
    const { origins, histories } = this.#tables;
    return connection.get<HistoryRow>(
      sql`select response, outage, body, used_at as "usedAt" from ${histories} join ${origins} using (key) where key = ${key}`,
    );
  }

  /** An entry; `undefined` if there is none. */
  async read(connection: SqlConnection, key: Buffer): Promise<Entry | undefined> {
    const row = await connection.get<StoredRow & { readonly events: string }>(
      sql`select response, outage, body, events from ${this.#tables.histories} where key = ${key}`,
    );
    return row && { history: fromStored(row), events: fromStoredEvents(row.events) };
  }

  /** The last events of an origin, the newest first. */
  async readEvents(connection: SqlConnection, key: Buffer): Promise<StoreEvent[]> {
    const row = await connection.get<{ readonly events: string }>(
      sql`select events from ${this.#tables.histories} where key = ${key}`,
    );
    return row === undefined ? [] : fromStoredEvents(row.events);
  }

  readUsage(connection: SqlConnection, key: Buffer): Promise<EntryUsage | undefined> {
    return connection.get<EntryUsage>(
      sql`select bytes, used_at as "usedAt" from ${this.#tables.origins} where key = ${key}`,
    );
  }

  /** Names of origins in their order, those behind `after`. The index has their first 200 characters. */
  async list(connection: SqlConnection, limit: number, after: string): Promise<string[]> {
    const rows = await connection.all<{ readonly origin: string }>(
      sql`select origin from ${this.#tables.origins}
          where substr(origin, 1, 200) >= ${after.slice(0, 200)} and origin > ${after}
          order by substr(origin, 1, 200), origin limit ${limit}`,
    );
    return rows.map(({ origin }) => origin);
  }

  /**
   * Replaces an entry.
   *
   * @param events - the newest first.
   * @param now - milliseconds since 1970.
   * @returns its size in bytes.
   */
  async put(
    transaction: SqlConnection,
    origin: string,
    key: Buffer,
    history: OriginHistory,
    events: readonly StoreEvent[],
    now: number,
  ): Promise<number> {
    const { origins, histories } = this.#tables;
    const stored = toStored(history);
    const { response, outage, body } = stored;
    const newest = events.slice(0, MAX_EVENTS);
    const bytes = ENTRY_BYTES + 3 * origin.length + getStoredSize(stored) + EVENT_BYTES * newest.length;
    await transaction.run(
      sql`insert into ${origins} (key, origin, is_failing, used_at, bytes)
          values (${key}, ${origin}, ${outage === null ? 0 : 1}, ${now}, ${bytes})
          on conflict (key) do update
          set is_failing = excluded.is_failing, used_at = excluded.used_at, bytes = excluded.bytes`,
    );
    await transaction.run(
      sql`insert into ${histories} (key, response, outage, body, events)
          values (${key}, ${response}, ${outage}, ${body}, ${JSON.stringify(newest)})
          on conflict (key) do update
          set response = excluded.response, outage = excluded.outage, body = excluded.body, events = excluded.events`,
    );
    return bytes;
  }

  /** Records that entries are used now. */
  async recordUse(connection: SqlConnection, keys: readonly Buffer[], now: number): Promise<void> {
    await connection.run(
      sql`update ${this.#tables.origins} set used_at = ${now} where key in (${joinSql(keys)})`,
    );
  }

  /**
   * Removes entries.
   *
   * @param usedUntil - one that was used later stays. @defaultValue none stays
   * @returns those that are removed.
   */
  async remove(
    transaction: SqlConnection,
    keys: readonly Uint8Array[],
    usedUntil: number = Number.MAX_SAFE_INTEGER,
  ): Promise<{ readonly bytes: number }[]> {
    const { origins, histories } = this.#tables;
    const removed = await transaction.all<{ readonly key: Uint8Array; readonly bytes: number }>(
      sql`delete from ${origins} where key in (${joinSql(keys)}) and used_at <= ${usedUntil} returning key, bytes`,
    );
    if (removed.length > 0)
      await transaction.run(
        sql`delete from ${histories} where key in (${joinSql(removed.map(({ key }) => key))})`,
      );
    return removed;
  }

  /** Removes all entries, some in a transaction. @returns the number of removed entries. */
  async removeAll(database: SqlDatabase): Promise<number> {
    let removed = 0;
    for (let after: Uint8Array | undefined = Buffer.alloc(0); after !== undefined; ) {
      const rows: { readonly key: Uint8Array }[] = await database.all(
        sql`select key from ${this.#tables.origins} where key > ${after} order by key limit ${MAX_REMOVALS}`,
      );
      const keys = rows.map(({ key }) => key);
      after = keys.at(-1);
      if (after !== undefined)
        removed += (await database.transaction((transaction) => this.remove(transaction, keys))).length;
    }
    return removed;
  }
}
