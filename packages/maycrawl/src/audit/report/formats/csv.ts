/**
 * The records of a run as CSV (RFC 4180), safe to be opened in a spreadsheet.
 *
 * @module
 */
import type { UrlReport } from '../url-report.ts';

type Cell = string | number | boolean | null;

const lines = (texts: readonly string[] | undefined): string | null =>
  texts === undefined || texts.length === 0 ? null : texts.join('\n');

/** Columns, and what stands in them. Several values of one cell stand in lines of their own. */
const COLUMNS: readonly (readonly [name: string, cell: (report: UrlReport) => Cell])[] = [
  ['url', ({ url }) => url],
  ['agent', ({ agent }) => agent],
  ['state', ({ state }) => state],
  ['indexable', ({ indexable }) => indexable],
  ['reason', ({ reason }) => reason],
  ['reasons', ({ reasons }) => reasons.join(' ')],
  ['hidden', ({ hidden }) => hidden.join(' ')],
  ['allowed', ({ crawl }) => crawl?.allowed ?? null],
  ['reason', ({ crawl }) => crawl?.reason ?? null],
  ['line', ({ crawl }) => (crawl === null || crawl.line === 0 ? null : crawl.line)],
  ['rule', ({ crawl }) => crawl?.rule ?? null],
  ['status', ({ status }) => status],
  ['redirects', ({ redirects }) => lines(redirects?.map(({ status, to }) => `${status} ${to ?? '?'}`))],
  ['noindex', ({ noindex }) => lines(noindex?.map(({ from, text }) => `${from}: ${text}`))],
  ['canonical', ({ canonical }) => canonical?.kind ?? null],
  ['canonical_urls', ({ canonical }) => lines(canonical?.urls)],
  ['sitemaps', ({ sitemaps }) => lines(sitemaps)],
  ['links', ({ links }) => links],
  ['found', ({ found }) => lines(found.map(({ by, url }) => (url === null ? by : `${by} ${url}`)))],
  ['depth', ({ depth }) => depth],
  ['title', ({ title }) => title],
  ['type', ({ type }) => type],
  ['digest', ({ digest }) => digest],
  ['bytes', ({ bytes }) => bytes],
  ['milliseconds', ({ milliseconds }) => milliseconds],
  ['failure', ({ failure }) => failure && `${failure.code}: ${failure.detail}`],
  ['why', ({ why }) => why],
];

/** What a spreadsheet takes for the start of a formula, the full-width forms too, or skips before one. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/**
 * Where a spreadsheet whose list separator is a semicolon or a tab starts a cell within ours: it splits this file there, because the
 * quotes of a cell count for it only where one of its own cells starts.
 */
const INNER_FORMULA = /[;\t\r\n](?=[=+\-@"\uff1d\uff0b\uff0d\uff20])/g;

/** The first line: the names of the columns. */
export const CSV_HEAD: string = row(COLUMNS.map(([name]) => name));

/** The line of one record. */
export function csvRow(report: UrlReport): string {
  return row(COLUMNS.map(([, cell]) => cell(report)));
}

function row(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

/** A cell (RFC 4180). A spreadsheet shows text behind an apostrophe, and does not run it. */
function quoted(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = (FORMULA.test(cell) ? `'${cell}` : cell).replace(INNER_FORMULA, "$&'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
