// Shares over several crawls: places on the axis of time, and lines that end at breaks.
import type { CensusReportData, ReportCrawl } from 'maycrawl/api';
import { type Base, findAxisEnd, getBlocked, type Share, toFraction } from './shares.ts';

/** What a line is about. */
export interface SeriesPoint {
  /** Index of the crawl. */
  readonly crawl: number;
  readonly blocked: Share;
  readonly named: Share;
}

/** The shares of an agent by crawl. @param sites - all sites of each crawl, or those of the panel. */
export function createSeries(
  data: CensusReportData,
  agent: number,
  { base, sites }: { readonly base: Base; readonly sites: 'all' | 'panel' },
): SeriesPoint[] {
  return data.crawls.map(({ access }, crawl) => {
    const cells = (sites === 'panel' ? data.panel?.access[crawl] : access)?.[agent] ?? [];
    return { crawl, blocked: getBlocked(cells, base), named: getBlocked(cells, base, 'name') };
  });
}

/** Places of crawls from 0 to 1: by time, or at equal distances if a time is unknown. */
export function placeCrawls(crawls: readonly Pick<ReportCrawl, 'from'>[]): number[] {
  const times = crawls.map(({ from }) => from);
  const [first = null] = times;
  const last = times.at(-1) ?? null;
  const isOrdered = times.every(
    (time, index) => time !== null && (index === 0 || time > (times[index - 1] ?? time)),
  );
  if (first === null || last === null || !isOrdered)
    return crawls.map((_, index) => (crawls.length < 2 ? 0 : index / (crawls.length - 1)));
  return times.map((time) => ((time ?? first) - first) / Math.max(1, last - first));
}

/** Divides points at breaks, so that no line bridges one. */
export function splitAtBreaks<Point extends { readonly crawl: number }>(
  points: readonly Point[],
  { breaks }: Pick<CensusReportData, 'breaks'>,
): Point[][] {
  const starts = new Set(breaks.map(({ before }) => before));
  const parts: Point[][] = [];
  for (const point of points) {
    if (parts.length === 0 || starts.has(point.crawl)) parts.push([]);
    parts.at(-1)?.push(point);
  }
  return parts;
}

/** The end of the axis of some points. */
export function findScale(points: readonly SeriesPoint[]): number {
  return findAxisEnd(points.map(({ blocked }) => toFraction(blocked)));
}
