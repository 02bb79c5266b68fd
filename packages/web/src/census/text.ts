// The phrases of the report, apart from titles.
import type { CensusReportData, Example, ReportCrawl, SiteAccess } from 'maycrawl/api';
import { formatCount, formatDate, formatNumber, formatShare } from '../shared/text.ts';
import { visible } from '../shared/visible.ts';
import { type Base, type Share, toFraction } from './data/shares.ts';

export const ACCESS_LABELS: Readonly<Record<SiteAccess, string>> = {
  none: 'nothing',
  'listed-only': 'listed files only',
  some: 'some URLs',
  all: 'everything',
  undecided: 'undecided',
  'no-file': 'no robots.txt',
  unreachable: 'unreachable',
  unknown: 'unknown',
};

export const ACCESS_DESCRIPTIONS: Readonly<Record<SiteAccess, string>> = {
  none: 'Every URL is disallowed.',
  'listed-only':
    'Only /robots.txt, /ads.txt, /.well-known/ or the home page can be allowed. Counted as blocked.',
  some: 'At least one other URL is allowed, and at least one is disallowed.',
  all: 'Every URL is allowed. Empty files and HTML pages are files that allow everything.',
  undecided: 'The proof exceeded its budget.',
  'no-file': 'The server responded that there is no robots.txt: there are no restrictions.',
  unreachable: 'The server failed, or did not respond: it is not known whether there is a robots.txt.',
  unknown:
    'The capture does not say: for example a redirect whose target was not captured, or a truncated body.',
};

/** What shares are of, after a number of sites. */
export const BASE_LABELS: Readonly<Record<Base, string>> = {
  known: 'sites with a known policy',
  files: 'sites with a robots.txt file',
};

/** The name of an agent. @param agent - its index. */
export function formatAgent({ agents }: Pick<CensusReportData, 'agents'>, agent: number): string {
  return visible(agents[agent]?.name ?? '', 60);
}

/** The name of a crawl. @param crawl - its index. */
export function formatCrawl({ crawls }: Pick<CensusReportData, 'crawls'>, crawl: number): string {
  return visible(crawls[crawl]?.name ?? '', 60);
}

/** "12.3 %" */
export function formatPercent({ sites, total }: Share): string {
  return total === 0 ? '–' : formatShare(sites.count, total, 1);
}

/** "12.3" for columns whose head has the unit; "<0.1" for less. */
export function formatPercentNumber(fraction: number): string {
  if (fraction > 0 && fraction < 0.0005) return '<0.1';
  return (100 * fraction).toFixed(1);
}

/** "20 %", "7.5 %", "0" */
export function formatTick(share: number): string {
  return share === 0 ? '0' : `${Number((100 * share).toPrecision(3))} %`;
}

/** "+1.2 points" */
export function formatChange(before: Share, after: Share): string {
  const points = 100 * (toFraction(after) - toFraction(before));
  const sign = points > 0 ? '+' : points < 0 ? '−' : '±';
  return `${sign}${Math.abs(points).toFixed(1)} points`;
}

/** "1,234 of 10,000 sites with a known policy" */
export function describeShare({ sites, total }: Share, of: string): string {
  return `${formatNumber(sites.count)} of ${formatNumber(total)} ${of}`;
}

/** "allowed: /ads.txt (line 4)" */
export function describeWitness({ isAllowed, path, line }: Example['witnesses'][number]): {
  readonly verdict: string;
  readonly path: string;
  readonly rule: string;
} {
  return {
    verdict: isAllowed ? 'allowed' : 'disallowed',
    path: visible(path, 160),
    rule: line === 0 ? 'no rule matches' : `line ${formatNumber(line)}`,
  };
}

/** "1–1,000", "over 1,000,000", "without a rank" */
export function formatRank(name: string): string {
  if (name === 'unranked') return 'without a rank';
  const [from = '', to = ''] = name.split('-');
  return to === ''
    ? `over ${formatNumber(Number(from) - 1)}`
    : `${formatNumber(Number(from))}–${formatNumber(Number(to))}`;
}

/** "512–1,023 bytes" */
export function formatSize(from: number, next: number | undefined): string {
  if (next === undefined) return 'over the size limit';
  if (next - from === 1) return formatCount(from, 'byte');
  return `${formatBytes(from)}–${formatBytes(next === 512_001 ? 512_000 : next - 1)}`;
}

function formatBytes(bytes: number): string {
  return formatNumber(bytes);
}

/** The date of a crawl in UTC, such as "3 Nov 2026"; its name without a time. */
export function formatDay({ name, from }: Pick<ReportCrawl, 'name' | 'from'>): string {
  return from === null ? visible(name, 60) : formatDate(from);
}
