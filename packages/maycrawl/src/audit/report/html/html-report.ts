// The report as one HTML file without requests: it contains the page (packages/web/src/report), its styles and its data.
import { fileURLToPath } from 'node:url';
import { timeSlices } from '@maycrawl/client/internal';
import { readReportPage, writeHtmlFile } from '../../../reports/html-file.ts';
import { type Columns, type ReportItem, toColumns } from '../../../reports/report-data.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { SegmentPattern } from '../../run/settings.ts';
import { getSegments } from '../../segments/segments.ts';
import { describeEnd, summarizeRun } from '../summary.ts';
import { createFindingLists } from './html-findings.ts';
import { HtmlRows } from './html-rows.ts';
import type { AuditSections, ReportHead } from './report-data.ts';

/** The built page. */
const PAGE_FOLDER: string = fileURLToPath(new URL('../../../../dist/report-page/', import.meta.url));
/** Rows of the report: more of them make a browser slow. */
const MAX_ROWS = 200_000;
/** Sites and sitemaps in the report. */
const MAX_LISTED = 1_000;
const MAX_ITEM_ROWS = 1_000;

/** Options of the report. */
export interface HtmlOptions {
  /** The name of the run, for the title. */
  readonly name: string;
  /** Segments instead of those in the settings of the run. */
  readonly segments?: readonly SegmentPattern[] | undefined;
  /** The folder of the built page. */
  readonly pageFolder?: string;
  /** @defaultValue 200,000 */
  readonly maxRows?: number;
}

/**
 * Creates the report in pieces, so that its size does not matter for memory.
 *
 * @throws {Error} if the page was not built.
 */
export async function* htmlReport(run: RunStore, options: HtmlOptions): AsyncGenerator<string> {
  const page = await readReportPage(options.pageFolder ?? PAGE_FOLDER);
  yield* writeHtmlFile(page, `${options.name} – maycrawl audit`, createItems(run, options));
}

async function* createItems(run: RunStore, options: HtmlOptions): AsyncGenerator<ReportItem<AuditSections>> {
  const maxRows = options.maxRows ?? MAX_ROWS;
  run.rows.orderUrls(maxRows);
  const segments = getSegments(run, options.segments);
  const rows = new HtmlRows(run, segments);
  for await (const columns of createColumns(rows.all())) yield ['rows', columns];
  for await (const columns of createColumns(rows.links.all())) yield ['links', columns];
  const head = createHead(run, options, maxRows, rows);
  for (const list of createFindingLists(run, head.agents.length, rows)) yield ['findings', list];
  for (const value of rows.values.values) yield ['values', value];
  yield ['head', head];
}

/** Splits rows into lists, as columns. */
async function* createColumns<Row extends object>(
  rows: AsyncIterable<Row> | Iterable<Row>,
): AsyncGenerator<Columns<Row>> {
  let list: Row[] = [];
  for await (const row of rows) {
    if (timeSlices.isUsedUp()) await timeSlices.giveWay();
    list.push(row);
    if (list.length < MAX_ITEM_ROWS) continue;
    yield toColumns(list);
    list = [];
  }
  if (list.length > 0) yield toColumns(list);
}

function createHead(
  run: RunStore,
  { name, segments }: HtmlOptions,
  maxRows: number,
  rows: HtmlRows,
): ReportHead {
  const summary = summarizeRun(run, segments);
  const { robots, sitemaps } = summary;
  return {
    name,
    ...summary,
    ending: describeEnd(summary.end, summary.counts),
    robots: robots.slice(0, MAX_LISTED),
    sitemaps: sitemaps.slice(0, MAX_LISTED),
    omitted: {
      urls: Math.max(0, summary.total - maxRows),
      robots: Math.max(0, robots.length - MAX_LISTED),
      sitemaps: Math.max(0, sitemaps.length - MAX_LISTED),
    },
    hasAllLinks: rows.links.areComplete,
  };
}
