/**
 * Contents: files of sites, and texts of settings. Each is kept once, by its hash.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Keeps a content, whether or not it is there already. Whoever is about to refer to one keeps it first: the row is locked then until
 * the end of the transaction, and has a new time, by which those who delete what nobody refers to (pruning.ts) see that somebody does.
 *
 * @param now - milliseconds since 1970.
 */
export async function keepContent(
  transaction: Transaction<Tables>,
  hash: string,
  bytes: Uint8Array,
  now: number,
): Promise<void> {
  await transaction
    .insertInto('watch_contents')
    .values({ hash, bytes: Buffer.from(bytes), kept_at: now })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ kept_at: now }))
    .execute();
}

/** Those of some contents that are there. */
export function contentsOf(
  db: Kysely<Tables>,
  hashes: readonly string[],
): Promise<{ readonly hash: string; readonly bytes: Uint8Array }[]> {
  return db.selectFrom('watch_contents').select(['hash', 'bytes']).where('hash', 'in', hashes).execute();
}

/** SHA-256, in hexadecimal. */
export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
