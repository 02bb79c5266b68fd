// Filters, sorts and groups crawlers.
import { CRAWLER_PURPOSES, PURPOSE_MEANINGS } from '@maycrawl/core/crawlers';
import type { ReportCrawler } from 'maycrawl/api';
import type { Sorting } from '../../shared/table/sort-button.tsx';
import { capitalize } from '../../shared/text.ts';

export const COLUMNS = ['crawler', 'requests', 'bytes', 'spoofed', 'violations', 'fetches'] as const;
export type CrawlerColumn = (typeof COLUMNS)[number];

/** Returns the crawlers whose name or operator contains all words of a text, regardless of case. */
export function filterCrawlers(crawlers: readonly ReportCrawler[], text: string): readonly ReportCrawler[] {
  const words = text.toLowerCase().trim().split(/\s+/);
  return crawlers.filter(({ crawler, operator }) => {
    const searched = `${crawler} ${operator ?? ''}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

const KEYS: Readonly<Record<Exclude<CrawlerColumn, 'crawler'>, (crawler: ReportCrawler) => number>> = {
  requests: ({ requests }) => requests,
  bytes: ({ bytes }) => bytes,
  spoofed: ({ identity }) => identity.spoofed,
  violations: ({ classes }) => classes.violation,
  fetches: ({ robotsTxt }) => robotsTxt.fetches,
};

/** Sorts crawlers. Equal ones keep their order. */
export function sortCrawlers(
  crawlers: readonly ReportCrawler[],
  { column, descending }: Sorting<CrawlerColumn>,
): ReportCrawler[] {
  const sign = descending ? -1 : 1;
  if (column !== 'crawler') return [...crawlers].sort((a, b) => sign * (KEYS[column](a) - KEYS[column](b)));
  const names = new Map(crawlers.map((each) => [each, each.crawler.toLowerCase()]));
  return [...crawlers].sort((a, b) => {
    const [one = '', other = ''] = [names.get(a), names.get(b)];
    return one === other ? 0 : one < other ? -sign : sign;
  });
}

/** Crawlers with the same main purpose. */
export interface PurposeGroup {
  /** The purpose; empty for crawlers without a documented one. */
  readonly purpose: string;
  readonly title: string;
  readonly crawlers: readonly ReportCrawler[];
}

/** Groups crawlers by their main purposes, in the order of lists of crawlers. The order in a group is that of the crawlers. */
export function groupCrawlers(crawlers: readonly ReportCrawler[]): PurposeGroup[] {
  const groups = new Map<string, ReportCrawler[]>([...CRAWLER_PURPOSES, ''].map((purpose) => [purpose, []]));
  for (const crawler of crawlers) (groups.get(crawler.purposes[0] ?? '') ?? groups.get(''))?.push(crawler);
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([purpose, members]) => ({ purpose, title: getPurposeTitle(purpose), crawlers: members }));
}

function getPurposeTitle(purpose: string): string {
  const known = CRAWLER_PURPOSES.find((each) => each === purpose);
  return known === undefined ? 'No documented purpose' : capitalize(PURPOSE_MEANINGS[known]);
}
