/**
 * The report as one HTML file that asks for nothing: the page (packages/web/src/report), its style and the data are in it.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SqliteRun } from '../../run/sqlite-run.ts';
import { describeEnd, summarise } from '../summary.ts';
import { HtmlRows } from './html-rows.ts';

/** The built page. */
const PAGE_FOLDER: string = fileURLToPath(new URL('../../../../dist/report-page/', import.meta.url));
/** More URLs than these make a browser slow. */
const MAX_ROWS = 200_000;
/** Sites and sitemaps that are listed. */
const MAX_LISTED = 1_000;
/** Rows of one piece of data. */
const ROWS = 2_000;

/** What can be chosen about the report. */
export interface HtmlOptions {
  /** Of the run, for the title. */
  readonly name: string;
  /** Where the built page is. */
  readonly pageFolder?: string;
  /** URLs that are in it at most. */
  readonly maxRows?: number;
}

/**
 * The report, piece by piece: memory does not hold all of it.
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
  const inline = inScript(script as string);
  const styles = (style as string).replaceAll('</', '<\\/');
  const maxRows = options.maxRows ?? MAX_ROWS;
  yield headOf(options.name, inline, styles);
  run.rows.orderUrls(maxRows);
  const rows = await HtmlRows.of(run);
  let piece: unknown[] = [];
  for await (const row of rows.all()) {
    piece.push(row);
    if (piece.length < ROWS) continue;
    yield data('rows', piece);
    piece = [];
  }
  if (piece.length > 0) yield data('rows', piece);
  yield data('head', await about(run, options.name, maxRows, rows));
  yield `<script>${inline}</script>\n</body>\n</html>\n`;
}

async function about(run: SqliteRun, name: string, maxRows: number, rows: HtmlRows): Promise<object> {
  const summary = await summarise(run);
  const { verdicts, crawls, noindexes, types, alternates, alternatesLeftOut } = rows;
  const { robots, sitemaps } = summary;
  return {
    name,
    ...summary,
    ending: describeEnd(summary.end, summary.counts),
    robots: robots.slice(0, MAX_LISTED),
    sitemaps: sitemaps.slice(0, MAX_LISTED),
    leftOut: {
      urls: Math.max(0, summary.total - maxRows),
      robots: Math.max(0, robots.length - MAX_LISTED),
      sitemaps: Math.max(0, sitemaps.length - MAX_LISTED),
      alternates: alternatesLeftOut,
    },
    ...{ verdicts: verdicts.values, crawls: crawls.values, noindexes: noindexes.values },
    ...{ types: types.values, alternates },
  };
}

function headOf(name: string, script: string, style: string): string {
  const policy = `default-src 'none'; script-src ${hashOf(script)}; style-src ${hashOf(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(name)} – maycrawl audit</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript><p>The report is a table of URLs that is drawn by JavaScript, in this file; it asks for nothing.</p></noscript>
`;
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Data of a kind, for the script. Nothing in it can end the element: there is no `<` in it. */
function data(kind: 'rows' | 'head', value: unknown): string {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c');
  return `<script type="application/json" data-report="${kind}">${json}</script>\n`;
}

/** A script of our own as it can stand in HTML: in its strings a backslash before `/` and `!` changes nothing. */
function inScript(script: string): string {
  return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
