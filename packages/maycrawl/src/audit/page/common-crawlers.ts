// The crawlers that a page is checked for if the caller names none.

import { type CrawlerSpec, resolveAgent } from '@maycrawl/core';
import { freezeDeep } from '@maycrawl/core/internal';

/** A crawler with its name in reports. */
export interface NamedCrawler {
  readonly name: string;
  readonly crawler: CrawlerSpec;
}

/** Crawlers of search engines, which index pages. */
const SEARCH: readonly string[] = [
  ...['Googlebot', 'Googlebot Image', 'Googlebot News', 'bingbot', 'YandexBot', 'Baiduspider', 'DuckDuckBot'],
  ...['Applebot'],
];

/** Crawlers of advertising and of AI services. */
const OTHERS: readonly string[] = [
  ...['AdsBot-Google', 'GPTBot', 'OAI-SearchBot', 'ClaudeBot', 'Claude-SearchBot', 'PerplexityBot', 'CCBot'],
  ...['meta-externalagent', 'Amazonbot', 'Bytespider'],
];

/** The common crawlers, those of search engines first. */
export const COMMON_CRAWLERS: readonly NamedCrawler[] = /* @__PURE__ */ freezeDeep(
  [...SEARCH, ...OTHERS].map(resolveAgent),
);

/**
 * Whether a crawler obeys the groups for `*`. Other crawlers ignore these groups, so their verdicts do not show what a site
 * allows.
 */
export function obeysGlobalGroups(crawler: CrawlerSpec): boolean {
  return !('obeys' in crawler) || crawler.obeys === 'rules';
}
