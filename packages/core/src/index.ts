/**
 * `@maycrawl/core`: may this crawler fetch this URL, and why?
 *
 * @module
 */
export { type CatalogueEntry, CRAWLERS, findCrawler } from './crawler/catalogue.ts';
export {
  type BareTokens,
  type Crawler,
  type CrawlerInput,
  type CrawlerSpec,
  createCrawler,
  GLOBAL_CRAWLER,
  isAgentToken,
} from './crawler/crawler.ts';
export {
  findProfile,
  GOOGLE,
  GOOGLE_2013,
  GOOGLE_2022,
  type OutagePhase,
  type OutagePolicy,
  PROFILES,
  type Profile,
  RFC9309,
  resolveProfile,
} from './crawler/profile.ts';
export { type RecognizableCrawler, recognizeCrawler } from './crawler/recognize-crawler.ts';
export {
  createAgentResolver,
  type InvalidAgentError,
  isInvalidAgentError,
  type ResolvedAgent,
  resolveAgent,
} from './crawler/resolve-agent.ts';
export { getRobotsTxtUrl, type OutOfScopeReason } from './matching/target.ts';
export { type DecideOptions, decide } from './model/decide.ts';
export type { DiagnosticCode, Severity } from './model/diagnostics/diagnostic-kinds.ts';
export { type Diagnostic, describeDiagnostic, diagnose } from './model/diagnostics/diagnostics.ts';
export { describePolicy, explainVerdict } from './model/messages.ts';
export {
  decideByPolicy,
  getPolicyCode,
  getPolicySummary,
  POLICY_CODES,
  type PolicyCode,
  type PolicyOptions,
  type PolicySummary,
  type RobotsPolicy,
} from './model/robots-policy.ts';
export { parse, type RobotsTxt } from './model/robots-txt.ts';
export type { Ruleset } from './model/ruleset.ts';
export { RulesetCache, type RulesetCacheOptions } from './model/ruleset-cache.ts';
export { serialize } from './model/serialize.ts';
export { MAX_FILE_BYTES, type ParseOptions } from './model/source.ts';
export type {
  Allowed,
  DecisionReason,
  Disallowed,
  GroupSelection,
  Match,
  OutOfScope,
  Verdict,
} from './model/verdict.ts';
export type { Group, RecordKind, RobotsRecord, Rule, UserAgentRecord } from './syntax/record.ts';
export { MAX_LINE_BYTES } from './syntax/scanner.ts';
