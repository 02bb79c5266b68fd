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
