/**
 * A table of different texts with their ids, in SQLite: the texts of links, or the URLs of resources.
 *
 * @module
 */
import type { SqliteDatabase } from '@maycrawl/client/database';
import { detach } from '../../../text/detach.ts';
import { hashUrl } from '../records/url-key.ts';

/** Limits of the caches: number of texts, and their characters. A full cache is cleared. */
const MAX_KNOWN = 50_000;
const MAX_KNOWN_CHARS = 5_000_000;

/** A table with the columns `id`, `hash` and `text`. */
export class InternedTable {
  readonly #database: SqliteDatabase;
  readonly #table: 'texts' | 'resources';
  readonly #seed: number;
  readonly #ids: Map<string, number> = new Map();
  #chars = 0;
  /** Whether the cache has all texts of the table; `undefined` before the first one. */
  #isWhole: boolean | undefined;

  constructor(database: SqliteDatabase, table: 'texts' | 'resources', seed: number) {
    this.#database = database;
    this.#table = table;
    this.#seed = seed;
  }

  /** Returns the id of a text. Adds it if it is new. */
  add(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const hash = hashUrl(text, this.#seed);
    this.#isWhole ??= this.#database.get(`select 1 from ${this.#table} limit 1`) === undefined;
    const id =
      (this.#isWhole ? undefined : this.#find(hash, text)) ??
      this.#database.insert(`insert into ${this.#table} (hash, text) values (?, ?)`, hash, text);
    if (this.#ids.size >= MAX_KNOWN || this.#chars + text.length > MAX_KNOWN_CHARS) this.reset();
    this.#ids.set(detach(text), id);
    this.#chars += text.length;
    return id;
  }

  /** Clears the cache, as after a rollback. */
  reset(): void {
    this.#ids.clear();
    this.#chars = 0;
    this.#isWhole = false;
  }

  #find(hash: number, text: string): number | undefined {
    const find = `select id from ${this.#table} where hash = ? and text = ?`;
    return this.#database.get<{ id: number }>(find, hash, text)?.id;
  }
}
