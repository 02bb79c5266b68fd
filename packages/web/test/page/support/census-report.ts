/**
 * Builds the page of the report of a census, and writes reports with it.
 *
 * @module
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CensusReportData } from 'maycrawl/api';
import { build } from 'vite';
import { createCensusHtml } from '../../../../maycrawl/src/census/report/html-report.ts';

/** Builds the page. */
export async function buildCensusPage(): Promise<{
  /** Writes a report. @returns its path. */
  readonly write: (name: string, data: CensusReportData) => Promise<string>;
  readonly remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'maycrawl-census-report-'));
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const pageFolder = join(folder, 'page');
  await build({
    root,
    configFile: join(root, 'vite.report.config.ts'),
    mode: 'census',
    logLevel: 'warn',
    build: { outDir: pageFolder },
  });
  return {
    write: async (name, data) => {
      const path = join(folder, `${name}.html`);
      await writeFile(path, await createCensusHtml(data, { pageFolder }));
      return path;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Changes every text of data that comes from outside. */
export function replaceTexts(
  data: CensusReportData,
  replace: (text: string, key: string) => string,
): CensusReportData {
  const visit = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return OUTSIDE.has(key) ? replace(value, key) : value;
    if (Array.isArray(value)) return value.map((each) => visit(each, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visit(each, name)]));
  };
  return visit(data, '') as CensusReportData;
}

/** The keys of such texts. */
const OUTSIDE = new Set([
  'host',
  'path',
  'note',
  'title',
  'file',
  'format',
  'purpose',
  'generator',
  'methods',
  'text',
]);
