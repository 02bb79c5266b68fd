/**
 * The report as one HTML file without requests: it contains the page (packages/web/src/report), its styles and its data.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SegmentPattern } from '../../run/settings.ts';
import type { SqliteRun } from '../../run/sqlite/sqlite-run.ts';
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
export async function* htmlReport(run: SqliteRun, options: HtmlOptions): AsyncGenerator<string> {
  const folder = options.pageFolder ?? PAGE_FOLDER;
  const [script, style] = await Promise.all(
    ['report.js', 'report.css'].map((name) => readFile(`${folder}/${name}`, 'utf8')),
  ).catch((cause: unknown) => {
    throw new Error(`the page of reports was not built into ${folder}`, { cause });
  });
  const inline = escapeScript(script as string);
  const styles = (style as string).replaceAll('</', '<\\/');
  const maxRows = options.maxRows ?? MAX_ROWS;
  yield createHtmlHead(options.name, inline, styles);
  run.rows.orderUrls(maxRows);
  const segments = await getSegments(run, options.segments);
  const rows = await HtmlRows.create(run, segments);
  let piece: PackedRow[] = [];
  for await (const row of rows.all()) {
    piece.push(row);
    if (piece.length < ROWS) continue;
    yield data('rows', piece);
    piece = [];
  }
  if (piece.length > 0) yield data('rows', piece);
  yield* createLinks(rows);
  const head = await createHead(run, options, maxRows, rows);
  for await (const list of createFindingLists(run, head.agents.length, rows)) yield data('findings', list);
  yield data('head', head);
  yield `<script>${inline}</script>\n</body>\n</html>\n`;
}

/** The links of pages, if the report contains them. */
function* createLinks({ links }: HtmlRows): Generator<string> {
  let piece: PackedLinks[] = [];
  for (const page of links.all()) {
    piece.push(page);
    if (piece.length < ROWS) continue;
    yield data('links', piece);
    piece = [];
  }
  if (piece.length > 0) yield data('links', piece);
}

async function createHead(
  run: SqliteRun,
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
    hasTexts: links.texts.values.length > 1,
    hasAllLinks: links.areComplete,
    resources: resources.resources.values,
    resourceLists: resources.lists.values,
    uses: uses.uses.values,
    declared: uses.preferences.values,
  };
}

function createHtmlHead(name: string, script: string, style: string): string {
  const policy = `default-src 'none'; script-src ${hashSource(script)}; style-src ${hashSource(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(name)} – maycrawl audit</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript><p>This report needs JavaScript. The file is self-contained and sends no requests.</p></noscript>
`;
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** A script element with data. The data contain no `<`, so nothing in them can end the element. */
function data(kind: 'rows' | 'findings' | 'links' | 'head', value: unknown): string {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c');
  return `<script type="application/json" data-report="${kind}">${json}</script>\n`;
}

/** Escapes a script for HTML: in its strings, a backslash before `/` and `!` changes nothing. */
function escapeScript(script: string): string {
  return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
