/**
 * `@maycrawl/core/crawlers`: what is documented about crawlers, with sources: operator, kind, purposes, and whether they obey robots.txt.
 *
 * @example
 * selectCrawlers(CRAWLER_RECORDS, { purposes: ['ai-train'] }).map(({ token }) => token); // GPTBot, ...
 * @module
 */
import { freezeDeep } from './bytes/freeze.ts';
import data from './crawlers/crawlers.json' with { type: 'json' };
import type { OperatorRecord } from './crawlers/operator-record.ts';
import operatorData from './crawlers/operators.json' with { type: 'json' };
import { type CrawlerOperator, createOperatorFinder, type OperatorFinder } from './crawlers/operators.ts';
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
export {
  type CrawlDelayBehavior,
  type DnsMethod,
  type OperatorOutagePhase,
  type OperatorRecord,
  RANGE_FORMATS,
  type RangeFormat,
  type RangeMethod,
  type RobotsTxtPromise,
  type SignatureMethod,
  type VerificationMethod,
} from './crawlers/operator-record.ts';
export {
  type CrawlerOperator,
  createOperatorFinder,
  DEFAULT_CACHE_PERIOD,
  type OperatorCatalogue,
  type OperatorFinder,
} from './crawlers/operators.ts';
export { parseCrawlerRecords, parseOperatorRecords } from './crawlers/parse-records.ts';
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

/** What is documented about operators, sorted by name. `operators.json` is the only copy. */
export const OPERATOR_RECORDS: readonly OperatorRecord[] = /* @__PURE__ */ freezeDeep(
  operatorData.operators as unknown as readonly OperatorRecord[],
);

let findInCatalogue: OperatorFinder | undefined;

/**
 * Finds what is documented about the operator of a crawler: verification, cache period, outages, `Crawl-delay`.
 *
 * @param crawler - a name or token of the catalogue, regardless of case, such as `resolveAgent` returns it.
 * @returns `undefined` if the catalogue does not have the crawler.
 * @example
 * findOperator('GPTBot')?.verification; // [{ ranges: 'https://openai.com/gptbot.json', format: 'json' }]
 */
export function findOperator(crawler: string): CrawlerOperator | undefined {
  findInCatalogue ??= createOperatorFinder({ operators: OPERATOR_RECORDS, crawlers: CRAWLER_RECORDS });
  return findInCatalogue(crawler);
}
