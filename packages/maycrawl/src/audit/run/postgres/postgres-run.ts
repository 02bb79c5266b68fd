/**
 * A run in PostgreSQL, for several workers. Each has leases on hosts, so only one worker fetches from a host. When a worker dies, others
 * claim its hosts.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import {
  LEASE_TIME,
  LeaseRenewal,
  type PostgresDatabase,
  type PostgresTransaction,
  type PostgresValue,
  toSqlDatabase,
} from '@maycrawl/client/database';
import { copyRun } from '../copy-run.ts';
import { packLinks } from '../records/link-list.ts';
import { NO_TEXT, packResources, packTextIds } from '../records/page-lists.ts';
import type { Rendering } from '../records/rendering.ts';
import { hashUrl, nextKey } from '../records/url-key.ts';
import {
  getNextDepth,
  NO_DEPTH,
  toCounts,
  toOutcomeColumns,
  toStateNumber,
  toWaiting,
  type UrlRow,
} from '../rows.ts';
import { RunRepository } from '../run-repository.ts';
import type {
  Classify,
  Counts,
  Page,
  RenderedLinks,
  RunStore,
  UrlState,
  Visit,
  Waiting,
} from '../run-store.ts';
import { countHops, isTarget } from '../run-store.ts';
import type { SqliteRun } from '../sqlite/sqlite-run.ts';
import { addDeclarations, addInterned } from './interned-texts.ts';
import { limitDepth, settleDepths } from './postgres-depths.ts';
import { PostgresHosts } from './postgres-hosts.ts';
import { insertRendering } from './postgres-renderings.ts';
import { addTargets, addUrls, type RunRow } from './postgres-urls.ts';

/** Maximum age of cached counts in milliseconds. */
const COUNTS_AGE = 1_000;
/** Options of a worker. */
export interface WorkerOptions {
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
  /** Duration of a lease in milliseconds. @defaultValue 30,000 */
  readonly lease?: number;
}

/** A run in PostgreSQL. */
export class PostgresRun extends RunRepository implements RunStore {
  readonly seed: number;
  readonly hosts: PostgresHosts;
  readonly #run: RunRow;
  readonly #database: PostgresDatabase;
  readonly #owner: string = randomUUID();
  readonly #renewal: LeaseRenewal;
  readonly #now: () => number;
  readonly #lease: number;
  #counted: { readonly at: number; readonly counts: Counts } | undefined;
  /** Number of URLs that this process has fetched since the last count. */
  #fetchedSince = 0;

  /** @param database - has the tables (open-postgres-run.ts); it is closed with the run. */
  constructor(
    database: PostgresDatabase,
    run: RunRow,
    { now = Date.now, lease = LEASE_TIME }: WorkerOptions = {},
  ) {
    super(toSqlDatabase(database), { prefix: 'audit_', facts: 'audit_facts', run: run.id });
    this.#database = database;
    this.#run = run;
    this.seed = run.seed;
    this.#now = now;
    this.#lease = lease;
    this.hosts = new PostgresHosts(database, run, { owner: this.#owner, lease });
    this.#renewal = new LeaseRenewal(() => this.#renew(), lease);
    this.#renewal.start();
  }

  /** Copies the run to a file. @param to - a new run with the same seed. */
  copyTo(to: SqliteRun): Promise<void> {
    return copyRun(this.#database, this.#run, to);
  }

  async addStarts(urls: readonly string[], classify: Classify): Promise<void> {
    await this.#database.transaction(async (client) => {
      const keys = await addUrls(
        client,
        this.#run,
        urls.map((url) => ({ url, depth: 0, hops: 0 })),
        classify,
      );
      await client.query('update audit_urls set start = 1, depth = 0 where run = $1 and key = any($2)', [
        this.#run.id,
        [...keys.values()],
      ]);
    });
  }

  async waiting(host: string, limit: number, except: ReadonlySet<number>): Promise<Waiting[]> {
    const rows = await this.#rows<UrlRow>(
      `select key, url, depth, hops, tries, why from audit_urls where run = $1 and state = 0 and host = $2
         and key <> all($3::bigint[])
         and exists (select 1 from audit_hosts h where h.run = $1 and h.host = $2 and owner = $5)
       order by tries, depth, seq limit $4`,
      host,
      [...except],
      limit,
      this.#owner,
    );
    return rows.map(toWaiting);
  }

  async record(visits: readonly Visit[], classify: Classify): Promise<void> {
    await this.#database.transaction(async (client) => {
      const getKeys = (kind: Visit['kind']): number[] =>
        visits.flatMap((visit) =>
          visit.kind === kind ? [visit.kind === 'fetched' ? visit.page.key : visit.key] : [],
        );
      await client.query('update audit_urls set tries = tries + 1 where run = $1 and key = any($2)', [
        this.#run.id,
        getKeys('again'),
      ]);
      await this.#settle(client, getKeys('blocked'), 'blocked');
      await this.#settle(client, getKeys('deep'), 'deep');
      await this.#settle(client, getKeys('outside'), 'outside');
      const fetched = visits.filter((visit) => visit.kind === 'fetched');
      const wanted = fetched.flatMap(({ depth, hops, named }) =>
        named.map((each) => ({ url: each.url, depth: getNextDepth(depth), hops: countHops(each, hops) })),
      );
      const keys = await addUrls(client, this.#run, wanted, classify);
      const texts = await addInterned(
        client,
        this.#run.id,
        'texts',
        fetched.flatMap(({ named }) => named.flatMap(({ text }) => text ?? [])),
      );
      const resourceIds = await addInterned(
        client,
        this.#run.id,
        'resources',
        fetched.flatMap(({ resources = [] }) => resources.map(({ url }) => url)),
      );
      for (const { page, named, resources = [] } of fetched)
        await this.#insertPage(
          client,
          page,
          packLinks(named.map(({ url, types }) => ({ key: keys.get(url) as number, types }))),
          packTextIds(named.map(({ text }) => (text === undefined ? NO_TEXT : (texts.get(text) as number)))),
          packResources(resources.map(({ url, kinds }) => ({ id: resourceIds.get(url) as number, kinds }))),
        );
      await addDeclarations(client, this.#run.id, fetched);
      const targets = fetched.filter((visit) => visit.isTarget).map(({ page }) => page.key);
      await this.#settle(client, targets, 'outside');
      await this.#settle(client, getKeys('fetched'), 'fetched');
      this.#fetchedSince += fetched.length - targets.length;
      const led = fetched.flatMap(({ named }) =>
        named.filter(isTarget).map(({ url }) => keys.get(url) as number),
      );
      await addTargets(client, this.#run, led);
    });
  }

  async recordRendering(rendering: Rendering, links: RenderedLinks): Promise<void> {
    await this.#database.transaction((client) => insertRendering(client, this.#run, rendering, links));
    this.#counted = undefined;
  }

  async counts(mode: 'exact' | 'cached' = 'exact'): Promise<Counts> {
    const now = this.#now();
    const age = this.#counted === undefined ? Number.POSITIVE_INFINITY : now - this.#counted.at;
    if (this.#counted === undefined || mode === 'exact' || age >= COUNTS_AGE || age < 0) {
      const rows = await this.#rows<{ state: number; count: number }>(
        'select state, count(*) as count from audit_urls where run = $1 group by state',
      );
      const counts = toCounts((state) => rows.find((row) => row.state === state)?.count ?? 0);
      this.#counted = { at: now, counts };
      this.#fetchedSince = 0;
    }
    const { counts } = this.#counted;
    return { ...counts, fetched: counts.fetched + this.#fetchedSince };
  }

  async addEntries(sitemap: number, urls: readonly string[], classify: Classify): Promise<void> {
    await this.#database.transaction(async (client) => {
      const keys = await addUrls(
        client,
        this.#run,
        urls.map((url) => ({ url, depth: NO_DEPTH, hops: 0 })),
        classify,
      );
      await client.query(
        'insert into audit_sitemap_entries select $1, key, $3 from unnest($2::bigint[]) key on conflict do nothing',
        [this.#run.id, [...new Set(keys.values())], sitemap],
      );
    });
  }

  async findKey(url: string): Promise<number | undefined> {
    for (let key = hashUrl(url, this.seed); ; key = nextKey(key)) {
      const found = await this.url(key);
      if (found === undefined) return undefined;
      if (found.url === url) return key;
    }
  }

  async settleDepths(): Promise<void> {
    await this.#database.transaction((client) => settleDepths(client, this.#run.id));
  }

  async limitDepth(most: number): Promise<number> {
    this.#counted = undefined;
    return this.#database.transaction((client) => limitDepth(client, this.#run.id, most));
  }

  /** Releases the hosts, and closes the database. */
  async close(): Promise<void> {
    this.#renewal.stop();
    try {
      await this.#rows(
        'update audit_hosts set owner = null, until = 0 where run = $1 and owner = $2',
        this.#owner,
      );
    } finally {
      await this.#database.close();
    }
  }

  async #renew(): Promise<void> {
    await this.#rows(
      'update audit_hosts set until = $3 where run = $1 and owner = $2',
      this.#owner,
      this.#now() + this.#lease,
    );
  }

  /** Runs a statement whose first parameter is the run. */
  async #rows<T extends object>(text: string, ...values: readonly PostgresValue[]): Promise<T[]> {
    const { rows } = await this.#database.query<T>(text, [this.#run.id, ...values]);
    return rows;
  }

  async #settle(client: PostgresTransaction, keys: readonly number[], state: UrlState): Promise<void> {
    if (keys.length === 0) return;
    await client.query('update audit_urls set state = $3 where run = $1 and key = any($2) and state = 0', [
      this.#run.id,
      keys,
      toStateNumber(state),
    ]);
  }

  /** @param lists - links, ids of their texts, and resources, packed. */
  async #insertPage(client: PostgresTransaction, page: Page, ...lists: readonly Buffer[]): Promise<void> {
    const { key, at, milliseconds, bytes, outcome } = page;
    await client.query(
      `insert into audit_pages (run, key, at, ms, bytes, status, type, title, digest, facts, leads, texts, resources)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict (run, key) do nothing`,
      [this.#run.id, key, at, milliseconds, bytes, ...toOutcomeColumns(outcome), ...lists],
    );
  }
}
