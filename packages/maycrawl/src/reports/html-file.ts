/**
 * Reports as one HTML file without requests: it contains a page that packages/web builds, the styles of the page, and data. Its
 * Content-Security-Policy allows nothing else.
 *
 * @module
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** A page that was built for reports: one script and one style, as they are in the file. */
export interface ReportPage {
  readonly script: string;
  readonly style: string;
}

/** Reads a built page. @throws {Error} if it was not built into the folder. */
export async function readReportPage(folder: string): Promise<ReportPage> {
  const [script, style] = await Promise.all(
    ['report.js', 'report.css'].map((name) => readFile(`${folder}/${name}`, 'utf8')),
  ).catch((cause: unknown) => {
    throw new Error(`the page of reports was not built into ${folder}`, { cause });
  });
  return { script: escapeScript(script as string), style: (style as string).replaceAll('</', '<\\/') };
}

/** The file up to its data. @param title - any text. */
export function formatHtmlStart({ script, style }: ReportPage, title: string): string {
  const policy = `default-src 'none'; script-src ${hashSource(script)}; style-src ${hashSource(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript><p>This report needs JavaScript. The file is self-contained and sends no requests.</p></noscript>
`;
}

/** A script element with data, which the page finds by its kind. The data contain no `<`, so nothing in them can end the element. */
export function formatHtmlData(kind: string, value: unknown): string {
  return formatHtmlJson(kind, JSON.stringify(value));
}

/** The same for JSON text. */
export function formatHtmlJson(kind: string, json: string): string {
  return `<script type="application/json" data-report="${kind}">${json.replaceAll('<', '\\u003c')}</script>\n`;
}

/** The file after its data: the script reads them. */
export function formatHtmlEnd({ script }: ReportPage): string {
  return `<script>${script}</script>\n</body>\n</html>\n`;
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Escapes a script for HTML: in its strings, a backslash before `/` and `!` changes nothing. */
function escapeScript(script: string): string {
  return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
