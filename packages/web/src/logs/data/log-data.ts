// The data of the report, and sums over crawlers.
import type { Identity, ReportCrawler, ReportLog, RequestClass } from 'maycrawl/api';

export interface LogData {
  readonly log: ReportLog;
  /** Those with the most requests first. */
  readonly crawlers: readonly ReportCrawler[];
}

/** Sums over crawlers. */
export interface Totals {
  readonly requests: number;
  readonly bytes: number;
  readonly identity: Readonly<Partial<Record<Identity, number>>>;
  readonly classes: Readonly<Partial<Record<RequestClass, number>>>;
}

export function sumCrawlers(crawlers: readonly ReportCrawler[]): Totals {
  const sum = (get: (crawler: ReportCrawler) => number): number =>
    crawlers.reduce((total, crawler) => total + get(crawler), 0);
  return {
    requests: sum(({ requests }) => requests),
    bytes: sum(({ bytes }) => bytes),
    identity: sumCounts(crawlers.map(({ identity }) => identity)),
    classes: sumCounts(crawlers.map(({ classes }) => classes)),
  };
}

function sumCounts<Key extends string>(
  list: readonly Readonly<Record<Key, number>>[],
): Partial<Record<Key, number>> {
  const sums: Partial<Record<Key, number>> = {};
  for (const counts of list)
    for (const [key, count] of Object.entries(counts) as [Key, number][])
      sums[key] = (sums[key] ?? 0) + count;
  return sums;
}

/** Requests and bytes that are not spoofed: what classes and the effect of another file are about. */
export function getOwn({ requests, bytes, spoofed }: Pick<ReportCrawler, 'requests' | 'bytes' | 'spoofed'>): {
  readonly requests: number;
  readonly bytes: number;
} {
  return { requests: requests - spoofed.requests, bytes: bytes - spoofed.bytes };
}
