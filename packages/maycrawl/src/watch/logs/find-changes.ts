// What crawlers do in a period that they did not do before.
import type { JudgedPart } from '../../logs/judge-log.ts';
import type { CrawlerSummary } from '../../logs/summary/log-summary.ts';
import { type CrawlerCounts, getCounts, type Period, type WatchedLog } from './log-state.ts';

/** A crawler whose requests have risen. */
export interface Rise {
  readonly crawler: CrawlerSummary;
  readonly requests: number;
  /** The highest number of an earlier period, for a period of the same length. */
  readonly before: number;
}

/** A crawler that no longer fetches robots.txt. */
export interface StaleCrawler {
  readonly crawler: CrawlerSummary;
  /** The time of its last fetch, in milliseconds since 1970. */
  readonly lastFetch: number;
}

export interface LogChanges {
  readonly isFirst: boolean;
  /** Without those of the first reading. */
  readonly newCrawlers: readonly CrawlerSummary[];
  /** Crawlers with violations in this period, and none in the earlier ones. */
  readonly violating: readonly { readonly crawler: CrawlerSummary; readonly verified: number }[];
  readonly stale: readonly StaleCrawler[];
  readonly rises: readonly Rise[];
  /** All crawlers that no longer fetch robots.txt, also those that are reported already. */
  readonly withoutRobots: ReadonlySet<string>;
}

/** Fewer requests in a period, and a smaller factor, are no rise. */
const [MIN_REQUESTS, FACTOR] = [100, 5] as const;
/** A period that is shorter than this part of the interval says little about the number of requests. */
const MIN_SHARE = 0.25;
/** The part of the cache period after which a fetch is late. */
const LATENESS = 1.25;

/** Compares a part of a log with the periods before. @param every - the interval of readings, in milliseconds. */
export function findChanges(
  before: WatchedLog | null,
  part: JudgedPart,
  {
    period,
    every,
    getCachePeriod,
  }: {
    readonly period: Period;
    readonly every: number;
    readonly getCachePeriod: (crawler: string) => number;
  },
): LogChanges {
  const earlier = new Map(before?.crawlers);
  const states = new Map(part.state.crawlers);
  const genuine = part.summary.crawlers.filter((each) => getCounts(each).requests > 0);
  const withoutRobots = new Set(
    [...earlier].flatMap(([name, { isWithoutRobots }]) => (isWithoutRobots ? name : [])),
  );
  const stale: StaleCrawler[] = [];
  for (const crawler of genuine) {
    const { crawler: name, robotsTxt } = crawler;
    if (robotsTxt.fetches > 0) withoutRobots.delete(name);
    const { lastPage = null, fetches } = states.get(name) ?? {};
    const lastFetch = fetches?.lastTime ?? null;
    if (robotsTxt.fetches > 0 || robotsTxt.obeys === 'no' || lastPage === null || lastFetch === null)
      continue;
    if (withoutRobots.has(name) || lastPage - lastFetch <= LATENESS * getCachePeriod(name)) continue;
    withoutRobots.add(name);
    stale.push({ crawler, lastFetch });
  }
  return {
    isFirst: before === null,
    newCrawlers: before === null ? [] : genuine.filter(({ crawler }) => !earlier.has(crawler)),
    violating: genuine
      .filter((each) => getCounts(each).violations > 0)
      .filter(({ crawler }) => !earlier.get(crawler)?.counts.some(({ violations }) => violations > 0))
      .map((crawler) => ({ crawler, verified: part.verifiedViolations.get(crawler.crawler) ?? 0 })),
    stale,
    rises: before === null ? [] : genuine.flatMap((each) => findRise(each, before, period, every) ?? []),
    withoutRobots,
  };
}

function findRise(
  crawler: CrawlerSummary,
  { periods, crawlers }: WatchedLog,
  period: Period,
  every: number,
): Rise | undefined {
  const { requests } = getCounts(crawler);
  const counts: readonly CrawlerCounts[] | undefined = crawlers.find(
    ([name]) => name === crawler.crawler,
  )?.[1].counts;
  if (requests < MIN_REQUESTS || counts === undefined) return undefined;
  // The counts of a crawler that came later are those of the last periods.
  const own = periods.slice(-counts.length);
  const rates = own.flatMap(({ from, to }, index) =>
    to - from < MIN_SHARE * every ? [] : (counts[index]?.requests ?? 0) / (to - from),
  );
  if (rates.length === 0) return undefined;
  const before = Math.round(Math.max(...rates) * Math.max(period.to - period.from, every));
  return requests >= FACTOR * before ? { crawler, requests, before } : undefined;
}
