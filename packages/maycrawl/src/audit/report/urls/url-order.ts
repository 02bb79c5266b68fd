/**
 * The URLs of a run in the order of the alphabet. Keys are hashes, which other runs have others of; the order of the URLs is the
 * same in all.
 *
 * @module
 */
import type { Database } from 'better-sqlite3';
import type { KeptUrl } from '../../run/run-store.ts';
import type { SqliteRun } from '../../run/sqlite-run.ts';

/** Rows of one round. */
const CHUNK = 1_000;

/** What is audited comes first, where not all have room: asked, blocked, waiting, deep, trap, outside. */
const IMPORTANCE =
  'case state when 1 then 0 when 2 then 1 when 0 then 2 when 5 then 3 when 4 then 4 else 5 end';

/**
 * Puts the URLs of a run in order, in a temporary table: the memory that it takes does not depend on how many there are.
 *
 * @param limit - so many at most, the most important first and of these the first that were found; without it all.
 */
export function orderUrls(db: Database, limit?: number): void {
  db.exec('drop table if exists temp.by_url');
  db.exec('create temp table by_url (place integer primary key, key integer not null)');
  const all = 'insert into by_url (key) select key from urls order by url';
  const some = `insert into by_url (key) select key from
    (select key, url from urls order by ${IMPORTANCE}, key limit ?) order by url`;
  if (limit === undefined) db.prepare(all).run();
  else db.prepare(some).run(limit);
}

/** Keys in that order. */
export function* keysInOrder(db: Database): Generator<number> {
  const chunk = db.prepare('select key from by_url where place > ? order by place limit ?').pluck();
  for (let after = 0; ; after += CHUNK) {
    const keys = chunk.all(after, CHUNK) as number[];
    yield* keys;
    if (keys.length < CHUNK) return;
  }
}

/** URLs in that order. */
export async function* urlsInOrder(run: SqliteRun): AsyncGenerator<KeptUrl> {
  for (const key of keysInOrder(run.database)) {
    const url = await run.url(key);
    if (url !== undefined) yield url;
  }
}

/** Which of two URLs comes first, as SQLite has it: by bytes of UTF-8. */
export function compareUrls(a: string, b: string): number {
  if (a === b) return 0;
  // Surrogates stand before U+E000 in JavaScript, and after it in UTF-8.
  if (/[\ud800-\uffff]/.test(a) || /[\ud800-\uffff]/.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}
