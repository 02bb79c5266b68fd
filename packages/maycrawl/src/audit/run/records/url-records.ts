// URLs with their pages and sitemaps, for verdicts and reports. Many are read with one statement: a statement for each page, and one
// for its sitemaps, took longer than all the rest.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import { type PageRow, toPage, toStoredUrl, type UrlRow } from '../tables/rows.ts';
import type { UrlRecord } from './page.ts';

/** Number of rows of one statement. */
const CHUNK = 100;
/** Facts with more characters are read one by one: those of a hostile page take megabytes. */
const MAX_CHARS = 65_536;

const COLUMNS = `urls.key, url, state, depth, start, urls.reason, pages.key as page, at, milliseconds, bytes, status, digest,
  case when length(facts) <= ${MAX_CHARS} then facts end as facts,
  (select group_concat(sitemap) from sitemap_entries where sitemap_entries.key = urls.key) as sitemaps`;

/** The columns of the page are `null` if no page is stored. */
type RecordRow = Omit<UrlRow, 'hops' | 'tries'> &
  Omit<PageRow, 'facts'> & {
    readonly page: number | null;
    readonly facts: string | null;
    readonly sitemaps: string | null;
  };

/** Iterates over all URLs, in the order of their keys. */
export function readRecords(database: SqliteDatabase): Generator<UrlRecord> {
  return readFrom(database, 'urls', 'urls.key');
}

/** Iterates over URLs in the order of the table `by_url` (report-rows.ts). */
export function readOrderedRecords(database: SqliteDatabase): Generator<UrlRecord> {
  return readFrom(database, 'by_url join urls using (key)', 'place');
}

/** Returns the URL with a key; `undefined` if the key is unknown. */
export function readRecord(database: SqliteDatabase, key: number): UrlRecord | undefined {
  const row = database.get<RecordRow>(`${select('urls')} where urls.key = ?`, key);
  return row && toRecord(database, row);
}

function select(tables: string, position: string = 'urls.key'): string {
  return `select ${position} as position, ${COLUMNS} from ${tables} left join pages on pages.key = urls.key`;
}

function* readFrom(database: SqliteDatabase, tables: string, position: string): Generator<UrlRecord> {
  const text = `${select(tables, position)} where ${position} > ? order by ${position} limit ${CHUNK}`;
  for (let after = -1; ; ) {
    const rows = database.all<RecordRow & { readonly position: number }>(text, after);
    for (const row of rows) yield toRecord(database, row);
    if (rows.length < CHUNK) return;
    after = rows.at(-1)?.position as number;
  }
}

function toRecord(database: SqliteDatabase, row: RecordRow): UrlRecord {
  const { page, facts, sitemaps } = row;
  return {
    ...toStoredUrl(row),
    page: page === null ? null : toPage(row, facts ?? readFacts(database, page)),
    inSitemaps: sitemaps === null ? [] : sitemaps.split(',').map(Number),
  };
}

function readFacts(database: SqliteDatabase, key: number): string {
  return database.get<{ facts: string }>('select facts from pages where key = ?', key)?.facts ?? '';
}
