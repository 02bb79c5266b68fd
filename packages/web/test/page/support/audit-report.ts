/**
 * Builds the page of the report of an audit, and writes reports with it.
 *
 * @module
 */
import { join } from 'node:path';
import { writeReports } from '../../../../maycrawl/src/audit/report/write-report.ts';
import type { RunStore } from '../../../../maycrawl/src/audit/run/run-store.ts';
import { makeRun, type Site } from '../../../../maycrawl/test/support/audit-runs.ts';
import { type BuiltReport, buildPage } from './build-page.ts';

/** Builds the page. A report is that of an audit of a site, or of a run, which is closed. */
export async function buildReportPage(): Promise<BuiltReport<Site | RunStore>> {
  const { folder, remove } = await buildPage('report');
  return {
    folder,
    remove,
    write: async (name, source) => {
      const run = 'start' in source ? await makeRun(join(folder, `${name}.sqlite`), source) : source;
      const path = join(folder, `${name}.html`);
      await writeReports(run, { html: path }, { name, pageFolder: folder });
      await run.close();
      return path;
    },
  };
}
