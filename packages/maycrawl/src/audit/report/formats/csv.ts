// The records of a run as CSV.
import { MAIN_PURPOSES } from '@maycrawl/core/preferences';
import { describeSource } from '../../findings/link-sources.ts';
import type { UrlReport } from '../url-report.ts';
import { type CsvCell, formatCsvHead, formatCsvLine } from './csv-line.ts';

const lines = (texts: readonly string[] | undefined): string | null =>
  texts === undefined || texts.length === 0 ? null : texts.join('\n');

/** Columns and their values, of workbooks too. Several values of a cell are lines. */
export const RECORD_COLUMNS: readonly (readonly [name: string, cell: (report: UrlReport) => CsvCell])[] = [
  ['url', ({ url }) => url],
  ['agent', ({ agent }) => agent],
  ['state', ({ state }) => state],
  ['indexable', ({ indexable }) => indexable],
  ['reason', ({ reason }) => reason],
  ['reasons', ({ reasons }) => reasons.join(' ')],
  ['masked_reasons', ({ maskedReasons }) => maskedReasons.join(' ')],
  ['allowed', ({ crawl }) => crawl?.allowed ?? null],
  ['crawl_reason', ({ crawl }) => crawl?.reason ?? null],
  ['line', ({ crawl }) => (crawl === null || crawl.line === 0 ? null : crawl.line)],
  ['rule', ({ crawl }) => crawl?.rule ?? null],
  ['status', ({ status }) => status],
  ['redirects', ({ redirects }) => lines(redirects?.map(({ status, to }) => `${status} ${to ?? '?'}`))],
  ['noindex', ({ noindex }) => lines(noindex?.map(({ from, text }) => `${from}: ${text}`))],
  ['canonical', ({ canonical }) => canonical?.kind ?? null],
  ['canonical_urls', ({ canonical }) => lines(canonical?.urls)],
  [
    'canonical_ignored',
    ({ canonical }) => lines(canonical?.ignored.map(({ href, reason }) => `${reason}: ${href}`)),
  ],
  [
    'findings',
    ({ findings }) =>
      lines(findings.map(({ code, detail }) => (detail === null ? code : `${code}: ${detail}`))),
  ],
  [
    'broken_links',
    ({ findings }) => lines(findings.flatMap(({ links }) => links?.pages.map(describeSource) ?? [])),
  ],
  ['sitemaps', ({ sitemaps }) => lines(sitemaps)],
  ['links', ({ links }) => links],
  ['found', ({ found }) => lines(found.map(({ by, url }) => (url === null ? by : `${by} ${url}`)))],
  ['depth', ({ depth }) => depth],
  ['title', ({ title }) => title],
  ['type', ({ type }) => type],
  ['digest', ({ digest }) => digest],
  ['bytes', ({ bytes }) => bytes],
  ['milliseconds', ({ milliseconds }) => milliseconds],
  ['failure', ({ failure }) => formatFailure(failure)],
  ['state_reason', ({ stateReason }) => stateReason],
  ['rendered_title', ({ rendering }) => rendering?.after?.title ?? null],
  ['rendered_noindex', ({ rendering }) => lines(rendering?.after?.noindex)],
  ['rendered_canonical', ({ rendering }) => lines(rendering?.after?.canonical.urls)],
  ['rendered_links', ({ rendering }) => rendering?.added?.count ?? null],
  ['rendered_failure', ({ rendering }) => formatFailure(rendering?.failure ?? null)],
  ...MAIN_PURPOSES.map(
    (purpose) =>
      [
        `use_${purpose.replace('-', '_')}`,
        ({ preferences }: UrlReport) => preferences?.purposes[purpose]?.value ?? null,
      ] as const,
  ),
  ['use_statements', ({ preferences }) => lines(listStatements(preferences))],
];

/** Lists the deciding statement of each purpose, and the licences. */
function listStatements(preferences: UrlReport['preferences']): string[] {
  const { purposes = {}, licenses = [] } = preferences ?? {};
  return [
    ...Object.entries(purposes).flatMap(([purpose, { value, statement }]) =>
      statement === null ? [] : [`${purpose} ${value}: ${statement}`],
    ),
    ...licenses.map((url) => `licence: ${url}`),
  ];
}

function formatFailure(failure: UrlReport['failure']): string | null {
  return failure && `${failure.code}: ${failure.detail}`;
}

/** The header line. */
export const CSV_HEAD: string = formatCsvHead(RECORD_COLUMNS.map(([name]) => name));

export function formatCsvRow(report: UrlReport): string {
  return formatCsvLine(RECORD_COLUMNS.map(([, cell]) => cell(report)));
}
