// Writes reports of audits.
import { join } from 'node:path';
import { writeReports } from '../../../../maycrawl/src/audit/report/write-report.ts';
import type { RunStore } from '../../../../maycrawl/src/audit/run/run-store.ts';
import { makeRun, type Site } from '../../../../maycrawl/test/support/audit-runs.ts';
import { findBuiltPage } from './built-page.ts';

/** Writes the report of an audit of a site, or of a run, which is closed. @returns its path. */
export async function writeAuditReport(
  folder: string,
  name: string,
  source: Site | RunStore,
): Promise<string> {
  const run = 'start' in source ? await makeRun(join(folder, `${name}.sqlite`), source) : source;
  const path = join(folder, `${name}.html`);
  await writeReports(run, { html: path }, { name, pageFolder: findBuiltPage('report-page') });
  await run.close();
  return path;
}
