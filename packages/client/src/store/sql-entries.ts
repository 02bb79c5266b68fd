// The entries of a store in a database: size and last use of an origin in one table, its history in another one. Statements that change
// both begin with `origins`, so that no two of them wait for each other.
import { joinSql, type SqlConnection, type SqlDatabase, sql } from '../database/sql.ts';
import type { OriginHistory } from '../robots/history.ts';
import { MAX_EVENTS, type StoreEvent } from '../robots/store-event.ts';
import { getStoredSize, type StoredRow, toStored } from '../robots/stored.ts';
import { ENTRY_BYTES, EVENT_BYTES } from './limits.ts';
import type { StoreTables } from './sql-dialect.ts';
import type { EntryUsage } from './store.ts';

/** Entries that one statement removes, so that it ends before its deadline. */
const MAX_REMOVALS = 1000;

/** What a store has of one origin. The history may be damaged (`fromStored`), as may the events (`fromStoredEvents`). */
interface EntryRow extends StoredRow {
  readonly events: string;
  readonly usedAt: number;
}

export class SqlEntries {
  readonly #tables: StoreTables;

  constructor(tables: StoreTables) {
    this.#tables = tables;
  }

  read(connection: SqlConnection, key: Buffer): Promise<EntryRow | undefined> {
    const { origins, histories } = this.#tables;
    return connection.get<EntryRow>(
      sql`select response, outage, body, events, used_at as "usedAt"
          from ${histories} join ${origins} using (key) where key = ${key}`,
    );
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
