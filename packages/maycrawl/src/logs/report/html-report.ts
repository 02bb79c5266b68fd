// The report of logs as one HTML file: the page (packages/web/src/logs) and its data. Equal summaries give equal bytes.
import { fileURLToPath } from 'node:url';
import { checkOptions } from '@maycrawl/core/internal';
import { readReportPage, writeHtmlFile } from '../../reports/html-file.ts';
import type { ReportItem } from '../../reports/report-data.ts';
import { formatFirst } from '../../text/first-names.ts';
import type { LogSummary } from '../summary/log-summary.ts';
import { HTML_LIMITS, limitSummary } from './html-limits.ts';
import type { LogSections } from './report-data.ts';

/** The built page. */
const PAGE_FOLDER: string = fileURLToPath(new URL('../../../dist/logs-page/', import.meta.url));
const MAX_BYTES = 10_000_000;
/** Characters of the data as JSON: more of them take a browser longer than two seconds. */
const MAX_JSON_LENGTH = 30_000_000;
/** Sites that a title names. */
const MAX_NAMED = 3;

/** Options of the file. */
export interface LogsHtmlOptions {
  /** The folder of the built page. */
  readonly pageFolder?: string;
  /** The size from which on the file has shorter lists, in bytes. @defaultValue 10,000,000 */
  readonly maxBytes?: number;
}

/**
 * Creates the file. Lists are shorter if it would be too large; counts are always exact.
 *
 * @throws {Error} if the page was not built.
 */
export async function createLogsHtml(summary: LogSummary, options: LogsHtmlOptions = {}): Promise<string> {
  checkOptions<LogsHtmlOptions>('createLogsHtml', options, { pageFolder: 'string', maxBytes: 'number' });
  const { pageFolder = PAGE_FOLDER, maxBytes = MAX_BYTES } = options;
  const page = await readReportPage(pageFolder);
  let html = '';
  for (const limits of HTML_LIMITS) {
    const items = limitSummary(summary, limits);
    if (limits !== HTML_LIMITS.at(-1) && isTooLong(items)) continue;
    const pieces: string[] = [];
    for await (const piece of writeHtmlFile<LogSections>(page, createTitle(summary), items))
      pieces.push(piece);
    html = pieces.join('');
    if (Buffer.byteLength(html) <= maxBytes) break;
  }
  return html;
}

function isTooLong(items: readonly ReportItem<LogSections>[]): boolean {
  let length = 0;
  for (const item of items) {
    length += JSON.stringify(item).length;
    if (length > MAX_JSON_LENGTH) return true;
  }
  return false;
}

function createTitle({ sites }: LogSummary): string {
  const names = sites.slice(0, MAX_NAMED).map((origin) => new URL(origin).host);
  return `${formatFirst(names, MAX_NAMED, sites.length)} – maycrawl logs`;
}
