// What reports and classes need of a crawler: its record in the catalogue, and what its operator documents.
import type { CrawlerInput, ResolvedAgent } from '@maycrawl/core';
import {
  CRAWLER_RECORDS,
  type CrawlDelayBehavior,
  type CrawlerPurpose,
  type CrawlerRecord,
  createOperatorFinder,
  DEFAULT_CACHE_PERIOD,
  OPERATOR_RECORDS,
  type OperatorCatalogue,
  type OperatorFinder,
  type RobotsTxtPromise,
  toDocumentedCrawler,
} from '@maycrawl/core/crawlers';

/** A crawler of a log. */
export interface LogCrawler {
  readonly name: string;
  /** `null` if the catalogue does not know it. */
  readonly operator: string | null;
  readonly purposes: readonly CrawlerPurpose[];
  /** Whether it obeys robots.txt, as its operator documents. */
  readonly obeys: 'yes' | 'no' | 'unknown';
  /** In milliseconds. */
  readonly cachePeriod: number;
  /** Whether it obeys crawl-delay, as its operator documents. */
  readonly crawlDelay: CrawlDelayBehavior;
  /** What decisions take. */
  readonly input: CrawlerInput;
}

const OBEYS: Readonly<Record<RobotsTxtPromise, LogCrawler['obeys']>> = {
  obeys: 'yes',
  ignores: 'no',
  unknown: 'unknown',
};

const CATALOGUE: OperatorCatalogue = { operators: OPERATOR_RECORDS, crawlers: CRAWLER_RECORDS };

/** Describes crawlers by their names. */
export class LogCrawlers {
  readonly #resolve: (name: string) => ResolvedAgent;
  /** By name in lower case. */
  readonly #records: ReadonlyMap<string, CrawlerRecord>;
  readonly #findOperator: OperatorFinder;

  /** @param resolve - resolves names as those of requests. @param catalogue - @defaultValue that of the library */
  constructor(resolve: (name: string) => ResolvedAgent, catalogue: OperatorCatalogue = CATALOGUE) {
    this.#resolve = resolve;
    this.#records = new Map(
      catalogue.crawlers.map((record) => [toDocumentedCrawler(record).name.toLowerCase(), record] as const),
    );
    this.#findOperator = createOperatorFinder(catalogue);
  }

  /** Whether the catalogue knows a crawler. */
  has(name: string): boolean {
    return this.#records.has(name.toLowerCase());
  }

  /** Describes a crawler. @throws {RangeError} if no user-agent line can name it. */
  describe(name: string): LogCrawler {
    const { crawler } = this.#resolve(name);
    const found = this.#findOperator(name);
    const { operator = null, cachePeriod = DEFAULT_CACHE_PERIOD } = found ?? {};
    const isExempt = 'obeys' in crawler && crawler.obeys === 'nothing';
    return {
      ...{ name, operator, cachePeriod, input: crawler },
      purposes: this.#records.get(name.toLowerCase())?.purposes ?? [],
      obeys: isExempt ? 'no' : OBEYS[found?.robotsTxt ?? 'unknown'],
      crawlDelay: found?.crawlDelay ?? 'unknown',
    };
  }
}
