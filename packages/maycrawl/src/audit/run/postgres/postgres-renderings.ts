/**
 * Writes the results of rendering to PostgreSQL.
 *
 * @module
 */
import type { PostgresTransaction } from '@maycrawl/client/database';
import { LINK_TYPES, packLinks } from '../records/link-list.ts';
import { NO_TEXT, packTextIds } from '../records/page-lists.ts';
import type { Rendering } from '../records/rendering.ts';
import { getNextDepth } from '../rows.ts';
import { isTarget, type NamedUrl, type RenderedLinks } from '../run-store.ts';
import { addInterned } from './interned-texts.ts';
import { addTargets, addUrls, type RunRow } from './postgres-urls.ts';

/** Writes a rendering, and adds its links to those of the page. */
export async function insertRendering(
  client: PostgresTransaction,
  run: RunRow,
  { key, at, milliseconds, outcome }: Rendering,
  { depth, named, classify }: RenderedLinks,
): Promise<void> {
  // Another worker may have rendered the page after the claim of this one.
  const known = await client.query(
    'select 1 from audit_renderings where run = $1 and key = $2 and outcome is not null',
    [run.id, key],
  );
  if (known.rows.length > 0) return;
  const wanted = named.map(({ url }) => ({ url, depth: getNextDepth(depth), hops: 0 }));
  const keys = await addUrls(client, run, wanted, classify);
  const getKey = ({ url }: NamedUrl): number => keys.get(url) as number;
  const links = named.map((each) => ({ key: getKey(each), types: each.types | LINK_TYPES.rendered }));
  await addTargets(client, run, named.filter(isTarget).map(getKey));
  const texts = await addInterned(
    client,
    run.id,
    'texts',
    named.flatMap(({ text }) => text ?? []),
  );
  const textIds = named.map(({ text }) => (text === undefined ? NO_TEXT : (texts.get(text) as number)));
  await client.query(
    `update audit_pages set leads = leads || $3::bytea, texts = texts || $4::bytea where run = $1 and key = $2`,
    [run.id, key, packLinks(links), packTextIds(textIds)],
  );
  await client.query(
    `insert into audit_renderings values ($1, $2, 0, $3, $4, $5) on conflict (run, key)
       do update set at = excluded.at, ms = excluded.ms, outcome = excluded.outcome`,
    [run.id, key, at, milliseconds, JSON.stringify(outcome)],
  );
}
