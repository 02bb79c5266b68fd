/**
 * `maycrawl/logs`: which crawlers come by access logs, whether they are genuine, and whether they obey the rules that they had read.
 *
 * @module
 */
export { AuditRequests } from './logs/audit-comparison.ts';
export { type LogCrawler, LogCrawlers } from './logs/crawlers.ts';
export {
  createIdentifier,
  type DnsVerifier,
  IDENTITIES,
  type Identifier,
  type IdentifierOptions,
  type Identity,
  type MethodResult,
  type SignatureVerifier,
} from './logs/identity/identity.ts';
export { RangeFileError } from './logs/identity/range-file.ts';
export { type RangeStore, readRangeStore } from './logs/identity/range-store.ts';
export { LogError, type LogErrorCode } from './logs/input/log-error.ts';
export type { LogSource } from './logs/input/open-log.ts';
export { judgeLog } from './logs/judge-log.ts';
export type { JudgeOptions, LogSite } from './logs/log-judge.ts';
export { type LogFiles, type ReadLogOptions, readLog, readLogs } from './logs/read-log.ts';
export { createLogsHtml, type LogsHtmlOptions } from './logs/report/html-report.ts';
export type { LineCounts, LogReading, LogRequest, SignatureFields } from './logs/request.ts';
export { REQUEST_CLASSES, type ReadState, type RequestClass } from './logs/rules/classify.ts';
export { type ServedVersions, Timeline, type Version } from './logs/rules/timeline.ts';
export { LOG_FINDINGS, type LogFindingCode } from './logs/summary/find-problems.ts';
export * from './logs/summary/log-summary.ts';
