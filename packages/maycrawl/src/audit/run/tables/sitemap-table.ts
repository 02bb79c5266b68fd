// The sitemaps of a run, and the URLs that they list.
import type { SqliteDatabase } from '@maycrawl/client/internal';

export interface StoredSitemap {
  readonly id: number;
  readonly url: string;
  /** Where it was found: `robots.txt`, an index, or the command line. */
  readonly foundIn: string;
  /** Number of entries; `null` until it is read. */
  readonly entries: number | null;
  /** What is wrong with it, in words; `null` if nothing is. */
  readonly problem: string | null;
  readonly problems: readonly SitemapProblem[];
}

/** What is wrong with a sitemap. */
export interface SitemapProblem {
  /** The kind of finding; `not-read`: a limit of the run is the reason. */
  readonly code:
    | 'sitemap-not-fetched'
    | 'sitemap-invalid'
    | 'sitemap-damaged'
    | 'sitemap-too-large'
    | 'sitemap-empty'
    | 'sitemap-invalid-entries'
    | 'not-read';
  /** The cause, as a part of a sentence. */
  readonly detail: string;
}

/** The entries of a sitemap on one host. */
export interface EntriesOfHost {
  /** With the port. */
  readonly host: string;
  readonly count: number;
  readonly example: string;
}

const SELECT = 'select id, url, found_in as foundIn, entries, problems from sitemaps';

type SitemapRow = Omit<StoredSitemap, 'problem' | 'problems'> & { readonly problems: string | null };

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
    return this.#database.all<SitemapRow>(`${SELECT} order by id`).map(toSitemap);
  }

  listUnread(): StoredSitemap[] {
    return this.#database.all<SitemapRow>(`${SELECT} where entries is null order by id`).map(toSitemap);
  }

  /** Adds a URL of a sitemap. @param key - of the URL. */
  addEntry(sitemap: number, key: number): void {
    this.#database.run('insert or ignore into sitemap_entries values (?, ?)', key, sitemap);
  }

  /** Marks a sitemap as read. @param problems - what is wrong with it. @defaultValue nothing */
  close(sitemap: number, entries: number, problems: readonly SitemapProblem[] = []): void {
    this.#database.run(
      'update sitemaps set entries = ?, problems = ? where id = ?',
      entries,
      problems.length === 0 ? null : JSON.stringify(problems),
      sitemap,
    );
  }

  /** Counts the entries of a sitemap by host, the host with the most entries first. */
  countByHost(sitemap: number): EntriesOfHost[] {
    return this.#database.all(
      `select host, count(*) as count, min(url) as example from sitemap_entries join urls using (key)
       where sitemap = ? group by host order by count desc, host`,
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

function toSitemap({ problems: text, ...row }: SitemapRow): StoredSitemap {
  const problems = text === null ? [] : (JSON.parse(text) as SitemapProblem[]);
  const problem = problems.length === 0 ? null : problems.map(({ detail }) => detail).join('; ');
  return { ...row, problem, problems };
}
