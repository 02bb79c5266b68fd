// A table of different texts with their ids: the texts of links, the URLs of resources, declarations and preferences.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import { detach } from '../../../text/detach.ts';
import { NO_TEXT } from '../records/page-lists.ts';
import { hashUrl } from '../records/url-key.ts';

/** Limits of the caches: number of texts, and their characters. A full cache is cleared. */
const MAX_CACHED = 50_000;
const MAX_CACHED_CHARS = 5_000_000;
/** Number of texts of one statement. */
const MAX_ROWS = 16;

/** The tables with the columns `id`, `hash` and `text`. */
type TableName = 'texts' | 'resources' | 'declarations' | 'preferences';

interface TextRow {
  readonly id: number;
  readonly hash: number;
  readonly text: string;
}

export class StringTable {
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
   * Returns the ids of texts, in their order. Adds those that are new with few statements.
   *
   * @param texts - the id of `undefined` is {@link NO_TEXT}.
   * @returns `undefined` for texts that {@link add} has to add, because the cache does not have all texts of the table.
   */
  addNew(texts: readonly (string | undefined)[]): (number | undefined)[] {
    const added: TextRow[] = [];
    const ids = texts.map((text) => {
      if (text === undefined) return NO_TEXT;
      const cached = this.#ids.get(text);
      if (cached !== undefined || !this.#hasAll()) return cached;
      // The cache has all texts, whose ids are 1 and so on.
      const id = this.#ids.size + 1;
      added.push({ id, hash: hashUrl(text, this.#seed), text });
      this.#remember(text, id);
      return id;
    });
    for (let at = 0; at < added.length; at += MAX_ROWS) this.#insert(added.slice(at, at + MAX_ROWS));
    return ids;
  }

  /** Returns the id of a text. Adds it if it is new. */
  add(text: string): number {
    const cached = this.#ids.get(text);
    if (cached !== undefined) return cached;
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

  #insert(rows: readonly TextRow[]): void {
    this.#database.run(
      `insert into ${this.#table} (id, hash, text) values ${rows.map(() => '(?, ?, ?)').join()}`,
      ...rows.flatMap(({ id, hash, text }) => [id, hash, text]),
    );
  }

  /** Whether the cache has all texts of the table. */
  #hasAll(): boolean {
    this.#isWhole ??= this.#database.get(`select 1 from ${this.#table} limit 1`) === undefined;
    return this.#isWhole;
  }

  #remember(text: string, id: number): void {
    if (this.#ids.size >= MAX_CACHED || this.#chars + text.length > MAX_CACHED_CHARS) this.reset();
    this.#ids.set(detach(text), id);
    this.#chars += text.length;
  }

  #find(hash: number, text: string): number | undefined {
    const find = `select id from ${this.#table} where hash = ? and text = ?`;
    return this.#database.get<{ id: number }>(find, hash, text)?.id;
  }
}
