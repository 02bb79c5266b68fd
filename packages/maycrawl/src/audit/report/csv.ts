/**
 * The records of a run as CSV (RFC 4180), safe to be opened in a spreadsheet.
 *
 * @module
 */
import type { UrlReport } from './url-report.ts';

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
  ['because', ({ crawl }) => crawl?.because ?? null],
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

/** The first line: the names of the columns. */
export const CSV_HEAD: string = row(COLUMNS.map(([name]) => name));

/** The line of one record. */
export function csvRow(report: UrlReport): string {
  return row(COLUMNS.map(([, cell]) => cell(report)));
}

function row(cells: readonly Cell[]): string {
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  // A spreadsheet would take it for a formula, and run it.
  const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
