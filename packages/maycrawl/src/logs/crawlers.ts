// What reports and classes need of a crawler: its record in the catalogue, and the habits of its operator.
import type { CrawlerInput, ResolvedAgent } from '@maycrawl/core';
import {
  CRAWLER_RECORDS,
  type CrawlerPurpose,
  type CrawlerRecord,
  toDocumentedCrawler,
} from '@maycrawl/core/crawlers';

/** The time for which a crawler caches a robots.txt if its operator says nothing: 24 hours (RFC 9309 section 2.4), in milliseconds. */
export const DEFAULT_CACHE_PERIOD = 86_400_000;

/** A crawler of a log. */
export interface LogCrawler {
  readonly name: string;
  /** `null` if the catalogue does not know it. */
  readonly operator: string | null;
  readonly purposes: readonly CrawlerPurpose[];
  /** What is documented about robots.txt. */
  readonly obeys: 'yes' | 'no' | 'unknown';
  /** Whether its operator documents that it ignores robots.txt. */
  readonly isExempt: boolean;
  /** In milliseconds. */
  readonly cachePeriod: number;
  /** Whether its operator documents that it obeys crawl-delay. */
  readonly obeysDelay: boolean;
  /** What decisions take. */
  readonly input: CrawlerInput;
}

const OBEYS: Readonly<Record<CrawlerRecord['robotsTxt'], LogCrawler['obeys']>> = {
  obeys: 'yes',
  'own-group-only': 'yes',
  'may-ignore': 'unknown',
  ignores: 'no',
  undocumented: 'unknown',
};

/** Describes crawlers by their names. */
export class LogCrawlers {
  readonly #resolve: (name: string) => ResolvedAgent;
  /** By name in lower case. */
  readonly #records: ReadonlyMap<string, CrawlerRecord>;

  /** @param resolve - resolves names as those of requests. */
  constructor(resolve: (name: string) => ResolvedAgent, records: readonly CrawlerRecord[] = CRAWLER_RECORDS) {
    this.#resolve = resolve;
    this.#records = new Map(
      records.map((record) => [toDocumentedCrawler(record).name.toLowerCase(), record] as const),
    );
  }

  /** Whether the catalogue knows a crawler. */
  has(name: string): boolean {
    return this.#records.has(name.toLowerCase());
  }

  describe(name: string): LogCrawler {
    const { crawler } = this.#resolve(name);
    const record = this.#records.get(name.toLowerCase());
    const operator = record === undefined ? undefined : findHabits(record);
    const ignoresAll = 'obeys' in crawler && crawler.obeys === 'nothing';
    return {
      name,
      operator: record?.operator ?? null,
      purposes: record?.purposes ?? [],
      obeys: record === undefined ? 'unknown' : OBEYS[record.robotsTxt],
      isExempt: ignoresAll || (record !== undefined && isDocumentedToIgnore(record)),
      cachePeriod: operator?.cachePeriod ?? DEFAULT_CACHE_PERIOD,
      obeysDelay: operator?.crawlDelay === 'obeys' || operator?.crawlDelay === 'inherits-default',
      input: crawler,
    };
  }
}

/** Whether the operator says so. What others report about a crawler is no excuse. */
function isDocumentedToIgnore({ robotsTxt, kind, sources: [source] }: CrawlerRecord): boolean {
  if (source === undefined || source.kind === 'third-party') return false;
  return robotsTxt === 'ignores' || (robotsTxt === 'may-ignore' && kind === 'user-triggered-fetcher');
}

/** The habits of the operator of a crawler, of which the catalogue has none yet. */
function findHabits(_: CrawlerRecord): { readonly cachePeriod?: number; readonly crawlDelay?: string } {
  return {};
}
