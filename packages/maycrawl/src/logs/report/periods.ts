// Joins days to periods of equal length, so that a chart has a limited number of points, however long a log is.
import type { CrawlerSummary, DaySummary } from '../summary/log-summary.ts';
import type { LogPeriod, ReportCrawler } from './report-data.ts';

const DAY = 86_400_000;
/** Points of a chart: a quarter has a point for each day. */
const MAX_PERIODS = 92;

/** The periods of all crawlers. */
export interface Periods {
  readonly list: readonly LogPeriod[];
  /** Sums the days of a crawler. */
  readonly count: (days: readonly DaySummary[]) => ReportCrawler['periods'];
}

/** Creates the periods from the first to the last day with requests. Days between them without requests belong to them, too. */
export function createPeriods(crawlers: readonly Pick<CrawlerSummary, 'days'>[]): Periods {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { days } of crawlers)
    for (const { day } of days) {
      first = Math.min(first, toNumber(day));
      last = Math.max(last, toNumber(day));
    }
  if (first > last) return { list: [], count: () => null };
  const length = Math.ceil((last - first + 1) / MAX_PERIODS);
  const size = Math.ceil((last - first + 1) / length);
  const list = Array.from({ length: size }, (_, index) => ({
    from: toDay(first + index * length),
    to: toDay(Math.min(last, first + (index + 1) * length - 1)),
  }));
  const count = (days: readonly DaySummary[]): ReportCrawler['periods'] => {
    if (days.length === 0) return null;
    const [requests, violations] = [new Array<number>(size).fill(0), new Array<number>(size).fill(0)];
    for (const each of days) {
      const index = Math.floor((toNumber(each.day) - first) / length);
      requests[index] = (requests[index] ?? 0) + each.requests;
      violations[index] = (violations[index] ?? 0) + each.violations;
    }
    return { requests, violations };
  };
  return { list, count };
}

/** The number of a day since 1970. */
function toNumber(day: string): number {
  return Math.floor(Date.parse(`${day}T00:00:00Z`) / DAY);
}

function toDay(number: number): string {
  return new Date(number * DAY).toISOString().slice(0, 10);
}
