/**
 * `@maycrawl/core/crawlers`: what is documented about crawlers, with sources: operator, kind, purposes, and whether they obey robots.txt.
 *
 * @example
 * selectCrawlers(CRAWLER_RECORDS, { purposes: ['ai-train'] }).map(({ token }) => token); // GPTBot, ...
 * @module
 */
import { freezeDeep } from './bytes/freeze.ts';
import data from './crawlers/crawlers.json' with { type: 'json' };
import type { CrawlerRecord } from './crawlers/record.ts';

export {
  addCrawlers,
  type CrawlerFilter,
  type DocumentedCrawler,
  groupByPurpose,
  selectCrawlers,
  toDocumentedCrawler,
  toPolicyToken,
} from './crawlers/entries.ts';
export { parseCrawlerRecords } from './crawlers/parse-records.ts';
export {
  CRAWLER_KINDS,
  CRAWLER_PURPOSES,
  type CrawlerKind,
  type CrawlerPurpose,
  type CrawlerRecord,
  type CrawlerSource,
  PURPOSE_MEANINGS,
  type RobotsTxtBehavior,
} from './crawlers/record.ts';

/** All records, sorted by token. `crawlers.json` is their only copy. */
export const CRAWLER_RECORDS: readonly CrawlerRecord[] = /* @__PURE__ */ freezeDeep(
  data.crawlers as unknown as readonly CrawlerRecord[],
);
