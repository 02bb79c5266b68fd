// What pages of a run declare about the use of their content, and the preferences that follow. Most pages of a site declare the
// same, so texts are stored once.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import type { StoredPreferences } from '../records/preferences.ts';
import { IS_HTML } from './report-rows.ts';
import { StringTable } from './string-table.ts';

/** Number of URLs whose rows are read with one statement. */
const CHUNK = 500;

/** A URL that a crawler may fetch or not, and what the run has of its use. */
export interface UseRow {
  readonly key: number;
  readonly url: string;
  /** Index of the crawler. */
  readonly agent: number;
  /** 1: it may fetch the URL. */
  readonly allowed: number;
  /** 1: there is content: the status is 2xx. */
  readonly hasContent: number;
  readonly isHtml: number;
  /** The id of what the page declares. */
  readonly declaration: number | null;
  /** The id of its preferences. */
  readonly preferences: number | null;
}

/** The number of URLs with the same preferences for a crawler; `preferences` is `null` if nothing is declared. */
export interface UseCount {
  readonly agent: number;
  readonly allowed: number;
  readonly preferences: number | null;
  readonly count: number;
}

/** Content, or a URL that the crawler may not fetch. Errors and redirects have no content that could be used. */
const IS_COUNTED = '(verdicts.allowed = 0 or status between 200 and 299)';
const JOINS = `left join page_declarations on page_declarations.key = verdicts.key
  left join url_preferences on url_preferences.key = verdicts.key and url_preferences.agent = verdicts.agent`;

/** Writes and reads declarations and preferences. */
export class PreferenceTables {
  readonly #database: SqliteDatabase;
  readonly #declarations: StringTable;
  readonly #preferences: StringTable;
  /** Preferences by id, of those that were read last. */
  readonly #cache: Map<number, StoredPreferences> = new Map();

  constructor(database: SqliteDatabase, seed: number) {
    this.#database = database;
    this.#declarations = new StringTable(database, 'declarations', seed);
    this.#preferences = new StringTable(database, 'preferences', seed);
  }

  get isEmpty(): boolean {
    return this.#database.get('select 1 from url_preferences limit 1') === undefined;
  }

  /** Whether a page declares something. */
  get hasDeclarations(): boolean {
    return this.#database.get('select 1 from page_declarations limit 1') !== undefined;
  }

  /** Adds what a page declares. */
  declare(key: number, text: string): void {
    const id = this.#declarations.add(text);
    this.#database.run('insert or replace into page_declarations values (?, ?)', key, id);
  }

  /** Returns a declaration, as packDeclarations wrote it. */
  readDeclaration(id: number): string {
    return this.#readText('declarations', id);
  }

  /** Adds preferences of URLs for crawlers, in one transaction. */
  add(uses: readonly (readonly [key: number, agent: number, preferences: StoredPreferences])[]): void {
    try {
      this.#database.transaction(() => {
        for (const [key, agent, preferences] of uses) {
          const id = this.#preferences.add(JSON.stringify(preferences));
          this.#database.run('insert or replace into url_preferences values (?, ?, ?)', key, agent, id);
        }
      });
    } catch (error) {
      this.reset();
      throw error;
    }
  }

  read(id: number): StoredPreferences {
    const cached = this.#cache.get(id);
    if (cached !== undefined) return cached;
    const preferences = JSON.parse(this.#readText('preferences', id)) as StoredPreferences;
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(id, preferences);
    return preferences;
  }

  /** Returns the preferences of a URL for a crawler; `null` if nothing is declared, or it may not fetch it. */
  find(key: number, agent: number): StoredPreferences | null {
    const row = this.#database.get<{ preferences: number }>(
      'select preferences from url_preferences where key = ? and agent = ?',
      key,
      agent,
    );
    return row === undefined ? null : this.read(row.preferences);
  }

  /** Deletes the preferences, which follow from the declarations. */
  clear(): void {
    this.#database.run('delete from url_preferences');
    this.#database.run('delete from preferences');
    this.reset();
  }

  /** Clears the caches, as after a rollback. */
  reset(): void {
    this.#declarations.reset();
    this.#preferences.reset();
    this.#cache.clear();
  }

  /** Iterates over URLs with content, and URLs that a crawler may not fetch, for each crawler. */
  *rows(): Generator<UseRow> {
    const chunk = `select key, url from urls where key > ? order by key limit ${CHUNK}`;
    const findLast = `select max(key) as last from (${chunk})`;
    for (let after = -1; ; ) {
      const last = this.#database.get<{ last: number | null }>(findLast, after)?.last ?? null;
      if (last === null) return;
      yield* this.#database.all<UseRow>(this.#select(`(${chunk})`, 'true'), after);
      after = last;
    }
  }

  /** Returns the row of a URL for a crawler; `undefined` if it has no content. */
  findRow(key: number, agent: number): UseRow | undefined {
    return this.#database.get<UseRow>(
      this.#select('urls', 'urls.key = ? and verdicts.agent = ?'),
      key,
      agent,
    );
  }

  #select(urls: string, condition: string): string {
    return `
      select urls.key, urls.url, verdicts.agent, allowed, declaration, preferences,
        coalesce(status between 200 and 299, 0) as hasContent, status is not null and ${IS_HTML} as isHtml
      from ${urls} as urls join verdicts on verdicts.key = urls.key left join pages on pages.key = urls.key
        ${JOINS}
      where ${IS_COUNTED} and ${condition} order by urls.key, verdicts.agent`;
  }

  /** Counts URLs with content, and URLs that a crawler may not fetch, by crawler and preferences. */
  count(): UseCount[] {
    return this.#database.all(
      `select verdicts.agent, allowed, preferences, count(*) as count
       from verdicts left join pages on pages.key = verdicts.key ${JOINS}
       where ${IS_COUNTED} group by verdicts.agent, allowed, preferences`,
    );
  }

  #readText(table: 'declarations' | 'preferences', id: number): string {
    return this.#database.get<{ text: string }>(`select text from ${table} where id = ?`, id)?.text ?? '{}';
  }
}

/** Number of cached preferences. */
const MAX_CACHED = 1_000;
