/**
 * The part of a run that uses the same SQL in SQLite and PostgreSQL: facts, sitemaps, robots.txt files, URLs and pages.
 *
 * @module
 */
import {
  getLeaseTime,
  isLeasedAt,
  rawSql,
  type Sql,
  type SqlConnection,
  sql,
} from '@maycrawl/client/database';
import { type PageLink, unpackLinks } from './records/link-list.ts';
import type { RenderablePage, Rendering } from './records/rendering.ts';
import {
  type PageRow,
  type RenderingRow,
  toDepth,
  toPage,
  toRendering,
  toStoredUrl,
  type UrlRow,
} from './rows.ts';
import type { Page, StoredRobots, StoredSitemap, StoredUrl } from './run-store.ts';
import { fromRobotsRow, type RobotsRow, toStoredPolicy } from './stored-policy.ts';

/** The names of the tables of a run, and which of their rows belong to it. */
export interface RunTables {
  /** The prefix of all tables except that of facts. */
  readonly prefix: string;
  readonly facts: string;
  /** The number of the run in the database; `undefined` in a file, which contains one run. */
  readonly run: number | undefined;
}

/** How long a worker has a page that it claimed, in milliseconds. */
const CLAIM_TIME = 60_000;

/** Reads and writes rows of a run. */
export class RunRepository {
  readonly #connection: SqlConnection;
  readonly #tables: RunTables;
  /** The condition of rows of the run. */
  readonly #isOwn: Sql;
  /** The first column of each table and its value, followed by a comma. */
  readonly #column: Sql;
  readonly #value: Sql;
  readonly #selectUrl: Sql;
  readonly #selectPage: Sql;

  constructor(connection: SqlConnection, tables: RunTables) {
    const { run } = tables;
    this.#connection = connection;
    this.#tables = tables;
    this.#isOwn = run === undefined ? rawSql('true') : sql`run = ${run}`;
    this.#column = rawSql(run === undefined ? '' : 'run, ');
    this.#value = run === undefined ? rawSql('') : sql`${run}, `;
    this.#selectUrl = sql`select * from ${this.#table('urls')} where ${this.#isOwn} and key = ${0}`;
    this.#selectPage = sql`select key, at, ms, bytes, status, digest, facts from ${this.#table('pages')}
                           where ${this.#isOwn} and key = ${0}`;
  }

  async get(name: string): Promise<unknown> {
    const row = await this.#connection.get<{ value: string }>(
      sql`select value from ${rawSql(this.#tables.facts)} where ${this.#isOwn} and name = ${name}`,
    );
    return row === undefined ? undefined : JSON.parse(row.value);
  }

  async set(name: string, value: unknown): Promise<void> {
    await this.#connection.run(
      sql`insert into ${rawSql(this.#tables.facts)} (${this.#column}name, value)
          values (${this.#value}${name}, ${JSON.stringify(value)})
          on conflict (${this.#column}name) do update set value = excluded.value`,
    );
  }

  async setIfAbsent(name: string, value: unknown): Promise<boolean> {
    const changes = await this.#connection.run(
      sql`insert into ${rawSql(this.#tables.facts)} (${this.#column}name, value)
          values (${this.#value}${name}, ${JSON.stringify(value)}) on conflict (${this.#column}name) do nothing`,
    );
    return changes > 0;
  }

  async addSitemap(url: string, foundIn: string): Promise<boolean> {
    const changes = await this.#connection.run(
      sql`insert into ${this.#table('sitemaps')} (${this.#column}url, found_in)
          values (${this.#value}${url}, ${foundIn}) on conflict do nothing`,
    );
    return changes > 0;
  }

  unreadSitemaps(): Promise<StoredSitemap[]> {
    return this.#selectSitemaps(sql`and entries is null order by id`);
  }

  sitemaps(): Promise<StoredSitemap[]> {
    return this.#selectSitemaps(rawSql('order by id'));
  }

  async closeSitemap(sitemap: number, entries: number, problem: string | null): Promise<void> {
    await this.#connection.run(
      sql`update ${this.#table('sitemaps')} set entries = ${entries}, problem = ${problem}
          where ${this.#isOwn} and id = ${sitemap}`,
    );
  }

  async findSitemaps(key: number): Promise<number[]> {
    const rows = await this.#connection.all<{ sitemap: number }>(
      sql`select sitemap from ${this.#table('sitemap_entries')} where ${this.#isOwn} and key = ${key}`,
    );
    return rows.map(({ sitemap }) => sitemap);
  }

  async putRobots({ origin, code, message, fetchedAt, body, ...robots }: StoredRobots): Promise<void> {
    await this.#connection.run(
      sql`insert into ${this.#table('robots')} (${this.#column}origin, used, code, reason, fetched_at, body)
          values (${this.#value}${origin}, ${toStoredPolicy(robots)}, ${code}, ${message}, ${fetchedAt}, ${body})
          on conflict (${this.#column}origin) do update set used = excluded.used, code = excluded.code,
            reason = excluded.reason, fetched_at = excluded.fetched_at, body = excluded.body`,
    );
  }

  async robots(origin: string): Promise<StoredRobots | undefined> {
    const [robots] = await this.#selectRobots(sql`and origin = ${origin}`);
    return robots;
  }

  allRobots(): Promise<StoredRobots[]> {
    return this.#selectRobots(rawSql('order by origin'));
  }

  async urls(after: number, limit: number): Promise<StoredUrl[]> {
    const rows = await this.#connection.all<UrlRow>(
      sql`select * from ${this.#table('urls')} where ${this.#isOwn} and key > ${after} order by key limit ${limit}`,
    );
    return rows.map(toStoredUrl);
  }

  async url(key: number): Promise<StoredUrl | undefined> {
    const row = await this.#connection.get<UrlRow>(this.#selectUrl.withLast(key));
    return row && toStoredUrl(row);
  }

  async page(key: number): Promise<Page | undefined> {
    const row = await this.#connection.get<PageRow>(this.#selectPage.withLast(key));
    return row && toPage(row, row.facts);
  }

  async links(key: number): Promise<PageLink[]> {
    const row = await this.#connection.get<{ leads: Uint8Array }>(
      sql`select leads from ${this.#table('pages')} where ${this.#isOwn} and key = ${key}`,
    );
    return row === undefined ? [] : unpackLinks(row.leads);
  }

  /** Returns the URLs of resources of pages after an id, in the order of the ids. */
  resources(after: number, limit: number): Promise<{ readonly id: number; readonly url: string }[]> {
    return this.#connection.all(
      sql`select id, text as url from ${this.#table('resources')}
          where ${this.#isOwn} and id > ${after} order by id limit ${limit}`,
    );
  }

  async countRenderings(): Promise<number> {
    const row = await this.#connection.get<{ count: number }>(
      sql`select count(*) as count from ${this.#table('renderings')} where ${this.#isOwn} and ${this.#isTaken()}`,
    );
    return row?.count ?? 0;
  }

  async renderablePages(after: number, limit: number): Promise<RenderablePage[]> {
    const rows = await this.#connection.all<Pick<UrlRow, 'key' | 'url' | 'depth'>>(
      sql`select key, url, depth from ${this.#table('urls')} where ${this.#isOwn} and state = 1 and key > ${after}
            and key in (select key from ${this.#table('pages')} where ${this.#isOwn} and status = 200
                          and (type is null or type in ('text/html', 'application/xhtml+xml')))
            and key not in (select key from ${this.#table('renderings')} where ${this.#isOwn} and ${this.#isTaken()})
          order by key limit ${limit}`,
    );
    return rows.map(({ depth, ...row }) => ({ ...row, depth: toDepth(depth) }));
  }

  async claimRendering(key: number): Promise<boolean> {
    // A file belongs to one process.
    if (this.#connection.kind === 'sqlite') return true;
    const now = getLeaseTime(this.#connection);
    const claimed = await this.#connection.all(
      sql`insert into ${this.#table('renderings')} as known (${this.#column}key, claimed_until)
          values (${this.#value}${key}, ${now} + ${CLAIM_TIME})
          on conflict (${this.#column}key) do update set claimed_until = excluded.claimed_until
            where known.outcome is null and not ${isLeasedAt('known.claimed_until', now)}
          returning key`,
    );
    return claimed.length > 0;
  }

  async rendering(key: number): Promise<Rendering | undefined> {
    const row = await this.#connection.get<RenderingRow>(
      sql`select key, at, ms, outcome from ${this.#table('renderings')}
          where ${this.#isOwn} and key = ${key} and outcome is not null`,
    );
    return row && toRendering(row);
  }

  /** The condition that a page was rendered, or that a worker has claimed it. */
  #isTaken(): Sql {
    if (this.#connection.kind === 'sqlite') return rawSql('true');
    return sql`(outcome is not null or ${isLeasedAt('claimed_until', getLeaseTime(this.#connection))})`;
  }

  #selectSitemaps(rest: Sql): Promise<StoredSitemap[]> {
    return this.#connection.all<StoredSitemap>(
      sql`select id, url, found_in as "foundIn", entries, problem from ${this.#table('sitemaps')}
          where ${this.#isOwn} ${rest}`,
    );
  }

  async #selectRobots(rest: Sql): Promise<StoredRobots[]> {
    const rows = await this.#connection.all<RobotsRow>(
      sql`select origin, used as use, code, reason, fetched_at as "fetchedAt", body from ${this.#table('robots')}
          where ${this.#isOwn} ${rest}`,
    );
    return rows.map(fromRobotsRow);
  }

  #table(name: string): Sql {
    return rawSql(`${this.#tables.prefix}${name}`);
  }
}
