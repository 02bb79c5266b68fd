/**
 * Writes the results of rendering to SQLite, and reads them.
 *
 * @module
 */
import type { SqliteDatabase } from '@maycrawl/client/database';
import { LINK_TYPES, packLinks } from '../records/link-list.ts';
import { NO_TEXT, packTextIds } from '../records/page-lists.ts';
import type { Rendering } from '../records/rendering.ts';
import { getNextDepth, type RenderingRow, toRendering } from '../rows.ts';
import { isTarget, type RenderedLinks } from '../run-store.ts';
import type { InternedTable } from './interned-table.ts';
import type { SqliteUrls } from './sqlite-urls.ts';

/** The tables to which links refer. */
interface LinkTables {
  readonly urls: SqliteUrls;
  readonly texts: InternedTable;
}

/** Writes a rendering, and adds its links to those of the page. Runs in a transaction. */
export function insertRendering(
  database: SqliteDatabase,
  { urls, texts }: LinkTables,
  { key, at, milliseconds, outcome }: Rendering,
  { depth, named, classify }: RenderedLinks,
): void {
  const links = named.map((each) => {
    const found = urls.add(each.url, getNextDepth(depth), classify);
    if (isTarget(each) && found !== key) urls.addTarget(found);
    return { key: found, types: each.types | LINK_TYPES.rendered };
  });
  const textIds = named.map(({ text }) => (text === undefined ? NO_TEXT : texts.add(text)));
  const page = database.get<PageLists>('select leads, texts from pages where key = ?', key);
  // The page of an earlier release has no texts.
  const newTexts = page?.texts ? Buffer.concat([page.texts, packTextIds(textIds)]) : null;
  const leads = Buffer.concat([page?.leads ?? new Uint8Array(), packLinks(links)]);
  database.run('update pages set leads = ?, texts = ? where key = ?', leads, newTexts, key);
  const text = JSON.stringify(outcome);
  database.run('insert or replace into renderings values (?, ?, ?, ?)', key, at, milliseconds, text);
}

/** Iterates over the results of rendering, in the order of their keys. */
export function* readRenderings(database: SqliteDatabase): Generator<Rendering> {
  const text = 'select key, at, ms, outcome from renderings order by key';
  for (const row of database.iterate<RenderingRow>(text)) yield toRendering(row);
}

/** Counts the pages that could not be rendered. */
export function countFailedRenderings(database: SqliteDatabase): number {
  const text = `select count(*) as count from renderings where json_extract(outcome, '$.kind') = 'failure'`;
  return database.get<{ count: number }>(text)?.count ?? 0;
}

interface PageLists {
  readonly leads: Uint8Array;
  readonly texts: Uint8Array | null;
}
