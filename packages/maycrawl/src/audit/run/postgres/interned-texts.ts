/**
 * Tables of different texts with their ids, in PostgreSQL: the texts of links, the URLs of resources, and declarations.
 *
 * @module
 */
import { hash } from 'node:crypto';
import type { PostgresTransaction } from '@maycrawl/client/database';

/** Returns the ids of texts. Adds new texts. */
export async function addInterned(
  client: PostgresTransaction,
  run: number,
  table: 'texts' | 'resources' | 'declarations',
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

/** Adds what pages declare. */
export async function addDeclarations(
  client: PostgresTransaction,
  run: number,
  pages: readonly { readonly page: { readonly key: number }; readonly declarations?: string }[],
): Promise<void> {
  const declaring = pages.flatMap(({ page: { key }, declarations: text }) =>
    text === undefined ? [] : [{ key, text }],
  );
  if (declaring.length === 0) return;
  const ids = await addInterned(
    client,
    run,
    'declarations',
    declaring.map(({ text }) => text),
  );
  await client.query(
    `insert into audit_page_declarations (run, key, declaration)
     select $1, * from unnest($2::bigint[], $3::integer[]) on conflict do nothing`,
    [run, declaring.map(({ key }) => key), declaring.map(({ text }) => ids.get(text) as number)],
  );
}

function createDigest(text: string): string {
  return hash('sha1', text, 'base64');
}
