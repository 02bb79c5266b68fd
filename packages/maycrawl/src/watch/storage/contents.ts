/**
 * Contents: files of sites, and texts of settings. Each is stored once, by its hash.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { type SqlConnection, sql } from '@maycrawl/client/database';
import { listOf } from './rows.ts';

/**
 * Stores a content, whether or not it is there already. A transaction that is about to refer to one stores it first: the row is locked
 * then until the end of the transaction, and has a new time, by which those who delete unreferenced contents (pruning.ts) see that it is
 * in use.
 *
 * @param now - milliseconds since 1970.
 */
export async function storeContent(
  transaction: SqlConnection,
  hash: string,
  bytes: Uint8Array,
  now: number,
): Promise<void> {
  await transaction.run(
    sql`insert into watch_contents (hash, bytes, kept_at) values (${hash}, ${bytes}, ${now})
        on conflict (hash) do update set kept_at = excluded.kept_at`,
  );
}

/** Those of some contents that are there. */
export async function findContents(
  connection: SqlConnection,
  hashes: readonly string[],
): Promise<{ readonly hash: string; readonly bytes: Uint8Array }[]> {
  if (hashes.length === 0) return [];
  return connection.all(sql`select hash, bytes from watch_contents where hash in ${listOf(hashes)}`);
}

/** SHA-256, in hexadecimal. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
