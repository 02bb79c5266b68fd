// The sitemaps of a run, and the URLs that they list.
import type { SqliteDatabase } from '@maycrawl/client/internal';

export interface StoredSitemap {
  readonly id: number;
  readonly url: string;
  /** Where it was found: `robots.txt`, an index, or the command line. */
  readonly foundIn: string;
  /** Number of entries; `null` until it is read. */
  readonly entries: number | null;
  /** Why it could not be read completely; `null` otherwise. */
  readonly problem: string | null;
}

const SELECT = 'select id, url, found_in as foundIn, entries, problem from sitemaps';

export class SitemapTable {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Adds a sitemap, unless it exists. Returns whether it is new. */
  add(url: string, foundIn: string): boolean {
    const add = 'insert or ignore into sitemaps (url, found_in) values (?, ?)';
    return this.#database.run(add, url, foundIn) > 0;
  }

  list(): StoredSitemap[] {
    return this.#database.all(`${SELECT} order by id`);
  }

  listUnread(): StoredSitemap[] {
    return this.#database.all(`${SELECT} where entries is null order by id`);
  }

  /** Adds a URL of a sitemap. @param key - of the URL. */
  addEntry(sitemap: number, key: number): void {
    this.#database.run('insert or ignore into sitemap_entries values (?, ?)', key, sitemap);
  }

  /** Marks a sitemap as read. */
  close(sitemap: number, entries: number, problem: string | null): void {
    this.#database.run(
      'update sitemaps set entries = ?, problem = ? where id = ?',
      entries,
      problem,
      sitemap,
    );
  }

  /** Returns the ids of the sitemaps that list a URL. */
  findIds(key: number): number[] {
    return this.#database
      .all<{ sitemap: number }>('select sitemap from sitemap_entries where key = ?', key)
      .map(({ sitemap }) => sitemap);
  }
}
