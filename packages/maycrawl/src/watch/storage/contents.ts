// Contents: files of sites, and texts of settings. Each is stored once, by its hash.
import { createHash } from 'node:crypto';
import { type SqlConnection, type SqlDatabase, sql } from '@maycrawl/client/internal';
import type { StoredText } from '../site.ts';
import { toSqlList } from './rows.ts';

/**
 * Stores a content, also if it exists. A transaction that refers to a content stores it first: the row is then locked until the end of
 * the transaction, and has a new time, so that pruning (pruning.ts) does not delete it.
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
    sql`insert into watch_contents (hash, bytes, stored_at) values (${hash}, ${bytes}, ${now})
        on conflict (hash) do update set stored_at = excluded.stored_at`,
  );
}

/** Reads the contents that exist. */
export async function findContents(
  connection: SqlConnection,
  hashes: readonly string[],
): Promise<{ readonly hash: string; readonly bytes: Uint8Array }[]> {
  if (hashes.length === 0) return [];
  return connection.all(sql`select hash, bytes from watch_contents where hash in ${toSqlList(hashes)}`);
}

/** Returns the SHA-256 of a content, in hexadecimal. */
export function hashContent(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Returns a hash of the lines of a file without comments, blank lines and white space around them, in hexadecimal. Files with the same one
 * have the same records, unless a limit of the parser cuts one of them.
 */
export function hashRecords(bytes: Uint8Array): string {
  const lines = Buffer.from(bytes)
    .toString('latin1')
    .split(/[\r\n]/);
  const hash = createHash('sha256');
  for (const line of lines) {
    const comment = line.indexOf('#');
    const record = (comment < 0 ? line : line.slice(0, comment)).trim();
    if (record !== '') hash.update(`${record}\n`, 'latin1');
  }
  return hash.digest('hex');
}

/** Stores a text for settings by its hash. @param now - milliseconds since 1970. */
export async function storeText(
  database: SqlDatabase,
  name: string,
  text: string,
  now: number,
): Promise<StoredText> {
  const bytes = Buffer.from(text);
  const hash = hashContent(bytes);
  await database.transaction((transaction) => storeContent(transaction, hash, bytes, now));
  return { name, hash };
}
