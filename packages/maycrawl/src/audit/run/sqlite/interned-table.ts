/**
 * A table of different texts with their ids, in SQLite: the texts of links, the URLs of resources, declarations and preferences.
 *
 * @module
 */
import type { SqliteDatabase } from '@maycrawl/client/database';
import { detach } from '../../../text/detach.ts';
import { hashUrl } from '../records/url-key.ts';

/** Limits of the caches: number of texts, and their characters. A full cache is cleared. */
const MAX_KNOWN = 50_000;
const MAX_KNOWN_CHARS = 5_000_000;
/** Number of texts of one statement. */
const MAX_ROWS = 16;

/** The tables with the columns `id`, `hash` and `text`. */
type TableName = 'texts' | 'resources' | 'declarations' | 'preferences';

/** One of these tables. */
export class InternedTable {
  readonly #database: SqliteDatabase;
  readonly #table: TableName;
  readonly #seed: number;
  readonly #ids: Map<string, number> = new Map();
  #chars = 0;
  /** Whether the cache has all texts of the table; `undefined` before the first one. */
  #isWhole: boolean | undefined;

  constructor(database: SqliteDatabase, table: TableName, seed: number) {
    this.#database = database;
    this.#table = table;
    this.#seed = seed;
  }

  /**
   * Adds the texts that are new with few statements, if the cache has all texts of the table. Otherwise {@link add} adds them.
   *
   * @param texts - `undefined` elements are skipped.
   */
  addNew(texts: readonly (string | undefined)[]): void {
    const added = new Set<string>();
    for (const text of texts) if (text !== undefined && !this.#ids.has(text)) added.add(text);
    if (added.size === 0 || !this.#hasAll()) return;
    const rows = Array.from(added, (text) => ({ text, hash: hashUrl(text, this.#seed) }));
    for (let at = 0; at < rows.length && this.#isWhole; at += MAX_ROWS) {
      const group = rows.slice(at, at + MAX_ROWS);
      // The cache has all texts, whose ids are 1 and so on.
      const first = this.#ids.size + 1;
      this.#database.run(
        `insert into ${this.#table} (id, hash, text) values ${group.map(() => '(?, ?, ?)').join()}`,
        ...group.flatMap(({ hash, text }, index) => [first + index, hash, text]),
      );
      for (const [index, { text }] of group.entries()) this.#remember(text, first + index);
    }
  }

  /** Returns the id of a text. Adds it if it is new. */
  add(text: string): number {
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    const hash = hashUrl(text, this.#seed);
    const id =
      (this.#hasAll() ? undefined : this.#find(hash, text)) ??
      this.#database.insert(`insert into ${this.#table} (hash, text) values (?, ?)`, hash, text);
    this.#remember(text, id);
    return id;
  }

  /** Clears the cache, as after a rollback. */
  reset(): void {
    this.#ids.clear();
    this.#chars = 0;
    this.#isWhole = false;
  }

  /** Whether the cache has all texts of the table. */
  #hasAll(): boolean {
    this.#isWhole ??= this.#database.get(`select 1 from ${this.#table} limit 1`) === undefined;
    return this.#isWhole;
  }

  #remember(text: string, id: number): void {
    if (this.#ids.size >= MAX_KNOWN || this.#chars + text.length > MAX_KNOWN_CHARS) this.reset();
    this.#ids.set(detach(text), id);
    this.#chars += text.length;
  }

  #find(hash: number, text: string): number | undefined {
    const find = `select id from ${this.#table} where hash = ? and text = ?`;
    return this.#database.get<{ id: number }>(find, hash, text)?.id;
  }
}
