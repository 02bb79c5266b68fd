// Writes reports of logs.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogsHtml } from '../../../../maycrawl/src/logs/report/html-report.ts';
import type { LogSummary } from '../../../../maycrawl/src/logs/summary/log-summary.ts';
import { findBuiltPage } from './built-page.ts';

/** Writes a report. @returns its path. */
export async function writeLogsReport(folder: string, name: string, summary: LogSummary): Promise<string> {
  const path = join(folder, `${name}.html`);
  await writeFile(path, await createLogsHtml(summary, { pageFolder: findBuiltPage('logs-page') }));
  return path;
}

/** Changes every text of a summary that comes from a log, or from a robots.txt. */
export function replaceLogTexts(summary: LogSummary, replace: (text: string) => string): LogSummary {
  const visit = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return FROM_LOGS.has(key) ? replace(value) : value;
    if (Array.isArray(value)) return value.map((each) => visit(each, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visit(each, name)]));
  };
  return visit(summary, '') as LogSummary;
}

/** The keys of such texts. */
const FROM_LOGS = new Set([
  ...['crawler', 'operator', 'url', 'urls', 'rule', 'version', 'network', 'text', 'segment', 'agent'],
]);
