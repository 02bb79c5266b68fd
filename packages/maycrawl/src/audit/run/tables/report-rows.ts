// Rows of a judged run for reports. They are read one at a time, so memory does not grow with their number.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import type { UrlRecord } from '../records/page.ts';
import { packReasons } from '../records/reasons.ts';
import type { MissingPage } from '../records/site-facts.ts';
import { readOrderedRecords, readRecord } from '../records/url-records.ts';
import { LinkRows } from './link-rows.ts';
import { readCount, toStateNumber } from './rows.ts';

/** Number of rows of one query. */
const CHUNK = 1_000;

/** The condition that a page is HTML. */
export const IS_HTML = "(type is null or type in ('text/html', 'application/xhtml+xml'))";

/** The order of states in a report with a limit: fetched, blocked, waiting, too-deep, crawl-trap, outside. */
const IMPORTANCE =
  'case state when 1 then 0 when 2 then 1 when 0 then 2 when 5 then 3 when 4 then 4 else 5 end';

const KEY_QUERIES: Readonly<Record<'pages' | 'blocked' | 'starts' | 'inSitemaps', string>> = {
  pages: 'select key from pages',
  blocked: `select key from urls where state = ${toStateNumber('blocked')}`,
  starts: 'select key from urls where start = 1',
  inSitemaps: 'select key from sitemap_entries',
};

/** The bits of reasons in a sum of reasons. */
const [BLOCKED, NOINDEX] = [packReasons(['blocked']), packReasons(['noindex'])] as const;

/** A URL in the order of the URLs. */
export interface OrderedUrl {
  readonly place: number;
  readonly key: number;
  readonly url: string;
  readonly state: number;
}

/** A URL, and its verdict for a crawler. */
export interface JudgedPage {
  readonly key: number;
  readonly url: string;
  readonly agent: number;
  readonly reasons: number;
  /** `null`: no response. */
  readonly status: number | null;
  readonly milliseconds: number | null;
}

/** A URL, and why it is not indexable for a crawler. */
export interface LostPage {
  readonly key: number;
  readonly url: string;
  readonly depth: number;
  readonly reasons: number;
  readonly isBlocked: boolean;
  /** The reason of the decision by robots.txt, and its line. */
  readonly decision: string;
  readonly line: number;
  /** Where a noindex is (run-schema.ts). */
  readonly noindex: number;
  readonly status: number | null;
}

/** Columns of {@link LostPage}. */
const LOST_COLUMNS = `key, url, depth, reasons, reasons & ${BLOCKED} <> 0 as "isBlocked", verdicts.reason as decision, line, noindex`;

/** A page with status 200. */
export interface FoundPage extends Pick<MissingPage, 'title' | 'bytes' | 'digest'> {
  readonly key: number;
  readonly url: string;
  /** 1: a page with status 404 or 410 has the same content. */
  readonly isGone: number;
}

/** Reads rows of a run. Writes only to temporary tables. */
export class ReportRows {
  /** Links, their texts, and the resources of pages. */
  readonly links: LinkRows;
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.links = new LinkRows(database);
  }

  /**
   * Orders the URLs by their bytes in a temporary table. The order is the same in all runs.
   *
   * @param limit - maximum number of URLs: the most important states, and within them the URLs found first. @defaultValue unlimited
   */
  orderUrls(limit?: number): void {
    this.#database.exec('drop table if exists temp.by_url');
    this.#database.exec('create temp table by_url (place integer primary key, key integer not null)');
    if (limit === undefined) this.#database.run('insert into by_url (key) select key from urls order by url');
    else
      this.#database.run(
        `insert into by_url (key) select key from
           (select key, url from urls order by ${IMPORTANCE}, key limit ?) order by url`,
        limit,
      );
  }

  /** Iterates over keys in the order of {@link orderUrls}. */
  *keysInOrder(): Generator<number> {
    for (let after = 0; ; after += CHUNK) {
      const rows = this.#database.all<{ key: number }>(
        'select key from by_url where place > ? order by place limit ?',
        after,
        CHUNK,
      );
      for (const { key } of rows) yield key;
      if (rows.length < CHUNK) return;
    }
  }

  /** Iterates over URLs with their pages and sitemaps, in the order of {@link orderUrls}. */
  recordsInOrder(): Generator<UrlRecord> {
    return readOrderedRecords(this.#database);
  }

  /** Returns a URL with its page and sitemaps; `undefined` if the run does not contain it. */
  record(key: number): UrlRecord | undefined {
    return readRecord(this.#database, key);
  }

  /** Returns URLs after a place in the order of {@link orderUrls}. */
  orderedUrls(after: number): OrderedUrl[] {
    return this.#database.all<OrderedUrl>(
      `select place, key, url, state from by_url join urls using (key) where place > ? order by place limit ${CHUNK}`,
      after,
    );
  }

  countUrls(): number {
    return readCount(this.#database, 'select count(*) as count from urls');
  }

  countUrlsInSitemaps(): number {
    return readCount(this.#database, 'select count(distinct key) as count from sitemap_entries');
  }

  /** Returns the hosts, with their ports, of URLs in the scope. */
  getAuditedHosts(): ReadonlySet<string> {
    const outside = toStateNumber('outside');
    const rows = this.#database.all<{ host: string }>(
      'select distinct host from urls where state <> ?',
      outside,
    );
    return new Set(rows.map(({ host }) => host));
  }

  /** Iterates over keys and depths of all URLs, in the order of the keys. */
  keysAndDepths(): Generator<{ readonly key: number; readonly depth: number }> {
    return this.#database.iterate('select key, depth from urls order by key');
  }

  /** Iterates over keys of URLs. */
  keysOf(name: keyof typeof KEY_QUERIES): Generator<{ readonly key: number }> {
    return this.#database.iterate(KEY_QUERIES[name]);
  }

  /** The sites whose robots.txt the run has. */
  originsOfRobots(): string[] {
    return this.#database.all<{ origin: string }>('select origin from robots').map(({ origin }) => origin);
  }

  /** Iterates over URLs that crawlers may fetch or index. @param from - index of the first crawler. @param to - index after the last one. */
  urlsThatAre(
    condition: 'allowed = 1' | 'indexable = 1',
    from: number,
    to: number,
  ): Generator<{ readonly key: number; readonly agent: number }> {
    const text = `select key, agent from verdicts where ${condition} and agent >= ? and agent < ?`;
    return this.#database.iterate(text, from, to);
  }

  /** Iterates over the URLs that have a verdict. */
  judgedUrls(): Generator<{ readonly url: string }> {
    return this.#database.iterate('select url from urls where key in (select key from verdicts)');
  }

  /** Iterates over all verdicts; those about one URL follow each other. */
  judgedPages(): Generator<JudgedPage> {
    return this.#database.iterate(
      `select key, url, agent, reasons, status, milliseconds
       from verdicts join urls using (key) left join pages using (key) order by key, agent`,
    );
  }

  /** Returns the key of the URL of an origin that is nearest to a start and has a verdict; `undefined` without such a URL. */
  findNearestUrl(origin: string): number | undefined {
    const row = this.#database.get<{ key: number }>(
      `select key from urls where substr(url, 1, ?) = ? and key in (select key from verdicts)
       order by depth, key limit 1`,
      origin.length + 1,
      `${origin}/`,
    );
    return row?.key;
  }

  /** Returns the response of a URL: its status, or the code of the failure; `undefined` if it was not fetched. */
  response(key: number): { readonly status: number | null; readonly failure: string | null } | undefined {
    return this.#database.get(
      `select status, case when status is null then json_extract(facts, '$.code') end as failure
       from pages where key = ?`,
      key,
    );
  }

  /** Iterates over the titles of HTML pages with status 200, in the order of the URLs; `null`: the page has none. */
  titles(): Generator<{ readonly key: number; readonly url: string; readonly title: string | null }> {
    return this.#database.iterate(
      `select key, url, title from pages join urls using (key) where status = 200 and ${IS_HTML} order by url`,
    );
  }

  /** Returns the title of an HTML page with status 200, `null` if it has none; `undefined` for other URLs. */
  title(key: number): string | null | undefined {
    const row = this.#database.get<{ title: string | null }>(
      `select title from pages where key = ? and status = 200 and ${IS_HTML}`,
      key,
    );
    return row?.title;
  }

  /** Counts the verdicts for a crawler by their reasons. */
  countReasons(agent: number): { readonly reasons: number; readonly count: number }[] {
    return this.#database.all(
      'select reasons, count(*) as count from verdicts where agent = ? group by reasons',
      agent,
    );
  }

  /** Iterates over URLs with any reason of a mask. */
  urlsWithReasons(
    agent: number,
    mask: number,
  ): Generator<{ readonly url: string; readonly reasons: number }> {
    return this.#database.iterate(
      'select url, reasons from verdicts join urls using (key) where agent = ? and reasons & ? <> 0',
      agent,
      mask,
    );
  }

  /** Iterates over the verdicts for a crawler. */
  judgedUrlsOf(
    agent: number,
  ): Generator<{ readonly key: number; readonly url: string; readonly reasons: number }> {
    return this.#database.iterate(
      'select key, url, reasons from verdicts join urls using (key) where agent = ? order by key',
      agent,
    );
  }

  /** Iterates over the URLs of endless series, and why they were not requested. */
  endlessUrls(): Generator<{ readonly key: number; readonly url: string; readonly reason: string | null }> {
    const trap = toStateNumber('crawl-trap');
    return this.#database.iterate('select key, url, reason from urls where state = ? order by key', trap);
  }

  /** Iterates over URLs that are not indexable for a crawler primarily because of robots.txt or a noindex. */
  *lostPages(agent: number): Generator<LostPage> {
    for (const row of this.#database.iterate<LostPage>(
      `select ${LOST_COLUMNS}, null as status from verdicts join urls using (key)
       where agent = ? and (reasons & ${BLOCKED} <> 0 or reasons & ${2 * NOINDEX - 1} = ${NOINDEX}) order by key`,
      agent,
    ))
      yield { ...row, isBlocked: Boolean(row.isBlocked) };
  }

  /** Returns why a URL is not indexable for a crawler; `undefined` if it is, or has no verdict. */
  lostPage(key: number, agent: number): LostPage | undefined {
    const row = this.#database.get<LostPage>(
      `select ${LOST_COLUMNS}, status from verdicts join urls using (key) left join pages using (key)
       where key = ? and agent = ? and reasons <> 0`,
      key,
      agent,
    );
    return row && { ...row, isBlocked: Boolean(row.isBlocked) };
  }

  /** Iterates over pages with status 200 that a crawler may fetch. */
  foundPages(agent: number): Generator<FoundPage> {
    this.#database.exec('create temp table if not exists gone (digest text primary key)');
    this.#database.exec(
      'insert or ignore into gone select digest from pages where status in (404, 410) and digest is not null',
    );
    return this.#database.iterate(
      `select key, url, title, bytes, pages.digest, gone.digest is not null as "isGone" from pages
       join verdicts using (key) join urls using (key) left join gone on gone.digest = pages.digest
       where agent = ? and allowed = 1 and status = 200`,
      agent,
    );
  }
}
