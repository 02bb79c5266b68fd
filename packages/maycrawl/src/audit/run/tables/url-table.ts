// The URLs of a run, and their counts by state.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import { IS_SERVER_FAILURE } from '../records/server-failure.ts';
import {
  type Classified,
  type Classify,
  type Counts,
  classifyAfter,
  getHost,
  type Shape,
  STATES,
  TARGET_REASON,
  TARGET_SHAPE,
  type UrlState,
} from '../records/url.ts';
import { hashUrl } from '../records/url-key.ts';
import type { HostTable } from './host-table.ts';
import { readCount, toStateNumber } from './rows.ts';

/** Limits of the cache of keys: number of URLs, and their characters. A full cache is cleared. */
const MAX_CACHED = 200_000;
const MAX_CACHED_CHARS = 20_000_000;

/** The table of URLs, with caches. */
export class UrlTable {
  readonly #database: SqliteDatabase;
  readonly #hosts: HostTable;
  readonly #seed: number;
  readonly #keys: Map<string, number> = new Map();
  /** Characters of the URLs of `#keys`. */
  #chars = 0;
  /** Whether `#keys` has all URLs, so that the table need not be searched for a new one. */
  #isWhole: boolean;
  /** Counts by state, because counting rows takes long. */
  #counts: number[] = [];

  /** @param hosts - gets the hosts of URLs that wait. */
  constructor(database: SqliteDatabase, hosts: HostTable, seed: number) {
    this.#database = database;
    this.#hosts = hosts;
    this.#seed = seed;
    this.recount();
    this.#isWhole = this.#counts.every((count) => count === 0);
  }

  counts(): Counts {
    const counts = STATES.map((state, number) => [state, this.#counts[number] as number]);
    return Object.fromEntries(counts) as Record<UrlState, number>;
  }

  /** Counts again after direct changes of rows. */
  recount(): void {
    this.#counts = STATES.map(() => 0);
    const rows = this.#database.all<{ state: number; count: number }>(
      'select state, count(*) as count from urls group by state',
    );
    for (const { state, count } of rows) this.#counts[state] = count;
  }

  /** Clears the caches after a rollback. */
  reset(): void {
    this.#clearKeys();
    this.recount();
  }

  #clearKeys(): void {
    this.#keys.clear();
    this.#chars = 0;
    this.#isWhole = false;
  }

  /** Returns the key of a URL; `undefined` if the run does not contain it. */
  find(url: string, hash: number = hashUrl(url, this.#seed)): number | undefined {
    const cached = this.#keys.get(url);
    if (cached !== undefined || this.#isWhole) return cached;
    const row = this.#database.get<{ key: number }>(
      'select key from urls where hash = ? and url = ?',
      hash,
      url,
    );
    if (row !== undefined) this.#remember(url, row.key);
    return row?.key;
  }

  /** Returns the key of a URL. Adds it if it is new. @param hops - number of successive redirects that led to it. */
  add(url: string, depth: number, classify: Classify, hops: number = 0): number {
    const cached = this.#keys.get(url);
    if (cached !== undefined) return cached;
    const hash = hashUrl(url, this.#seed);
    const found = this.find(url, hash);
    if (found !== undefined) return found;
    const { state, reason = null } = this.#limitShape(classifyAfter(url, hops, classify));
    const key = this.#database.insert(
      'insert into urls (hash, url, host, state, depth, reason, hops) values (?, ?, ?, ?, ?, ?, ?)',
      hash,
      url,
      getHost(url),
      toStateNumber(state),
      depth,
      reason,
      hops,
    );
    this.#remember(url, key);
    this.#count(state, 1);
    if (state === 'waiting') this.#hosts.add(getHost(url));
    return key;
  }

  /** Lets a URL outside the scope wait, because a redirect or canonical leads to it, unless it has waited before. */
  addTarget(key: number): void {
    const outside = toStateNumber('outside');
    const isNew = 'select host from urls where key = ? and state = ? and reason is null';
    const target = this.#database.get<{ host: string }>(isNew, key, outside);
    if (target === undefined || this.#isAboveLimit(TARGET_SHAPE)) return;
    this.#database.run('update urls set state = 0, reason = ? where key = ?', TARGET_REASON, key);
    this.#count('outside', -1);
    this.#count('waiting', 1);
    this.#hosts.add(target.host);
  }

  /** Sets the state of a waiting URL. */
  settle(key: number, state: UrlState): void {
    const settle = 'update urls set state = ? where key = ? and state = 0';
    if (this.#database.run(settle, toStateNumber(state), key) === 0) return;
    this.#count('waiting', -1);
    this.#count(state, 1);
  }

  /** Counts the URLs whose pages failed for a reason that may be temporary. */
  countFailed(): number {
    return readCount(this.#database, `select count(*) as count from urls where ${HAS_FAILED}`);
  }

  /** Lets these URLs wait again. */
  retryFailed(): void {
    const retry = `update urls set state = ?, tries = 0 where ${HAS_FAILED}`;
    this.#database.run(retry, toStateNumber('waiting'));
    this.recount();
  }

  #remember(url: string, key: number): void {
    if (this.#keys.size >= MAX_CACHED || this.#chars + url.length > MAX_CACHED_CHARS) this.#clearKeys();
    this.#keys.set(url, key);
    this.#chars += url.length;
  }

  #count(state: UrlState, more: number): void {
    this.#counts[toStateNumber(state)] = (this.#counts[toStateNumber(state)] as number) + more;
  }

  /** Counts the shape of a URL. Returns a trap if there are too many URLs of this shape. */
  #limitShape(classified: Classified): Classified {
    const { shape, state } = classified;
    if (shape === undefined || state !== 'waiting') return classified;
    if (!this.#isAboveLimit(shape)) return classified;
    return { state: 'crawl-trap', reason: `more than ${shape.limit} URLs like ${shape.name}` };
  }

  /** Counts a URL of a shape. Returns whether there are too many of them. */
  #isAboveLimit({ name, limit }: Shape): boolean {
    const row = this.#database.get<{ count: number }>(
      'insert into shapes values (?, 1) on conflict (name) do update set count = count + 1 returning count',
      name,
    );
    return (row?.count ?? 1) > limit;
  }
}

/** The condition of URLs whose pages failed for a reason that may be temporary. */
const HAS_FAILED: string = `state = ${toStateNumber('fetched')}
  and key in (select key from pages where status is null or ${IS_SERVER_FAILURE})`;
