/**
 * A run in a SQLite file, for one process.
 *
 * @module
 */
import type { Database, Statement } from 'better-sqlite3';
import { settleDepths } from './depths.ts';
import { toCurrentReason, toCurrentRobots } from './former-names.ts';
import { type Lead, packLeads, unpackLeads } from './link-list.ts';
import {
  depthBelow,
  keptUrlOf,
  NO_DEPTH,
  numberOf,
  outcomeColumns,
  type PageRow,
  pageOf,
  type UrlRow,
  waitingOf,
} from './rows.ts';
import type {
  Classify,
  Counts,
  JudgedRun,
  KeptRobots,
  KeptSitemap,
  KeptUrl,
  KeptVerdict,
  Page,
  Visit,
  Waiting,
} from './run-store.ts';
import { hopsTo } from './run-store.ts';
import { SqliteUrls } from './sqlite-urls.ts';

/** The tables of a run, and what is known of them. */
export class SqliteRun implements JudgedRun {
  readonly #db: Database;
  readonly #statements: Map<string, Statement> = new Map();
  readonly #urls: SqliteUrls;
  readonly #onClose: () => void;

  /** @param db - with its tables (open-run.ts). */
  constructor(db: Database, seed: number, onClose: () => void) {
    this.#db = db;
    this.#onClose = onClose;
    this.#urls = new SqliteUrls((text) => this.#sql(text), seed);
  }

  /** The tables, for reports: they ask in SQL of their own, and change nothing but temporary tables. */
  get database(): Database {
    return this.#db;
  }

  async get(name: string): Promise<unknown> {
    const value = this.#sql('select value from run where name = ?').pluck().get(name) as string | undefined;
    return value === undefined ? undefined : JSON.parse(value);
  }

  async set(name: string, value: unknown): Promise<void> {
    this.#sql('insert or replace into run values (?, ?)').run(name, JSON.stringify(value));
  }

  async addStarts(urls: readonly string[], classify: Classify): Promise<void> {
    this.#write(() => {
      for (const url of urls) {
        const key = this.#urls.keyFor(url, 0, classify);
        this.#sql('update urls set start = 1, depth = 0 where key = ?').run(key);
      }
    });
  }

  async claimHosts(limit: number): Promise<string[]> {
    const hosts: string[] = [];
    const next = this.#sql('select min(host) from urls where state = 0 and host > ?').pluck();
    for (let host = ''; hosts.length < limit; hosts.push(host)) {
      const found = next.get(host) as string | null;
      if (found === null) break;
      host = found;
    }
    return hosts;
  }

  async othersWork(): Promise<boolean> {
    return false;
  }

  async waiting(host: string, limit: number, except: ReadonlySet<number>): Promise<Waiting[]> {
    const rows = this.#sql(
      'select key, url, depth, hops, tries from urls where state = 0 and host = ? order by tries, depth, key limit ?',
    ).all(host, limit + except.size) as UrlRow[];
    return rows
      .filter(({ key }) => !except.has(key))
      .slice(0, limit)
      .map(waitingOf);
  }

  async record(visits: readonly Visit[], classify: Classify): Promise<void> {
    this.#write(() => {
      for (const visit of visits) {
        if (visit.kind === 'again')
          this.#sql('update urls set tries = tries + 1 where key = ?').run(visit.key);
        else if (visit.kind !== 'asked') this.#urls.settle(visit.key, visit.kind);
        else {
          const { page, depth, hops, named } = visit;
          const below = depthBelow(depth);
          const leads = named.map((each) => ({
            key: this.#urls.keyFor(each.url, below, classify, hopsTo(each, hops)),
            ways: each.ways,
          }));
          this.#insertPage(page, leads);
          this.#urls.settle(page.key, 'asked');
        }
      }
    });
  }

  async counts(): Promise<Counts> {
    return this.#urls.counts();
  }

  async addSitemap(url: string, foundIn: string): Promise<void> {
    this.#sql('insert or ignore into sitemaps (url, found_in) values (?, ?)').run(url, foundIn);
  }

  async unreadSitemaps(): Promise<KeptSitemap[]> {
    return this.#sql(`${SELECT_SITEMAPS} where entries is null order by id limit 100`).all() as KeptSitemap[];
  }

  async sitemaps(): Promise<KeptSitemap[]> {
    return this.#sql(`${SELECT_SITEMAPS} order by id`).all() as KeptSitemap[];
  }

  async addEntries(sitemap: number, urls: readonly string[], classify: Classify): Promise<void> {
    this.#write(() => {
      for (const url of urls)
        this.#sql('insert or ignore into sitemap_entries values (?, ?)').run(
          this.#urls.keyFor(url, NO_DEPTH, classify),
          sitemap,
        );
    });
  }

  async closeSitemap(sitemap: number, entries: number, problem: string | null): Promise<void> {
    this.#sql('update sitemaps set entries = ?, problem = ? where id = ?').run(entries, problem, sitemap);
  }

  async sitemapsOf(key: number): Promise<number[]> {
    return this.#sql('select sitemap from sitemap_entries where key = ?').pluck().all(key) as number[];
  }

  async putRobots({ origin, use, code, reason, fetchedAt, body }: KeptRobots): Promise<void> {
    this.#sql('insert or replace into robots values (?, ?, ?, ?, ?, ?)').run(
      ...[origin, use, code, reason, fetchedAt],
      body === null ? null : Buffer.from(body),
    );
  }

  async robots(origin: string): Promise<KeptRobots | undefined> {
    const row = this.#sql(`${SELECT_ROBOTS} where origin = ?`).get(origin) as KeptRobots | undefined;
    return row && toCurrentRobots(row);
  }

  async allRobots(): Promise<KeptRobots[]> {
    return (this.#sql(`${SELECT_ROBOTS} order by origin`).all() as KeptRobots[]).map(toCurrentRobots);
  }

  async urls(after: number, limit: number): Promise<KeptUrl[]> {
    const rows = this.#sql('select * from urls where key > ? order by key limit ?').all(after, limit);
    return (rows as UrlRow[]).map(keptUrlOf);
  }

  async url(key: number): Promise<KeptUrl | undefined> {
    const row = this.#sql('select * from urls where key = ?').get(key) as UrlRow | undefined;
    return row && keptUrlOf(row);
  }

  async keyOf(url: string): Promise<number | undefined> {
    return this.#urls.find(url);
  }

  async page(key: number): Promise<Page | undefined> {
    const row = this.#sql('select key, at, ms, bytes, status, digest, facts from pages where key = ?').get(
      key,
    ) as PageRow | undefined;
    return row && pageOf(row);
  }

  async leads(key: number): Promise<Lead[]> {
    const bytes = this.#sql('select leads from pages where key = ?').pluck().get(key) as Buffer | undefined;
    return bytes === undefined ? [] : unpackLeads(bytes);
  }

  async settleDepths(): Promise<void> {
    this.#write(() => settleDepths(this.#db));
  }

  async limitDepth(most: number): Promise<number> {
    return this.#write(() => {
      const [waiting, deep] = [numberOf('waiting'), numberOf('deep')];
      // What a sitemap names is no deeper than what a start names.
      const isNear = '(depth <= ? or key in (select key from sitemap_entries))';
      this.#sql(`update urls set state = ${deep} where state = ${waiting} and not ${isNear}`).run(most);
      this.#sql(`update urls set state = ${waiting} where state = ${deep} and ${isNear}`).run(most);
      this.recount();
      return this.#urls.counts().waiting;
    });
  }

  async clearVerdicts(): Promise<void> {
    this.#sql('delete from verdicts').run();
  }

  async putVerdicts(verdicts: readonly KeptVerdict[]): Promise<void> {
    const put = this.#sql('insert or replace into verdicts values (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#write(() => {
      for (const { key, agent, isAllowed, reason, line, isIndexable, reasons, hidden } of verdicts)
        put.run(key, agent, isAllowed ? 1 : 0, reason, line, isIndexable ? 1 : 0, reasons, hidden);
    });
  }

  async verdict(key: number, agent: number): Promise<KeptVerdict | undefined> {
    const row = this.#sql('select * from verdicts where key = ? and agent = ?').get(key, agent) as
      | (Omit<KeptVerdict, 'reason'> & VerdictColumns)
      | undefined;
    if (row === undefined) return undefined;
    const { because, line, reasons, hidden } = row;
    return {
      key,
      agent,
      reason: toCurrentReason(because),
      line,
      reasons,
      hidden,
      isAllowed: row.allowed === 1,
      isIndexable: row.indexable === 1,
    };
  }

  /** Adds rows of a table as they are. Only for a run that nobody crawls. */
  insertRows(table: string, rows: readonly Readonly<Record<string, unknown>>[]): void {
    const columns = Object.keys(rows[0] ?? {});
    const insert = this.#sql(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map((name) => `@${name}`).join(', ')})`,
    );
    this.#write(() => {
      for (const row of rows) insert.run(row);
    });
  }

  async close(): Promise<void> {
    this.#db.close();
    this.#onClose();
  }

  /** Counts URLs again, after rows were added as they are. */
  recount(): void {
    this.#urls.recount();
  }

  /** A prepared statement. */
  #sql(text: string): Statement {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.#db.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  /** Does all of it or nothing. */
  #write<T>(work: () => T): T {
    try {
      return this.#db.transaction(work).immediate();
    } catch (error) {
      // What was written with it is gone.
      this.#urls.forget();
      throw error;
    }
  }

  #insertPage({ key, at, milliseconds, bytes, outcome }: Page, leads: readonly Lead[]): void {
    this.#sql('insert or replace into pages values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      ...[key, at, milliseconds, bytes, ...outcomeColumns(outcome)],
      packLeads(leads),
    );
  }
}

/** Columns of a verdict whose names differ from its properties. */
interface VerdictColumns {
  readonly allowed: number;
  readonly because: string;
  readonly indexable: number;
}

const SELECT_SITEMAPS = 'select id, url, found_in as foundIn, entries, problem from sitemaps';
const SELECT_ROBOTS = 'select origin, used as "use", code, reason, fetched_at as fetchedAt, body from robots';
