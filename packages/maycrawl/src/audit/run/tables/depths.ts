// The depth of each URL by breadth-first search over the stored links, independent of the order of requests, and URLs that are too deep.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import { LINK_TYPES, toBuffer, visitLinks, WALKED } from '../records/link-list.ts';
import { NO_DEPTH, toStateNumber } from './rows.ts';

/** A link with nofollow leads a visitor, but no crawler. */
const STEPS = WALKED & ~LINK_TYPES.nofollow;
/** Size of a direct-mapped cache of reached keys: most links lead to the same few pages. */
const CACHE_SIZE = 2 ** 18;

const NEXT_PAGES =
  'select pages.key, links from layer join pages using (key) where layer.key > ? order by layer.key limit 100';
/** Number of keys of one statement: a statement for each URL takes longer than the search. */
const MAX_KEYS = 10_000;
const REACH = `insert or ignore into next_layer
  select urls.key from json_each(?) join urls on urls.key = value where depth = ${NO_DEPTH}`;
const SETTLE = 'update urls set depth = ? where key in (select key from next_layer)';

/** Sets the depth of every URL. The memory does not grow with their number. */
export function settleDepths(database: SqliteDatabase): void {
  database.exec(`update urls set depth = case start when 1 then 0 else ${NO_DEPTH} end`);
  database.exec('create temp table if not exists layer (key integer primary key)');
  database.exec('create temp table if not exists next_layer (key integer primary key)');
  database.exec('delete from layer; insert into layer select key from urls where start = 1');
  const reached = new Float64Array(CACHE_SIZE).fill(-1);
  for (let depth = 1; ; depth++) {
    database.exec('delete from next_layer');
    let keys: number[] = [];
    const reach = (): void => {
      database.run(REACH, JSON.stringify(keys));
      keys = [];
    };
    let rows: { key: number; links: Uint8Array }[];
    for (let after = -1; ; after = rows.at(-1)?.key as number) {
      rows = database.all(NEXT_PAGES, after);
      if (rows.length === 0) break;
      for (const { links } of rows)
        visitLinks(toBuffer(links), STEPS, (key) => {
          if (reached[key % CACHE_SIZE] === key) return;
          reached[key % CACHE_SIZE] = key;
          if (keys.push(key) === MAX_KEYS) reach();
        });
    }
    reach();
    if (database.run(SETTLE, depth) === 0) return;
    database.exec('delete from layer; insert into layer select key from next_layer');
  }
}

/** Sets waiting and deep URLs to `waiting` if they are in a sitemap or within a depth, and to `too-deep` otherwise. */
export function limitDepth(database: SqliteDatabase, most: number): void {
  const [waiting, deep] = [toStateNumber('waiting'), toStateNumber('too-deep')];
  // URLs in sitemaps count as near.
  const isNear = '(depth <= ? or key in (select key from sitemap_entries))';
  database.run(`update urls set state = ${deep} where state = ${waiting} and not ${isNear}`, most);
  database.run(`update urls set state = ${waiting} where state = ${deep} and ${isNear}`, most);
}
