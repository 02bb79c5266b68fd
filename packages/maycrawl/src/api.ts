/// <reference types="node" preserve="true" />
/**
 * Entry point `maycrawl/api`: the JSON that the service, the HTML reports and their pages exchange, as JSON Schema and as
 * TypeScript types. It runs everywhere.
 *
 * @module
 */
export {
  AUDIT_LIST,
  AUDIT_TREND,
  type AuditList,
  type AuditTrend,
  type NamedRunPoint,
} from './api/audits-api.ts';
export { CONFORMANCE_REPORT, type ConformanceReport } from './api/conformance-report.ts';
export { type JsonOf, toJsonSchema } from './api/json-schema.ts';
export { LOG_LINE, type LogLine } from './api/log-line.ts';
export { PAGE_REPORT, type PageJson, type PageReport } from './api/page-api.ts';
export { PREFERENCE_REPORTS, type PreferenceReports } from './api/preferences-api.ts';
export { ROBOTS_REPORT, type RobotsReport } from './api/robots-api.ts';
export { SITEMAP_SAMPLE, type SitemapSample } from './api/sample-api.ts';
export { ASPECTS, type Aspect } from './api/watch/aspects.ts';
export {
  WATCH_API,
  WATCH_RESPONSES,
  type WatchJson,
  type WatchResponse,
  type WatchRoute,
} from './api/watch-api.ts';
export {
  describeDetail,
  describeFindings,
  describeUrlFinding,
  FINDING_CODES,
  FINDING_KINDS,
  type FindingCode,
  getAdvice,
} from './audit/findings/finding-kinds.ts';
export { COMMON_CRAWLERS } from './audit/page/common-crawlers.ts';
export { type CsvCell, formatCsvHead, formatCsvLine } from './audit/report/formats/csv-line.ts';
export type {
  AuditSections,
  FindingGroup,
  FindingList,
  IgnoredCanonical,
  LinkRow,
  NoindexDirective,
  RenderedLinks,
  RenderedState,
  RenderingCell,
  ReportCanonical,
  ReportHead,
  ReportVerdict,
  Target,
  UrlRow,
} from './audit/report/html/report-data.ts';
export { STATUS_CLASSES, type StatusClass } from './audit/report/segments-summary.ts';
export type { AgentSummary, FindingSummary } from './audit/report/summary.ts';
export type { UseSummary } from './audit/report/use-summary.ts';
export { FOLLOWED, LINK_TYPES, WALKED } from './audit/run/records/link-list.ts';
export type { StoredPreferences } from './audit/run/records/preferences.ts';
export { STATES, type UrlState } from './audit/run/records/url.ts';
export type { GroupKind } from './census/judge/judged-agents.ts';
export type {
  AccessCell,
  CensusReportData,
  CensusSections,
  ReportCategory,
  ReportCrawl,
  Stratum,
  Transition,
  WeightedCell,
} from './census/report/report-data.ts';
export { BLOCKED, SITE_ACCESSES, type SiteAccess, WITH_FILE } from './census/report/site-access.ts';
export { type Example, MAX_EXAMPLES, type SiteCount } from './census/report/site-count.ts';
export type { Identity } from './logs/identity/identity.ts';
export type {
  LogPeriod,
  LogSections,
  ReportCrawler,
  ReportLog,
  ReportRule,
} from './logs/report/report-data.ts';
export type { ReadState, RequestClass } from './logs/rules/classify.ts';
export type { AuditComparison, LogFinding, Violation, WorstRule } from './logs/summary/log-summary.ts';
export { getDirection, getValueName } from './preferences/describe-changes.ts';
export { describeStatement } from './preferences/describe-statement.ts';
export { describePurpose, getPurposeName } from './preferences/purposes.ts';
export { RESPONSE_LISTS } from './reports/bounded-list.ts';
export { declarationsReport } from './reports/declarations.ts';
export {
  type Columns,
  joinColumns,
  type ReportData,
  readReportData,
  type ValueIndex,
} from './reports/report-data.ts';
export { formatCrawlers, getCrawlerName } from './text/crawler-names.ts';
export { formatDuration } from './text/durations.ts';
export { findNetworkFailure, type NetworkFailure } from './text/network-failures.ts';
export { describeOperator } from './text/operators.ts';
export { REASON_TEXTS, type ReasonText } from './text/reasons.ts';
export { describeRobotsStatement, describeStatus, REQUEST_FAILURES } from './text/responses.ts';
export { formatSize } from './text/sizes.ts';
