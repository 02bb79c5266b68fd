// The data in the HTML file of a report of logs: the summary, with lists of limited length and days joined to periods.
import type { CrawlerSummary, LogSummary, RuleUse } from '../summary/log-summary.ts';

/** Days that a chart shows as one point. */
export interface LogPeriod {
  /** `2026-11-28` */
  readonly from: string;
  readonly to: string;
}

/** A rule, with the crawlers of which it decided about the most requests. */
export interface ReportRule extends RuleUse {
  /** The number of all crawlers. */
  readonly crawlerCount: number;
}

/** A crawler. */
export interface ReportCrawler extends Omit<CrawlerSummary, 'days'> {
  /** Requests and violations by period; `null` without a day. */
  readonly periods: { readonly requests: readonly number[]; readonly violations: readonly number[] } | null;
  /** The number of all networks of spoofed requests in the summary, and of all statuses. */
  readonly networkCount: number;
  readonly statusCount: number;
}

/** What is not about one crawler. */
export interface ReportLog extends Omit<LogSummary, 'crawlers' | 'rules'> {
  readonly rules: readonly ReportRule[];
  /** The numbers of all rules that decided, of all that did not, and of all findings, in the summary. */
  readonly ruleCount: number;
  readonly unusedCount: number;
  readonly findingCount: number;
  /** The same for all crawlers. */
  readonly periods: readonly LogPeriod[];
  /** At most this number of violations of a crawler is listed. */
  readonly maxExamples: number;
}

/** The sections of the file: one item for the log, and one for each crawler, in the order of the summary. */
export interface LogSections {
  readonly log: ReportLog;
  readonly crawlers: ReportCrawler;
}
