/**
 * The report of a census as one HTML file: the page (packages/web/src/census) and its data. Equal data give equal bytes.
 *
 * @module
 */

import { fileURLToPath } from 'node:url';
import { checkOptions } from '@maycrawl/core/options';
import { formatHtmlEnd, formatHtmlJson, formatHtmlStart, readReportPage } from '../../reports/html-file.ts';
import { CensusError } from '../census-summary.ts';
import { packReport } from './packed-report.ts';
import { type CensusReportData, MAX_EXAMPLES } from './report-data.ts';

/** The built page. */
const PAGE_FOLDER: string = fileURLToPath(new URL('../../../dist/census-page/', import.meta.url));
/** Bytes of the data: with the page, the file is smaller than 10 MB. */
const MAX_DATA_BYTES = 9_000_000;
/** Examples of a number, until the data are small enough. */
const EXAMPLE_LIMITS: readonly number[] = [MAX_EXAMPLES, 10, 5, 2, 1, 0];

/** Options of the file. */
export interface CensusHtmlOptions {
  /** The folder of the built page. */
  readonly pageFolder?: string;
  /** @defaultValue 9,000,000 */
  readonly maxDataBytes?: number;
}

/**
 * Creates the file.
 *
 * @throws {CensusError} if the data are too large even without examples.
 * @throws {Error} if the page was not built.
 */
export async function createCensusHtml(
  data: CensusReportData,
  options: CensusHtmlOptions = {},
): Promise<string> {
  checkOptions<CensusHtmlOptions>('createCensusHtml', options, {
    pageFolder: 'string',
    maxDataBytes: 'number',
  });
  const { pageFolder = PAGE_FOLDER, maxDataBytes = MAX_DATA_BYTES } = options;
  const page = await readReportPage(pageFolder);
  const json = formatData(data, maxDataBytes);
  const title = `${data.title} – maycrawl census`;
  return [formatHtmlStart(page, title), json, formatHtmlEnd(page)].join('');
}

function formatData(data: CensusReportData, maxBytes: number): string {
  for (const limit of EXAMPLE_LIMITS) {
    const text = formatHtmlJson('census', JSON.stringify(packReport(data, limit)));
    if (Buffer.byteLength(text) <= maxBytes) return text;
  }
  const { agents, crawls } = data;
  throw new CensusError(
    `the report of ${agents.length} agents and ${crawls.length} crawls would be larger than 10 MB; report fewer of them`,
  );
}
