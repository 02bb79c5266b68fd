// The storage of a run: a SQLite file with the URLs found, the results of those fetched, their links, and what is judged of them. One
// process writes to it. A run that was killed can be resumed from it.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import { resolveUrl } from '@maycrawl/core/indexability';
import { LINK_TYPES, type PageLink, packLinks, unpackLinks } from './records/link-list.ts';
import type { Page, RenderedLinks, UrlRecord, Visit } from './records/page.ts';
import { NO_TEXT, packResources, packTextIds } from './records/page-lists.ts';
import type { Rendering } from './records/rendering.ts';
import {
  type Classify,
  type Counts,
  countHops,
  isTarget,
  type NamedUrl,
  SITEMAP_REASON,
  type StoredUrl,
  type Waiting,
} from './records/url.ts';
import { readRecords } from './records/url-records.ts';
import { findDamage } from './run-damage.ts';
import { BlockedResources } from './tables/blocked-resources.ts';
import { CheckTable } from './tables/check-table.ts';
import { limitDepth, settleDepths } from './tables/depths.ts';
import { FindingTable } from './tables/finding-table.ts';
import { HostTable } from './tables/host-table.ts';
import { PreferenceTables } from './tables/preference-tables.ts';
import { RenderingTable } from './tables/rendering-table.ts';
import { ReportRows } from './tables/report-rows.ts';
import { RobotsTable } from './tables/robots-table.ts';
import {
  getNextDepth,
  NO_DEPTH,
  type PageRow,
  toOutcomeColumns,
  toPage,
  toStoredUrl,
  toWaiting,
  type UrlRow,
} from './tables/rows.ts';
import { SitemapTable } from './tables/sitemap-table.ts';
import { StringTable } from './tables/string-table.ts';
import { UrlTable } from './tables/url-table.ts';
import { VerdictTable } from './tables/verdict-table.ts';

/** The storage of a run. Each call writes in one transaction. */
export class RunStore {
  /** For reports. */
  readonly rows: ReportRows;
  readonly hosts: HostTable;
  readonly robots: RobotsTable;
  readonly sitemaps: SitemapTable;
  readonly checks: CheckTable;
  readonly renderings: RenderingTable;
  readonly verdicts: VerdictTable;
  readonly findings: FindingTable;
  readonly blocked: BlockedResources;
  readonly preferences: PreferenceTables;
  readonly #database: SqliteDatabase;
  readonly #urls: UrlTable;
  readonly #texts: StringTable;
  readonly #resources: StringTable;
  readonly #onClose: () => void;

  /** @param database - has the tables (open-run.ts); it is closed with the run. */
  constructor(database: SqliteDatabase, seed: number, onClose: () => void) {
    this.#database = database;
    this.#onClose = onClose;
    this.hosts = new HostTable(database);
    this.#urls = new UrlTable(database, this.hosts, seed);
    this.#texts = new StringTable(database, 'texts', seed);
    this.#resources = new StringTable(database, 'resources', seed);
    this.rows = new ReportRows(database);
    this.blocked = new BlockedResources(database);
    this.findings = new FindingTable(database, this.blocked);
    this.preferences = new PreferenceTables(database, seed);
    this.robots = new RobotsTable(database);
    this.sitemaps = new SitemapTable(database);
    this.checks = new CheckTable(database);
    this.renderings = new RenderingTable(database);
    this.verdicts = new VerdictTable(database);
  }

  /** Returns a setting or a fact about the run; `undefined` if it was never set. */
  get(name: string): unknown {
    const row = this.#database.get<{ value: string }>('select value from run where name = ?', name);
    return row === undefined ? undefined : JSON.parse(row.value);
  }

  set(name: string, value: unknown): void {
    this.#database.run('insert or replace into run values (?, ?)', name, JSON.stringify(value));
  }

  /** Adds starts, unless they exist. */
  addStarts(urls: readonly string[], classify: Classify): void {
    this.#write(() => {
      for (const url of urls) {
        const key = this.#urls.add(url, 0, classify);
        this.#database.run('update urls set start = 1, depth = 0 where key = ?', key);
      }
    });
  }

  /** Returns the waiting URLs of a host except those with the given keys, ordered by attempts and depth. */
  waiting(host: string, limit: number, except: ReadonlySet<number>): Waiting[] {
    const rows = this.#database.all<UrlRow>(
      'select key, url, depth, hops, tries, reason from urls where state = 0 and host = ? order by tries, depth, key limit ?',
      host,
      limit + except.size,
    );
    return rows
      .filter(({ key }) => !except.has(key))
      .slice(0, limit)
      .map(toWaiting);
  }

  /** Stores the results of visits, and the URLs that the pages link to. */
  record(visits: readonly Visit[], classify: Classify): void {
    this.#write(() => {
      const textIds = this.#texts
        .addNew(
          visits.flatMap((visit) => (visit.kind === 'fetched' ? visit.named.map(({ text }) => text) : [])),
        )
        .values();
      for (const visit of visits) {
        if (visit.kind === 'again')
          this.#database.run('update urls set tries = tries + 1 where key = ?', visit.key);
        else if (visit.kind !== 'fetched') this.#urls.settle(visit.key, visit.kind);
        else {
          const { page, depth, hops, named, resources = [], declarations } = visit;
          this.#insertPage(
            page,
            packLinks(this.#addLinks(page.key, named, depth, classify, hops)),
            packTextIds(named.map(({ text = '' }) => textIds.next().value ?? this.#texts.add(text))),
            packResources(resources.map(({ url, kinds }) => ({ id: this.#resources.add(url), kinds }))),
          );
          if (declarations !== undefined) this.preferences.declare(page.key, declarations);
          this.#urls.settle(page.key, visit.isTarget ? 'outside' : 'fetched');
        }
      }
    });
  }

  /** Stores the result of rendering a page, and adds its links to those of the page. */
  recordRendering(rendering: Rendering, { depth, named, classify }: RenderedLinks): void {
    const { key } = rendering;
    this.#write(() => {
      const links = this.#addLinks(key, named, depth, classify).map((link) => ({
        ...link,
        types: link.types | LINK_TYPES.rendered,
      }));
      const textIds = named.map(({ text }) => (text === undefined ? NO_TEXT : this.#texts.add(text)));
      this.#database.run(
        'update pages set links = ?, texts = ? where key = ?',
        Buffer.concat([this.rows.links.readList(key, 'links'), packLinks(links)]),
        Buffer.concat([this.rows.links.readList(key, 'texts'), packTextIds(textIds)]),
        key,
      );
      this.renderings.set(rendering);
    });
  }

  /** Counts URLs by state. */
  counts(): Counts {
    return this.#urls.counts();
  }

  /** Stores URLs of a sitemap. */
  addEntries(sitemap: number, urls: readonly string[], classify: Classify): void {
    this.#write(() => {
      for (const url of urls) this.sitemaps.addEntry(sitemap, this.#urls.add(url, NO_DEPTH, classify));
    });
  }

  /** Returns the key of the URL of a sitemap, for findings about it. Adds it, outside the scope, if the run does not contain it. */
  addSitemapUrl(url: string): number {
    const classify: Classify = () => ({ state: 'outside', reason: SITEMAP_REASON });
    return this.#write(() => this.#urls.add(resolveUrl(url, url) ?? url, NO_DEPTH, classify));
  }

  /** Returns the URLs after a key, in the order of the keys. */
  urls(after: number, limit: number): StoredUrl[] {
    const text = 'select * from urls where key > ? order by key limit ?';
    return this.#database.all<UrlRow>(text, after, limit).map(toStoredUrl);
  }

  url(key: number): StoredUrl | undefined {
    const row = this.#database.get<UrlRow>('select * from urls where key = ?', key);
    return row && toStoredUrl(row);
  }

  /** Returns the key of a URL in its stored form; `undefined` if the run does not contain it. */
  findKey(url: string): number | undefined {
    return this.#urls.find(url);
  }

  page(key: number): Page | undefined {
    const row = this.#database.get<PageRow>(
      'select key, at, milliseconds, bytes, status, digest, facts from pages where key = ?',
      key,
    );
    return row && toPage(row, row.facts);
  }

  links(key: number): PageLink[] {
    return unpackLinks(this.rows.links.readList(key, 'links'));
  }

  /** Returns the URLs of resources of pages after an id, in the order of the ids. */
  resources(after: number, limit: number): { readonly id: number; readonly url: string }[] {
    const text = 'select id, text as url from resources where id > ? order by id limit ?';
    return this.#database.all(text, after, limit);
  }

  /** Sets the depth of every URL: the least number of links, redirects and refreshes from a start that crawlers follow. */
  settleDepths(): void {
    this.#write(() => settleDepths(this.#database));
  }

  /**
   * Sets waiting and deep URLs to `waiting` if they are in a sitemap or within a depth, and to `too-deep` otherwise.
   *
   * @returns the number of waiting URLs.
   */
  limitDepth(most: number): number {
    return this.#write(() => {
      limitDepth(this.#database, most);
      this.hosts.addWaiting();
      this.#urls.recount();
      return this.#urls.counts().waiting;
    });
  }

  /** Counts the pages that failed for a reason that may be temporary: no response, or a status from 500 on or 429. */
  countFailed(): number {
    return this.#urls.countFailed();
  }

  /** Lets these pages wait again. */
  retryFailed(): void {
    this.#write(() => this.#urls.retryFailed());
  }

  /** Iterates over all URLs, in the order of their keys. */
  records(): Generator<UrlRecord> {
    return readRecords(this.#database);
  }

  /** Looks for damage in all rows. @returns what is damaged; `undefined` if nothing is found. */
  findDamage(): string | undefined {
    return findDamage(this.#database);
  }

  close(): void {
    this.#database.close();
    this.#onClose();
  }

  /** Runs `work` in a transaction. */
  #write<T>(work: () => T): T {
    try {
      return this.#database.transaction(work);
    } catch (error) {
      // The transaction was rolled back.
      this.#urls.reset();
      this.hosts.reset();
      this.#texts.reset();
      this.#resources.reset();
      this.preferences.reset();
      throw error;
    }
  }

  /** Adds the URLs that a page names, and those of them that are targets outside the scope. */
  #addLinks(
    from: number,
    named: readonly NamedUrl[],
    depth: number | null,
    classify: Classify,
    hops?: number,
  ): PageLink[] {
    const below = getNextDepth(depth);
    return named.map((each) => {
      const key = this.#urls.add(each.url, below, classify, hops === undefined ? 0 : countHops(each, hops));
      if (isTarget(each) && key !== from) this.#urls.addTarget(key);
      return { key, types: each.types };
    });
  }

  /** @param lists - links, ids of their texts, and resources, packed. */
  #insertPage({ key, at, milliseconds, bytes, outcome }: Page, ...lists: readonly Buffer[]): void {
    this.#database.run(
      `insert or replace into pages (key, at, milliseconds, bytes, status, type, title, digest, facts, links, texts, resources)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[key, at, milliseconds, bytes],
      ...toOutcomeColumns(outcome),
      ...lists,
    );
  }
}
