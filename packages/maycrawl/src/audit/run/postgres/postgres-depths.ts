/**
 * The depth of each URL of a run in PostgreSQL, as in sqlite/depths.ts.
 *
 * @module
 */
import type { PostgresTransaction } from '@maycrawl/client/database';
import { unpackLinks, WALKED } from '../records/link-list.ts';
import { NO_DEPTH, toStateNumber } from '../rows.ts';

/** Number of pages of one query. */
const CHUNK = 500;
/** Namespace of the advisory lock: several workers can finish at the same time. */
const LOCK = 0x6d61_7564;

/** Sets the depth of every URL of a run. */
export async function settleDepths(client: PostgresTransaction, run: number): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1, $2)', [LOCK, run]);
  await client.query('update audit_urls set depth = case start when 1 then 0 else $2 end where run = $1', [
    run,
    NO_DEPTH,
  ]);
  for (let depth = 1, isMore = true; isMore; depth++) {
    isMore = false;
    for (let after = -1; ; ) {
      const { rows } = await client.query<{ key: number; leads: Uint8Array }>(
        `select p.key, p.leads from audit_urls u join audit_pages p using (run, key)
         where u.run = $1 and u.depth = $2 and u.key > $3 order by u.key limit $4`,
        [run, depth - 1, after, CHUNK],
      );
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.key;
      const keys = new Set<number>();
      for (const { leads } of rows)
        for (const { key, types } of unpackLinks(leads)) if ((types & WALKED) !== 0) keys.add(key);
      const { rowCount } = await client.query(
        'update audit_urls set depth = $2 where run = $1 and key = any($3) and depth = $4',
        [run, depth, [...keys], NO_DEPTH],
      );
      isMore ||= (rowCount ?? 0) > 0;
    }
  }
}

/** Sets waiting and deep URLs to `waiting` if they are near enough, and to `deep` otherwise. Returns the number of waiting URLs. */
export async function limitDepth(client: PostgresTransaction, run: number, most: number): Promise<number> {
  const isNear = '(depth <= $2 or key in (select key from audit_sitemap_entries where run = $1))';
  const [waiting, deep] = [toStateNumber('waiting'), toStateNumber('deep')];
  const move = (from: number, to: number, where: string): Promise<unknown> =>
    client.query(`update audit_urls set state = ${to} where run = $1 and state = ${from} and ${where}`, [
      run,
      most,
    ]);
  await move(waiting, deep, `not ${isNear}`);
  await move(deep, waiting, isNear);
  const { rows } = await client.query<{ count: number }>(
    `select count(*) as count from audit_urls where run = $1 and state = ${waiting}`,
    [run],
  );
  return rows[0]?.count ?? 0;
}
