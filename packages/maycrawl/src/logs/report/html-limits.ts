// Limits the lists of a summary for the HTML file, whose size must not depend on what a hostile log contains.
import { truncate } from '@maycrawl/core/internal';
import type { ReportItem } from '../../reports/report-data.ts';
import type { CrawlerSummary, LogSummary } from '../summary/log-summary.ts';
import { createPeriods, type Periods } from './periods.ts';
import type { LogSections, ReportCrawler } from './report-data.ts';

/** The longest lists and texts. */
export interface HtmlLimits {
  /** Violations, and ambiguous requests, of a crawler. */
  readonly examples: number;
  /** Statuses and networks of a crawler, and crawlers of a rule. */
  readonly listed: number;
  readonly findings: number;
  readonly rules: number;
  /** Characters of a text. */
  readonly text: number;
}

/** From the longest lists to the shortest. With the last ones, each file is small. */
export const HTML_LIMITS: readonly HtmlLimits[] = [
  { examples: 100, listed: 100, findings: 5_000, rules: 2_000, text: 1_000 },
  { examples: 40, listed: 50, findings: 5_000, rules: 2_000, text: 500 },
  { examples: 10, listed: 20, findings: 5_000, rules: 1_000, text: 300 },
  { examples: 2, listed: 10, findings: 1_000, rules: 500, text: 200 },
  { examples: 0, listed: 5, findings: 500, rules: 200, text: 100 },
];

/** Returns the items of the file. */
export function limitSummary(summary: LogSummary, limits: HtmlLimits): ReportItem<LogSections>[] {
  const { crawlers, rules, unusedRules, findings, ...log } = summary;
  const periods = createPeriods(crawlers);
  const shownRules = rules.slice(0, limits.rules).map(({ crawlers: all, ...rule }) => ({
    ...rule,
    crawlers: all.slice(0, limits.listed),
    crawlerCount: all.length,
  }));
  const head: LogSections['log'] = {
    ...log,
    ...{ rules: shownRules, ruleCount: rules.length },
    ...{ unusedRules: unusedRules.slice(0, limits.rules), unusedCount: unusedRules.length },
    ...{ findings: findings.slice(0, limits.findings), findingCount: findings.length },
    ...{ periods: periods.list, maxExamples: limits.examples },
  };
  const items: ReportItem<LogSections>[] = [
    ['log', head],
    ...crawlers.map((crawler) => ['crawlers', limitCrawler(crawler, limits, periods)] as const),
  ];
  return items.map((item) => limitTexts(item, limits.text));
}

function limitCrawler(
  { days, violations, ambiguous, ...crawler }: CrawlerSummary,
  { examples, listed }: HtmlLimits,
  periods: Periods,
): ReportCrawler {
  const { statuses, robotsTxt, spoofed } = crawler;
  return {
    ...crawler,
    violations: cutMiddle(violations, examples),
    ambiguous: cutMiddle(ambiguous, examples),
    statuses: limitCounts(statuses, listed),
    robotsTxt: { ...robotsTxt, statuses: limitCounts(robotsTxt.statuses, listed) },
    spoofed: { ...spoofed, networks: spoofed.networks.slice(0, listed) },
    periods: periods.count(days),
    networkCount: spoofed.networks.length,
    statusCount: Object.keys(statuses).length,
  };
}

/** The first and the last items. */
function cutMiddle<Item>(items: readonly Item[], limit: number): readonly Item[] {
  if (items.length <= limit) return items;
  const last = Math.floor(limit / 2);
  return [...items.slice(0, limit - last), ...items.slice(items.length - last)];
}

/** The largest counts. */
function limitCounts(counts: Readonly<Record<string, number>>, limit: number): Record<string, number> {
  const entries = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return Object.fromEntries(entries.slice(0, limit));
}

function limitTexts<Value>(value: Value, limit: number): Value {
  if (typeof value === 'string') return truncate(value, limit) as Value;
  if (Array.isArray(value)) return value.map((each) => limitTexts(each, limit)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  // Keys are names of properties, and statuses.
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, limitTexts(each, limit)]),
  ) as Value;
}
