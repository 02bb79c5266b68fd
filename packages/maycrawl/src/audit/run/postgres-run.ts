/**
 * A run in PostgreSQL, for several workers: each has hosts to itself under a lease, so that a host is asked at one pace, and those of
 * a worker that has died are taken on by another.
 *
 * @module
 */
import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import { toCurrentRobots } from './former-names.ts';
import { type Lead, packLeads, unpackLeads } from './link-list.ts';
import { settleDepths } from './postgres-depths.ts';
import { keysFor, type RunRow } from './postgres-urls.ts';
import {
  countsOf,
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
  KeptRobots,
  KeptSitemap,
  KeptUrl,
  Page,
  RunStore,
  UrlState,
  Visit,
  Waiting,
} from './run-store.ts';
import { hopsTo } from './run-store.ts';
import { hashUrl, nextKey } from './url-key.ts';

/** How long a host stays with a worker that says nothing, in milliseconds; it says something six times as often. */
const LEASE = 30_000;
/** Counting takes a while; the counts are no older than this. Milliseconds. */
const COUNTS_AGE = 1_000;
/** Hosts that a worker takes on at once. */
const NEW_HOSTS = 4;
/** How a worker goes about. */
export interface WorkerOptions {
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
  /** How long a host stays with it when it says nothing, in milliseconds. */
  readonly lease?: number;
}

/** The tables of a run. */
export class PostgresRun implements RunStore, RunRow {
  readonly pool: Pool;
  readonly id: number;
  readonly seed: number;
  readonly #owner: string = randomUUID();
  readonly #renewal: NodeJS.Timeout;
  readonly #now: () => number;
  readonly #lease: number;
  #counted: { readonly at: number; readonly counts: Counts } | undefined;
  /** What this process has asked for since it was counted. */
  #askedSince = 0;

  /** @param pool - of a database that has the tables (open-postgres-run.ts); it is ended with the run. */
  constructor(pool: Pool, id: number, seed: number, { now = Date.now, lease = LEASE }: WorkerOptions = {}) {
    this.pool = pool;
    this.id = id;
    this.seed = seed;
    this.#now = now;
    this.#lease = lease;
    this.#renewal = setInterval(() => {
      // A failure is seen by whoever uses the database next.
      this.#renew().catch(() => {});
    }, lease / 6);
    this.#renewal.unref();
  }

  async get(name: string): Promise<unknown> {
    const [row] = await this.#rows<{ value: string }>(
      'select value from audit_facts where run = $1 and name = $2',
      name,
    );
    return row === undefined ? undefined : JSON.parse(row.value);
  }

  async set(name: string, value: unknown): Promise<void> {
    await this.#rows(
      'insert into audit_facts values ($1, $2, $3) on conflict (run, name) do update set value = excluded.value',
      ...[name, JSON.stringify(value)],
    );
  }

  async addStarts(urls: readonly string[], classify: Classify): Promise<void> {
    await this.#write(async (client) => {
      const keys = await keysFor(
        client,
        this,
        urls.map((url) => ({ url, depth: 0, hops: 0 })),
        classify,
      );
      await client.query('update audit_urls set start = 1, depth = 0 where run = $1 and key = any($2)', [
        ...[this.id, [...keys.values()]],
      ]);
    });
  }

  async claimHosts(limit: number, now: number): Promise<string[]> {
    return this.#write(async (client) => {
      const { rows } = await client.query<{ host: string; owner: string | null }>(
        `select host, owner from audit_hosts where run = $1 and (owner = $2 or owner is null or until <= $3)
           and exists (select 1 from audit_urls u where u.run = $1 and u.host = audit_hosts.host and u.state = 0)
         order by owner is distinct from $2, host limit $4 for update skip locked`,
        [this.id, this.#owner, now, limit],
      );
      const own = rows.filter(({ owner }) => owner === this.#owner);
      // A few at a time, and more when those are done: others want some, too.
      const others = rows.filter(({ owner }) => owner !== this.#owner).slice(0, NEW_HOSTS);
      const hosts = [...own, ...others].map(({ host }) => host);
      await client.query('update audit_hosts set owner = $2, until = $3 where run = $1 and host = any($4)', [
        ...[this.id, this.#owner, now + this.#lease, hosts],
      ]);
      return hosts;
    });
  }

  async othersWork(): Promise<boolean> {
    const rows = await this.#rows(
      `select 1 from audit_hosts where run = $1 and owner is distinct from $2
         and exists (select 1 from audit_urls u where u.run = $1 and u.host = audit_hosts.host and u.state = 0) limit 1`,
      this.#owner,
    );
    return rows.length > 0;
  }

  async waiting(host: string, limit: number, except: ReadonlySet<number>): Promise<Waiting[]> {
    const rows = await this.#rows<UrlRow>(
      `select key, url, depth, hops, tries from audit_urls where run = $1 and state = 0 and host = $2
         and key <> all($3::bigint[]) order by tries, depth, seq limit $4`,
      ...[host, [...except], limit],
    );
    return rows.map(waitingOf);
  }

  async record(visits: readonly Visit[], classify: Classify): Promise<void> {
    await this.#write(async (client) => {
      const keysOf = (kind: Visit['kind']): number[] =>
        visits.flatMap((visit) =>
          visit.kind === kind ? [visit.kind === 'asked' ? visit.page.key : visit.key] : [],
        );
      await client.query('update audit_urls set tries = tries + 1 where run = $1 and key = any($2)', [
        ...[this.id, keysOf('again')],
      ]);
      await this.#settle(client, keysOf('blocked'), 'blocked');
      await this.#settle(client, keysOf('deep'), 'deep');
      const asked = visits.filter((visit) => visit.kind === 'asked');
      const wanted = asked.flatMap(({ depth, hops, named }) =>
        named.map((each) => ({
          ...{ url: each.url, depth: depthBelow(depth), hops: hopsTo(each, hops) },
        })),
      );
      const keys = await keysFor(client, this, wanted, classify);
      for (const { page, named } of asked)
        await this.#insertPage(
          client,
          page,
          named.map(({ url, ways }) => ({ key: keys.get(url) as number, ways })),
        );
      await this.#settle(client, keysOf('asked'), 'asked');
      this.#askedSince += asked.length;
    });
  }

  async counts(manner: 'now' | 'soon' = 'now'): Promise<Counts> {
    const now = this.#now();
    const age = this.#counted === undefined ? Number.POSITIVE_INFINITY : now - this.#counted.at;
    if (this.#counted === undefined || manner === 'now' || age >= COUNTS_AGE || age < 0) {
      const rows = await this.#rows<{ state: number; count: number }>(
        'select state, count(*) as count from audit_urls where run = $1 group by state',
      );
      const counts = countsOf((state) => rows.find((row) => row.state === state)?.count ?? 0);
      this.#counted = { at: now, counts };
      this.#askedSince = 0;
    }
    const { counts } = this.#counted;
    return { ...counts, asked: counts.asked + this.#askedSince };
  }

  async addSitemap(url: string, foundIn: string): Promise<void> {
    await this.#rows(
      'insert into audit_sitemaps (run, url, found_in) values ($1, $2, $3) on conflict do nothing',
      url,
      foundIn,
    );
  }

  async unreadSitemaps(): Promise<KeptSitemap[]> {
    return this.#rows<KeptSitemap>(`${SELECT_SITEMAPS} and entries is null order by id limit 100`);
  }

  async sitemaps(): Promise<KeptSitemap[]> {
    return this.#rows<KeptSitemap>(`${SELECT_SITEMAPS} order by id`);
  }

  async addEntries(sitemap: number, urls: readonly string[], classify: Classify): Promise<void> {
    await this.#write(async (client) => {
      const keys = await keysFor(
        client,
        this,
        urls.map((url) => ({ url, depth: NO_DEPTH, hops: 0 })),
        classify,
      );
      await client.query(
        'insert into audit_sitemap_entries select $1, key, $3 from unnest($2::bigint[]) key on conflict do nothing',
        [this.id, [...new Set(keys.values())], sitemap],
      );
    });
  }

  async closeSitemap(sitemap: number, entries: number, problem: string | null): Promise<void> {
    await this.#rows(
      'update audit_sitemaps set entries = $3, problem = $4 where run = $1 and id = $2',
      ...[sitemap, entries, problem],
    );
  }

  async sitemapsOf(key: number): Promise<number[]> {
    const rows = await this.#rows<{ sitemap: number }>(
      'select sitemap from audit_sitemap_entries where run = $1 and key = $2',
      key,
    );
    return rows.map(({ sitemap }) => sitemap);
  }

  async putRobots({ origin, use, code, reason, fetchedAt, body }: KeptRobots): Promise<void> {
    await this.#rows(
      `insert into audit_robots values ($1, $2, $3, $4, $5, $6, $7) on conflict (run, origin) do update set
         used = excluded.used, code = excluded.code, reason = excluded.reason, fetched_at = excluded.fetched_at, body = excluded.body`,
      ...[origin, use, code, reason, fetchedAt, body === null ? null : Buffer.from(body)],
    );
  }

  async robots(origin: string): Promise<KeptRobots | undefined> {
    const [row] = await this.#rows<KeptRobots>(`${SELECT_ROBOTS} and origin = $2`, origin);
    return row && toCurrentRobots(row);
  }

  async allRobots(): Promise<KeptRobots[]> {
    return (await this.#rows<KeptRobots>(`${SELECT_ROBOTS} order by origin`)).map(toCurrentRobots);
  }

  async urls(after: number, limit: number): Promise<KeptUrl[]> {
    const rows = await this.#rows<UrlRow>(
      'select * from audit_urls where run = $1 and key > $2 order by key limit $3',
      ...[after, limit],
    );
    return rows.map(keptUrlOf);
  }

  async url(key: number): Promise<KeptUrl | undefined> {
    const [row] = await this.#rows<UrlRow>('select * from audit_urls where run = $1 and key = $2', key);
    return row && keptUrlOf(row);
  }

  async keyOf(url: string): Promise<number | undefined> {
    for (let key = hashUrl(url, this.seed); ; key = nextKey(key)) {
      const found = await this.url(key);
      if (found === undefined) return undefined;
      if (found.url === url) return key;
    }
  }

  async page(key: number): Promise<Page | undefined> {
    const [row] = await this.#rows<PageRow>(
      'select key, at, ms, bytes, status, digest, facts from audit_pages where run = $1 and key = $2',
      key,
    );
    return row && pageOf(row);
  }

  async leads(key: number): Promise<Lead[]> {
    const [row] = await this.#rows<{ leads: Buffer }>(
      'select leads from audit_pages where run = $1 and key = $2',
      key,
    );
    return row === undefined ? [] : unpackLeads(row.leads);
  }

  async settleDepths(): Promise<void> {
    await this.#write((client) => settleDepths(client, this.id));
  }

  async limitDepth(most: number): Promise<number> {
    return this.#write(async (client) => {
      const isNear = '(depth <= $2 or key in (select key from audit_sitemap_entries where run = $1))';
      const [waiting, deep] = [numberOf('waiting'), numberOf('deep')];
      const move = (from: number, to: number, where: string): Promise<unknown> =>
        client.query(`update audit_urls set state = ${to} where run = $1 and state = ${from} and ${where}`, [
          this.id,
          most,
        ]);
      await move(waiting, deep, `not ${isNear}`);
      await move(deep, waiting, isNear);
      this.#counted = undefined;
      const { rows } = await client.query(
        `select count(*) as count from audit_urls where run = $1 and state = ${waiting}`,
        [this.id],
      );
      return rows[0]?.count ?? 0;
    });
  }

  /** Leaves the hosts to others, and ends the pool. */
  async close(): Promise<void> {
    clearInterval(this.#renewal);
    try {
      await this.#rows(
        'update audit_hosts set owner = null, until = 0 where run = $1 and owner = $2',
        this.#owner,
      );
    } finally {
      await this.pool.end();
    }
  }

  async #renew(): Promise<void> {
    await this.#rows(
      'update audit_hosts set until = $3 where run = $1 and owner = $2',
      ...[this.#owner, this.#now() + this.#lease],
    );
  }

  /** Rows of a statement whose first parameter is the run. */
  async #rows<T extends object>(text: string, ...values: readonly unknown[]): Promise<T[]> {
    const { rows } = await this.pool.query<T>(text, [this.id, ...values]);
    return rows;
  }

  /** Does all of it or nothing; again, if another worker was in the way. */
  async #write<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      const client = await this.pool.connect();
      try {
        await client.query('begin');
        const result = await work(client);
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => {});
        const { code } = error as { code?: string };
        if (code !== DEADLOCK || tries === MAX_TRIES) throw error;
      } finally {
        client.release();
      }
    }
  }

  async #settle(client: PoolClient, keys: readonly number[], state: UrlState): Promise<void> {
    if (keys.length === 0) return;
    await client.query('update audit_urls set state = $3 where run = $1 and key = any($2) and state = 0', [
      ...[this.id, keys, numberOf(state)],
    ]);
  }

  async #insertPage(client: PoolClient, page: Page, leads: readonly Lead[]): Promise<void> {
    const { key, at, milliseconds, bytes, outcome } = page;
    await client.query(
      `insert into audit_pages values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict (run, key) do nothing`,
      [this.id, key, at, milliseconds, bytes, ...outcomeColumns(outcome).map(withoutNul), packLeads(leads)],
    );
  }
}

const DEADLOCK = '40P01';
const MAX_TRIES = 5;
const SELECT_SITEMAPS =
  'select id, url, found_in as "foundIn", entries, problem from audit_sitemaps where run = $1';
const SELECT_ROBOTS =
  'select origin, used as use, code, reason, fetched_at as "fetchedAt", body from audit_robots where run = $1';

/** PostgreSQL has no character 0 in a text. */
function withoutNul(value: string | number | null): string | number | null {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}
