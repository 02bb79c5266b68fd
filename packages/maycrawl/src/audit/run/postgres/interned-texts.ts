/**
 * Tables of different texts with their ids, in PostgreSQL: the texts of links, and the URLs of resources.
 *
 * @module
 */
import { hash } from 'node:crypto';
import type { PostgresTransaction } from '@maycrawl/client/database';

/** Returns the ids of texts. Adds new texts. */
export async function addInterned(
  client: PostgresTransaction,
  run: number,
  table: 'texts' | 'resources',
  texts: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const digests = new Map([...new Set(texts)].map((text) => [createDigest(text), text]));
  const ids = new Map<string, number>();
  const find = async (wanted: readonly string[]): Promise<void> => {
    const { rows } = await client.query<{ id: number; digest: string }>(
      `select id, digest from audit_${table} where run = $1 and digest = any($2)`,
      [run, wanted],
    );
    for (const { id, digest } of rows) ids.set(digests.get(digest) as string, id);
  };
  if (digests.size === 0) return ids;
  await find([...digests.keys()]);
  // All workers use the same order, which avoids deadlocks.
  const missing = [...digests].filter(([, text]) => !ids.has(text)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (missing.length === 0) return ids;
  await client.query(
    `insert into audit_${table} (run, digest, text)
     select $1, * from unnest($2::text[], $3::text[]) on conflict do nothing`,
    [run, missing.map(([digest]) => digest), missing.map(([, text]) => text)],
  );
  await find(missing.map(([digest]) => digest));
  return ids;
}

function createDigest(text: string): string {
  return hash('sha1', text, 'base64');
}
