// URLs that were requested only to find out whether links to them work: of other sites, and scripts, stylesheets and images of pages.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import { readCount, toStateNumber } from './rows.ts';

/** The result of a request. */
export interface Check {
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** At the end of its redirects; `null`: no response, or not requested. */
  readonly status: number | null;
  /** Why there is no usable response: the code of a failed request, `robots` if robots.txt disallows the URL, `overloaded` if the host requested too many pauses, `redirect`; otherwise `null`. */
  readonly code: string | null;
  /** The failure in words. */
  readonly detail: string | null;
}

export class CheckTable {
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  add({ url, at, status, code, detail }: Check): void {
    this.#database.run(
      'insert or replace into checks (url, at, status, code, detail) values (?, ?, ?, ?, ?)',
      ...[url, at, status, code, detail],
    );
  }

  find(url: string): Check | undefined {
    return this.#database.get('select * from checks where url = ?', url);
  }

  /** Iterates over all results, in the order of their URLs. */
  list(): Generator<Check> {
    return this.#database.iterate('select * from checks order by url');
  }

  /** Iterates over URLs of other sites that were not fetched or checked, those found first. URLs that the user excluded are omitted. */
  uncheckedUrls(): Generator<{ readonly url: string }> {
    return this.#database.iterate(
      `select url from urls where state = ? and reason is null
         and key not in (select key from pages) and url not in (select url from checks) order by key`,
      toStateNumber('outside'),
    );
  }

  /** Iterates over URLs of scripts, stylesheets and images that were not checked, those found first. */
  uncheckedResources(): Generator<{ readonly url: string }> {
    return this.#database.iterate(
      'select text as url from resources where text not in (select url from checks) order by id',
    );
  }

  count(): number {
    return readCount(this.#database, 'select count(*) as count from checks');
  }
}
