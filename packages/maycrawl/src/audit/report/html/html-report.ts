/**
 * The report as one HTML file without requests: it contains the page (packages/web/src/report), its styles and its data.
 *
 * @module
 */
import { fileURLToPath } from 'node:url';
import {
  formatHtmlData,
  formatHtmlEnd,
  formatHtmlStart,
  readReportPage,
} from '../../../reports/html-file.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { SegmentPattern } from '../../run/settings.ts';
import { getSegments } from '../../segments/segments.ts';
import { describeEnd, summarizeRun } from '../summary.ts';
import { createFindingLists } from './html-findings.ts';
import { HtmlRows } from './html-rows.ts';
import type { PackedLinks, PackedRow, ReportHead } from './report-data.ts';

/** The built page. */
const PAGE_FOLDER: string = fileURLToPath(new URL('../../../../dist/report-page/', import.meta.url));
/** Rows of the report: more of them make a browser slow. */
const MAX_ROWS = 200_000;
/** Sites and sitemaps in the report. */
const MAX_LISTED = 1_000;
/** Rows of one script element. */
const ROWS = 2_000;

/** Options of the report. */
export interface HtmlOptions {
  /** The name of the run, for the title. */
  readonly name: string;
  /** Segments instead of those in the settings of the run. */
  readonly segments?: readonly SegmentPattern[];
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
  const maxRows = options.maxRows ?? MAX_ROWS;
  yield formatHtmlStart(page, `${options.name} – maycrawl audit`);
  run.rows.orderUrls(maxRows);
  const segments = await getSegments(run, options.segments);
  const rows = await HtmlRows.create(run, segments);
  let piece: PackedRow[] = [];
  for await (const row of rows.all()) {
    piece.push(row);
    if (piece.length < ROWS) continue;
    yield formatHtmlData('rows', piece);
    piece = [];
  }
  if (piece.length > 0) yield formatHtmlData('rows', piece);
  yield* createLinks(rows);
  const head = await createHead(run, options, maxRows, rows);
  for await (const list of createFindingLists(run, head.agents.length, rows))
    yield formatHtmlData('findings', list);
  yield formatHtmlData('head', head);
  yield formatHtmlEnd(page);
}

/** The links of pages, if the report contains them. */
function* createLinks({ links }: HtmlRows): Generator<string> {
  let piece: PackedLinks[] = [];
  for (const page of links.all()) {
    piece.push(page);
    if (piece.length < ROWS) continue;
    yield formatHtmlData('links', piece);
    piece = [];
  }
  if (piece.length > 0) yield formatHtmlData('links', piece);
}

async function createHead(
  run: RunStore,
  { name, segments }: HtmlOptions,
  maxRows: number,
  rows: HtmlRows,
): Promise<ReportHead> {
  const summary = await summarizeRun(run, segments);
  const { verdicts, decisions, noindexes, types, links, resources, uses } = rows;
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
    verdicts: verdicts.values,
    decisions: decisions.values,
    noindexes: noindexes.values,
    types: types.values,
    segmentNames: rows.segmentNames,
    texts: links.texts.values,
    hasAllLinks: links.areComplete,
    resources: resources.resources.values,
    resourceLists: resources.lists.values,
    uses: uses.uses.values,
    declared: uses.preferences.values,
  };
}
