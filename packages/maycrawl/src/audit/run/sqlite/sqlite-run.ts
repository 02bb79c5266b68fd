/**
 * A run in a SQLite file, for one process.
 *
 * @module
 */
import { type SqliteDatabase, type SqlValue, toSqlDatabase } from '@maycrawl/client/database';
import type { Finding } from '../records/finding.ts';
import { packLinks } from '../records/link-list.ts';
import { packResources, packTextIds } from '../records/page-lists.ts';
import type { StoredPreferences } from '../records/preferences.ts';
import type { Rendering } from '../records/rendering.ts';
import { IS_SERVER_FAILURE } from '../records/server-failure.ts';
import { ReportRows } from '../report-rows.ts';
import { getNextDepth, NO_DEPTH, toOutcomeColumns, toStateNumber, toWaiting, type UrlRow } from '../rows.ts';
import { RunRepository } from '../run-repository.ts';
import type {
  Classify,
  Counts,
  Page,
  RenderedLinks,
  StoredVerdict,
  UrlRecord,
  Visit,
  Waiting,
} from '../run-store.ts';
import { countHops, isTarget } from '../run-store.ts';
import { BlockedResources } from './blocked-resources.ts';
import { limitDepth, settleDepths } from './depths.ts';
import { FindingTable } from './finding-table.ts';
import { InternedTable } from './interned-table.ts';
import type { JudgedRun } from './judged-run.ts';
import { PreferenceTables } from './preference-tables.ts';
import { findDamage } from './run-damage.ts';
import { SqliteHosts } from './sqlite-hosts.ts';
import { countFailedRenderings, insertRendering, readRenderings } from './sqlite-renderings.ts';
import { SqliteUrls } from './sqlite-urls.ts';
import { readRecords } from './url-records.ts';
import { insertVerdict, readVerdict } from './verdict-rows.ts';

/** A run in a SQLite file. */
export class SqliteRun extends RunRepository implements JudgedRun {
  /** For reports. */
  readonly rows: ReportRows;
  readonly findings: FindingTable;
  readonly blocked: BlockedResources;
  readonly preferences: PreferenceTables;
  readonly hosts: SqliteHosts;
  readonly #database: SqliteDatabase;
  readonly #urls: SqliteUrls;
  readonly #texts: InternedTable;
  readonly #resources: InternedTable;
  readonly #onClose: () => void;

  /** @param database - has the tables (open-run.ts); it is closed with the run. */
  constructor(database: SqliteDatabase, seed: number, onClose: () => void) {
    super(toSqlDatabase(database), { prefix: '', facts: 'run', run: undefined });
    this.#database = database;
    this.#onClose = onClose;
    this.hosts = new SqliteHosts(database);
    this.#urls = new SqliteUrls(database, this.hosts, seed);
    this.#texts = new InternedTable(database, 'texts', seed);
    this.#resources = new InternedTable(database, 'resources', seed);
    this.rows = new ReportRows(database);
    this.blocked = new BlockedResources(database);
    this.findings = new FindingTable(database, this.blocked);
    this.preferences = new PreferenceTables(database, seed);
  }

  async addStarts(urls: readonly string[], classify: Classify): Promise<void> {
    this.#write(() => {
      for (const url of urls) {
        const key = this.#urls.add(url, 0, classify);
        this.#database.run('update urls set start = 1, depth = 0 where key = ?', key);
      }
    });
  }

  async waiting(host: string, limit: number, except: ReadonlySet<number>): Promise<Waiting[]> {
    const rows = this.#database.all<UrlRow>(
      'select key, url, depth, hops, tries, why from urls where state = 0 and host = ? order by tries, depth, key limit ?',
      host,
      limit + except.size,
    );
    return rows
      .filter(({ key }) => !except.has(key))
      .slice(0, limit)
      .map(toWaiting);
  }

  async record(visits: readonly Visit[], classify: Classify): Promise<void> {
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
          const below = getNextDepth(depth);
          const leads = named.map((each) => {
            const key = this.#urls.add(each.url, below, classify, countHops(each, hops));
            if (isTarget(each) && key !== page.key) this.#urls.addTarget(key);
            return { key, types: each.types };
          });
          this.#insertPage(
            page,
            packLinks(leads),
            packTextIds(named.map(({ text = '' }) => textIds.next().value ?? this.#texts.add(text))),
            packResources(resources.map(({ url, kinds }) => ({ id: this.#resources.add(url), kinds }))),
          );
          if (declarations !== undefined) this.preferences.declare(page.key, declarations);
          this.#urls.settle(page.key, visit.isTarget ? 'outside' : 'fetched');
        }
      }
    });
  }

  async recordRendering(rendering: Rendering, links: RenderedLinks): Promise<void> {
    this.#write(() => {
      insertRendering(this.#database, { urls: this.#urls, texts: this.#texts }, rendering, links);
    });
  }

  async counts(): Promise<Counts> {
    return this.#urls.counts();
  }

  async addEntries(sitemap: number, urls: readonly string[], classify: Classify): Promise<void> {
    this.#write(() => {
      for (const url of urls)
        this.#database.run(
          'insert or ignore into sitemap_entries values (?, ?)',
          this.#urls.add(url, NO_DEPTH, classify),
          sitemap,
        );
    });
  }

  async findKey(url: string): Promise<number | undefined> {
    return this.#urls.find(url);
  }

  async settleDepths(): Promise<void> {
    this.#write(() => settleDepths(this.#database));
  }

  async limitDepth(most: number): Promise<number> {
    return this.#write(() => {
      limitDepth(this.#database, most);
      this.hosts.addWaiting();
      this.recount();
      return this.#urls.counts().waiting;
    });
  }

  /** Counts the pages that failed for a reason that may be temporary: no response, or a status from 500 on or 429. */
  async countFailed(): Promise<number> {
    const text = `select count(*) as count from urls where ${HAS_FAILED}`;
    return this.#database.get<{ count: number }>(text)?.count ?? 0;
  }

  /** Lets these pages wait again. */
  async retryFailed(): Promise<void> {
    this.#write(() => {
      this.#database.run(
        `update urls set state = ?, tries = 0 where ${HAS_FAILED}`,
        toStateNumber('waiting'),
      );
      this.recount();
    });
  }

  records(): Generator<UrlRecord> {
    return readRecords(this.#database);
  }

  async clearVerdicts(): Promise<void> {
    this.#database.run('delete from verdicts');
    this.findings.clear();
    this.preferences.clear();
  }

  async putVerdicts(verdicts: readonly StoredVerdict[]): Promise<void> {
    this.#write(() => {
      for (const verdict of verdicts) insertVerdict(this.#database, verdict);
    });
  }

  async verdict(key: number, agent: number): Promise<StoredVerdict | undefined> {
    return readVerdict(this.#database, key, agent);
  }

  /** Iterates over the results of rendering, in the order of their keys. */
  renderings(): Generator<Rendering> {
    return readRenderings(this.#database);
  }

  /** Returns the number of pages that could not be rendered. */
  countFailedRenderings(): number {
    return countFailedRenderings(this.#database);
  }

  /** Adds findings in one transaction. */
  addFindings(findings: Iterable<Finding>): void {
    this.#write(() => this.findings.add(findings));
  }

  /** Adds preferences in one transaction. */
  addPreferences(uses: readonly (readonly [key: number, agent: number, use: StoredPreferences])[]): void {
    this.#write(() => {
      for (const use of uses) this.preferences.add(...use);
    });
  }

  /** Adds the findings that follow from verdicts and pages. */
  addDerivedFindings(isComplete: boolean): void {
    this.#write(() => this.findings.addDerived(isComplete));
  }

  /** Adds resources that crawlers may not fetch, in one transaction. */
  addBlockedResources(
    blocked: Iterable<{ readonly id: number; readonly agent: number; readonly line: number }>,
  ): void {
    this.#write(() => {
      for (const { id, agent, line } of blocked) this.blocked.add(id, agent, line);
    });
  }

  /** Inserts rows directly. Only for a run that is not being crawled. */
  insertRows(table: string, rows: readonly Readonly<Record<string, SqlValue>>[]): void {
    const columns = Object.keys(rows[0] ?? {});
    const text = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`;
    this.#write(() => {
      for (const row of rows) this.#database.run(text, ...columns.map((column) => row[column] ?? null));
    });
    this.#urls.clearKnown();
  }

  /** Looks for damage in all rows. @returns what is damaged; `undefined` if nothing is found. */
  findDamage(): string | undefined {
    return findDamage(this.#database);
  }

  async close(): Promise<void> {
    this.#database.close();
    this.#onClose();
  }

  /** Counts URLs again after direct changes of rows. */
  recount(): void {
    this.#urls.recount();
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

  /** @param lists - links, ids of their texts, and resources, packed. */
  #insertPage({ key, at, milliseconds, bytes, outcome }: Page, ...lists: readonly Buffer[]): void {
    this.#database.run(
      `insert or replace into pages (key, at, ms, bytes, status, type, title, digest, facts, leads, texts, resources)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[key, at, milliseconds, bytes],
      ...toOutcomeColumns(outcome),
      ...lists,
    );
  }
}

/** The condition of URLs whose pages failed for a reason that may be temporary. */
const HAS_FAILED: string = `state = ${toStateNumber('fetched')}
  and key in (select key from pages where status is null or ${IS_SERVER_FAILURE})`;
