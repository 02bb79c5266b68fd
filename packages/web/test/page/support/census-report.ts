// Writes reports of censuses.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CensusReportData } from 'maycrawl/api';
import { createCensusHtml } from '../../../../maycrawl/src/census/report/html-report.ts';
import { findBuiltPage } from './built-page.ts';

/** Writes a report. @returns its path. */
export async function writeCensusReport(
  folder: string,
  name: string,
  data: CensusReportData,
): Promise<string> {
  const path = join(folder, `${name}.html`);
  await writeFile(path, await createCensusHtml(data, { pageFolder: findBuiltPage('census-page') }));
  return path;
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
