// The report of a census as one HTML file: the page (packages/web/src/census) and its data. Equal data give equal bytes.

import { fileURLToPath } from 'node:url';
import { checkOptions } from '@maycrawl/core/internal';
import { readReportPage, writeHtmlFile } from '../../reports/html-file.ts';
import { CensusError } from '../census-summary.ts';
import type { CensusReportData, CensusSections } from './report-data.ts';
import { MAX_EXAMPLES } from './site-count.ts';

/** The built page. */
const PAGE_FOLDER: string = fileURLToPath(new URL('../../../dist/census-page/', import.meta.url));
const MAX_BYTES = 10_000_000;
/** Characters of the data as JSON: more of them take a browser longer than two seconds. */
const MAX_JSON_LENGTH = 40_000_000;
/** Examples of a number, until the file is small enough. */
const EXAMPLE_LIMITS: readonly number[] = [MAX_EXAMPLES, 10, 5, 2, 1, 0];

/** Options of the file. */
export interface CensusHtmlOptions {
  /** The folder of the built page. */
  readonly pageFolder?: string;
  /** Size limit of the file. @defaultValue 10,000,000 */
  readonly maxBytes?: number;
}

/**
 * Creates the file.
 *
 * @throws {CensusError} if the file is too large even without examples.
 * @throws {Error} if the page was not built.
 */
export async function createCensusHtml(
  data: CensusReportData,
  options: CensusHtmlOptions = {},
): Promise<string> {
  checkOptions<CensusHtmlOptions>('createCensusHtml', options, {
    pageFolder: 'string',
    maxBytes: 'number',
  });
  const { pageFolder = PAGE_FOLDER, maxBytes = MAX_BYTES } = options;
  const page = await readReportPage(pageFolder);
  const title = `${data.title} – maycrawl census`;
  for (const maxExamples of EXAMPLE_LIMITS) {
    const json = JSON.stringify(data, (key, value) =>
      key === 'examples' ? value.slice(0, maxExamples) : value,
    );
    if (json.length > MAX_JSON_LENGTH) continue;
    const report = { data: JSON.parse(json) as CensusReportData, maxExamples };
    const pieces: string[] = [];
    for await (const piece of writeHtmlFile<CensusSections>(page, title, [['census', report]]))
      pieces.push(piece);
    const html = pieces.join('');
    if (Buffer.byteLength(html) <= maxBytes) return html;
  }
  const { agents, crawls } = data;
  throw new CensusError(
    `the report of ${agents.length} agents and ${crawls.length} crawls would be larger than 10 MB; report fewer of them`,
  );
}
