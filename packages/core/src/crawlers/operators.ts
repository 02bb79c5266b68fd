// The facts about one crawler, from the records of operators and of crawlers.
import { checkOptions } from '../bytes/check-options.ts';
import type {
  CrawlDelayBehavior,
  OperatorOutagePhase,
  OperatorRecord,
  RobotsTxtPromise,
  VerificationMethod,
} from './operator-record.ts';
import type { CrawlerRecord, CrawlerSource } from './record.ts';

/** How long crawlers use a fetched robots.txt if nothing else is documented (RFC 9309 section 2.4), in milliseconds. */
export const DEFAULT_CACHE_PERIOD = 86_400_000;

/** What is documented about the operator of a crawler, with regard to this crawler. */
export interface CrawlerOperator {
  readonly operator: string;
  /** How long a fetched robots.txt is used, in milliseconds. */
  readonly cachePeriod: number;
  /** As in {@link OperatorRecord}; `null` if it is not documented. */
  readonly whenUnavailable: readonly OperatorOutagePhase[] | null;
  readonly whenUnreachable: readonly OperatorOutagePhase[] | null;
  readonly crawlDelay: CrawlDelayBehavior;
  /** Empty: the operator publishes no method. */
  readonly verification: readonly VerificationMethod[];
  readonly robotsTxt: RobotsTxtPromise;
  /** URL of a Signature Agent Card; `null` if there is none. */
  readonly card: string | null;
  readonly sources: readonly CrawlerSource[];
}

/** The records in which {@link createOperatorFinder} finds operators. */
export interface OperatorCatalogue {
  /** Of several records about the same, the first counts. */
  readonly operators: readonly OperatorRecord[];
  readonly crawlers: readonly CrawlerRecord[];
}

/** Finds the operator of a crawler. @param crawler - its name or token. @returns `undefined` if no record is about the crawler. */
export type OperatorFinder = (crawler: string) => CrawlerOperator | undefined;

/**
 * Creates a function that finds the operators of crawlers.
 *
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 */
export function createOperatorFinder(catalogue: OperatorCatalogue): OperatorFinder {
  checkOptions<OperatorCatalogue>(
    'createOperatorFinder',
    catalogue,
    { operators: 'array', crawlers: 'array' },
    ['operators', 'crawlers'],
  );
  const { operators, crawlers } = catalogue;
  const records = new Map<string, CrawlerRecord>();
  for (const record of crawlers)
    for (const key of [record.token, record.name ?? record.token])
      if (!records.has(key.toLowerCase())) records.set(key.toLowerCase(), record);
  const special = new Map<string, OperatorRecord>();
  const general = new Map<string, OperatorRecord>();
  for (const record of operators) {
    const keys = record.crawlers ?? [record.operator];
    const target = record.crawlers === undefined ? general : special;
    for (const key of keys) if (!target.has(key.toLowerCase())) target.set(key.toLowerCase(), record);
  }
  return (crawler) => {
    const record = records.get(crawler.toLowerCase());
    const own = special.get((record?.token ?? crawler).toLowerCase());
    const operator = own?.operator ?? record?.operator;
    if (operator === undefined) return undefined;
    return combine(operator, own, general.get(operator.toLowerCase()), record);
  };
}

function combine(
  operator: string,
  own: OperatorRecord | undefined,
  shared: OperatorRecord | undefined,
  record: CrawlerRecord | undefined,
): CrawlerOperator {
  const facts = { ...shared, ...own };
  const sources = [...(own?.sources ?? []), ...(shared?.sources ?? [])];
  return {
    operator,
    cachePeriod: facts.cachePeriod ?? DEFAULT_CACHE_PERIOD,
    whenUnavailable: facts.whenUnavailable ?? null,
    whenUnreachable: facts.whenUnreachable ?? null,
    crawlDelay: facts.crawlDelay ?? 'unknown',
    verification: facts.verification ?? [],
    robotsTxt: facts.robotsTxt ?? (record === undefined ? 'unknown' : getPromise(record)),
    card: facts.card ?? null,
    sources: sources.length > 0 ? sources : (record?.sources ?? []),
  };
}

/** What others report about a crawler is no promise of its operator. */
function getPromise({ robotsTxt, sources }: CrawlerRecord): RobotsTxtPromise {
  if (sources[0] === undefined || sources[0].kind === 'third-party' || robotsTxt === 'undocumented')
    return 'unknown';
  return robotsTxt === 'ignores' || robotsTxt === 'may-ignore' ? 'ignores' : 'obeys';
}
