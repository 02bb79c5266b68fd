/**
 * The records of a run as CSV (RFC 4180) that is safe in spreadsheets.
 *
 * @module
 */
import type { UrlReport } from '../url-report.ts';

type Cell = string | number | boolean | null;

const lines = (texts: readonly string[] | undefined): string | null =>
  texts === undefined || texts.length === 0 ? null : texts.join('\n');

/** Columns and their values. Several values of a cell are lines. */
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
  [
    'canonical_ignored',
    ({ canonical }) => lines(canonical?.ignored.map(({ href, why }) => `${why}: ${href}`)),
  ],
  [
    'findings',
    ({ findings }) =>
      lines(findings.map(({ code, detail }) => (detail === null ? code : `${code}: ${detail}`))),
  ],
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

/** The beginning of a formula in a spreadsheet, full-width forms included, or characters that it skips before one. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/**
 * Where a spreadsheet whose list separator is a semicolon or a tab begins a new cell within a cell: it recognises quotes only at the
 * beginning of its own cells.
 */
const INNER_FORMULA = /[;\t\r\n](?=[=+\-@"\uff1d\uff0b\uff0d\uff20])/g;

/** The header line. */
export const CSV_HEAD: string = formatRow(COLUMNS.map(([name]) => name));

/** Formats a record as a line. */
export function formatCsvRow(report: UrlReport): string {
  return formatRow(COLUMNS.map(([, cell]) => cell(report)));
}

function formatRow(cells: readonly Cell[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`;
}

/** Formats a cell (RFC 4180). A spreadsheet shows text after an apostrophe, and does not evaluate it. */
function formatCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = (FORMULA.test(cell) ? `'${cell}` : cell).replace(INNER_FORMULA, "$&'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
