/**
 * A table of different texts with their ids, in SQLite: the texts of links, or the URLs of resources.
 *
 * @module
 */
import type { SqliteDatabase } from '@maycrawl/client/database';
import { detach } from '../../../text/detach.ts';
import { hashUrl } from '../url-key.ts';

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
    const row = this.#database.get<{ id: number }>(
      `select id from ${this.#table} where hash = ? and text = ?`,
      hash,
      text,
    );
    const id =
      row?.id ?? this.#database.insert(`insert into ${this.#table} (hash, text) values (?, ?)`, hash, text);
    if (this.#ids.size >= MAX_KNOWN || this.#chars + text.length > MAX_KNOWN_CHARS) this.reset();
    this.#ids.set(detach(text), id);
    this.#chars += text.length;
    return id;
  }

  /** Returns a text; `undefined` if the id is unknown. */
  read(id: number): string | undefined {
    return this.#database.get<{ text: string }>(`select text from ${this.#table} where id = ?`, id)?.text;
  }

  /** Clears the cache after a rollback. */
  reset(): void {
    this.#ids.clear();
    this.#chars = 0;
  }
}
