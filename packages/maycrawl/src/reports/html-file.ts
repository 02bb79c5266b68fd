// Reports as one HTML file without requests: it contains a page that packages/web builds, the styles of the page, and data. Its
// Content-Security-Policy allows nothing else.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type ReportItem, writeReportData } from './report-data.ts';

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

/**
 * Writes the file in pieces.
 *
 * @param title - any text.
 * @param items - the data.
 */
export async function* writeHtmlFile<Sections>(
  page: ReportPage,
  title: string,
  items: AsyncIterable<ReportItem<Sections>> | Iterable<ReportItem<Sections>>,
): AsyncGenerator<string> {
  yield formatStart(page, title);
  // Base64 has no `<`, so nothing in the data can end the element.
  yield '<script type="application/gzip" id="data">\n';
  yield* writeReportData(items);
  yield `</script>\n<script>${page.script}</script>\n</body>\n</html>\n`;
}

function formatStart({ script, style }: ReportPage, title: string): string {
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
