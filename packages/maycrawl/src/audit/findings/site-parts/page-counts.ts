// How large a part of a site is, and how bad it is that the part cannot be indexed.
import type { Severity } from '@maycrawl/core';
import { REASONS, type Reason } from '@maycrawl/core/indexability';
import { formatCount } from '../../../text/counts.ts';
import type { RunStore } from '../../run/run-store.ts';

/** Reasons of URLs that are no pages of their own. */
const NO_PAGES: readonly Reason[] = ['redirect', 'not-found', 'canonicalised'];

/** The URLs of a crawler by their primary reason. */
export interface PageCounts {
  /** Without redirects, missing pages and those with another canonical. */
  readonly pages: number;
  readonly byReason: Readonly<Record<Reason, number>>;
}

/** Counts the pages of a run. @param agent - index of the crawler. */
export function countPages({ rows }: RunStore, agent: number): PageCounts {
  const byReason = Object.fromEntries(REASONS.map((reason) => [reason, 0])) as Record<Reason, number>;
  let pages = 0;
  for (const { reasons, count } of rows.countReasons(agent)) {
    const primary = REASONS.find((_, place) => (reasons & (1 << place)) !== 0);
    if (primary !== undefined) byReason[primary] += count;
    if (primary === undefined || !NO_PAGES.includes(primary)) pages += count;
  }
  return { pages, byReason };
}

/** Pages that cannot be indexed for the same cause. */
export interface Part {
  readonly urls: number;
  /** Those to which links lead. */
  readonly linked: number;
  /** Whether the site plainly wants it so. */
  readonly isIntended: boolean;
}

/** Shares of the pages, and a number of them, from which a part is an error or a warning. A handful is neither. */
const [ERROR_SHARE, WARNING_SHARE, WARNING_URLS, HANDFUL] = [0.5, 0.05, 25, 2] as const;
/** A site with fewer pages has no large parts. */
const MIN_PAGES = 2;

/** Grades a part of a site by its size, and by what it is. @param pages - of the site. */
export function gradePart({ urls, linked, isIntended }: Part, pages: number): Severity {
  if (isIntended || pages < MIN_PAGES) return 'info';
  if (urls >= pages * ERROR_SHARE) return 'error';
  const isLarge = urls >= WARNING_URLS || (urls > HANDFUL && urls >= pages * WARNING_SHARE);
  return isLarge && linked > 0 ? 'warning' : 'info';
}

/** `30 of 31 pages` */
export function describeShare(urls: number, pages: number): string {
  return `${formatCount(urls)} of ${formatCount(pages, 'page')}`;
}
