/**
 * The URLs of a run in PostgreSQL: finds and adds many at a time.
 *
 * @module
 */
import type { PostgresTransaction } from '@maycrawl/client/database';
import { hashUrl, nextKey } from '../records/url-key.ts';
import { toStateNumber } from '../rows.ts';
import {
  type Classified,
  type Classify,
  classifyAfter,
  getHost,
  type Shape,
  TARGET_REASON,
  TARGET_SHAPE,
} from '../run-store.ts';

/** A run, by its row. */
export interface RunRow {
  readonly id: number;
  /** The seed of the keys. */
  readonly seed: number;
}

/** A URL to add. */
export interface Wanted {
  readonly url: string;
  readonly depth: number;
  /** Number of successive redirects that led to the URL. */
  readonly hops: number;
}

/** A URL with its key, or the one to try next. */
interface Placed extends Wanted {
  readonly key: number;
}

/**
 * Returns the keys of URLs. Adds new URLs: their key is the hash, or the next free number, so workers that find the same URL give it the
 * same key.
 */
export async function addUrls(
  client: PostgresTransaction,
  run: RunRow,
  wanted: readonly Wanted[],
  classify: Classify,
): Promise<ReadonlyMap<string, number>> {
  const keys = new Map<string, number>();
  let open = new Map(wanted.map((each) => [each.url, { ...each, key: hashUrl(each.url, run.seed) }]));
  while (open.size > 0) {
    const places = [...open.values()].map(({ key }) => key);
    const existing = await findUrls(client, run, places);
    const missing = [...open.values()].filter(({ key }) => !existing.has(key));
    if (missing.length > 0) await insert(client, run, missing, classify);
    // Another worker may have added another URL under this key meanwhile.
    const known = missing.length === 0 ? existing : await findUrls(client, run, places);
    const next: typeof open = new Map();
    for (const [url, each] of open)
      if (known.get(each.key) === url) keys.set(url, each.key);
      else next.set(url, { ...each, key: nextKey(each.key) });
    open = next;
  }
  return keys;
}

/** Lets URLs outside the scope wait, because a redirect or canonical leads to them, unless they have waited before. */
export async function addTargets(
  client: PostgresTransaction,
  { id }: RunRow,
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return;
  const { rows } = await client.query<{ key: number; host: string }>(
    `select key, host from audit_urls where run = $1 and key = any($2) and state = $3 and why is null
     order by key for update`,
    [id, keys, toStateNumber('outside')],
  );
  const targets: typeof rows = [];
  for (const row of rows) if (!(await isAboveLimit(client, id, TARGET_SHAPE))) targets.push(row);
  await client.query('update audit_urls set state = 0, why = $3 where run = $1 and key = any($2)', [
    id,
    targets.map(({ key }) => key),
    TARGET_REASON,
  ]);
  await addHosts(
    client,
    id,
    targets.map(({ host }) => host),
  );
}

async function addHosts(client: PostgresTransaction, id: number, hosts: readonly string[]): Promise<void> {
  await client.query(
    'insert into audit_hosts select $1, host, null, 0 from unnest($2::text[]) host on conflict do nothing',
    [id, [...new Set(hosts)].sort()],
  );
}

async function findUrls(
  client: PostgresTransaction,
  { id }: RunRow,
  keys: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await client.query<{ key: number; url: string }>(
    'select key, url from audit_urls where run = $1 and key = any($2)',
    [id, keys],
  );
  return new Map(rows.map(({ key, url }) => [key, url]));
}

async function insert(
  client: PostgresTransaction,
  { id }: RunRow,
  missing: readonly Placed[],
  classify: Classify,
): Promise<void> {
  const states: Classified[] = [];
  // All workers use the same order, which avoids deadlocks.
  const rows = missing.toSorted((a, b) => a.key - b.key);
  for (const { url, hops } of rows)
    states.push(await limitShape(client, id, classifyAfter(url, hops, classify)));
  await client.query(
    `insert into audit_urls (run, key, url, host, state, depth, hops, why)
     select $1, * from unnest($2::bigint[], $3::text[], $4::text[], $5::smallint[], $6::integer[], $7::integer[], $8::text[])
     on conflict do nothing`,
    [
      id,
      rows.map(({ key }) => key),
      rows.map(({ url }) => url),
      rows.map(({ url }) => getHost(url)),
      states.map(({ state }) => toStateNumber(state)),
      rows.map(({ depth }) => depth),
      rows.map(({ hops }) => hops),
      states.map(({ why = null }) => why),
    ],
  );
  const isWaiting = (index: number): boolean => states[index]?.state === 'waiting';
  await addHosts(
    client,
    id,
    rows.filter((_, index) => isWaiting(index)).map(({ url }) => getHost(url)),
  );
}

/** Counts the shape of a URL. Returns a trap if there are too many URLs of this shape. */
async function limitShape(
  client: PostgresTransaction,
  id: number,
  classified: Classified,
): Promise<Classified> {
  const { shape, state } = classified;
  if (shape === undefined || state !== 'waiting') return classified;
  if (!(await isAboveLimit(client, id, shape))) return classified;
  return { state: 'trap', why: `more than ${shape.limit} URLs like ${shape.name}` };
}

/** Counts a URL of a shape. Returns whether there are too many of them. */
async function isAboveLimit(
  client: PostgresTransaction,
  id: number,
  { name, limit }: Shape,
): Promise<boolean> {
  const { rows } = await client.query<{ count: number }>(
    `insert into audit_shapes values ($1, $2, 1)
     on conflict (run, name) do update set count = audit_shapes.count + 1 returning count`,
    [id, name],
  );
  return (rows[0]?.count ?? 1) > limit;
}
