/**
 * `@maycrawl/core`: may this crawler fetch this URL, and why?
 *
 * @module
 */
export { type CatalogueEntry, CRAWLERS, findCrawler, recognizeCrawler } from './catalogue.ts';
export {
  type BareTokens,
  type Crawler,
  type CrawlerLike,
  isAgentToken,
  isProductToken,
  type ResolvedCrawler,
  UNNAMED_CRAWLER,
} from './crawler.ts';
export { decide, decideWithoutFile } from './decide.ts';
export { type Diagnostic, type DiagnosticCode, diagnose, type Severity } from './diagnostics.ts';
export { MAX_FILE_BYTES, type ParseOptions, type RobotsTxt } from './document.ts';
export { describeDiagnostic, explainVerdict } from './messages.ts';
export { parse } from './parse.ts';
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
} from './profile.ts';
export type { Group, RecordKind, RobotsRecord, Rule, UserAgentRecord } from './record.ts';
export { type ResolvedAgent, resolveAgent } from './resolve-agent.ts';
export type { DecideOptions, Ruleset } from './ruleset.ts';
export { MAX_LINE_BYTES } from './scanner.ts';
export { serialize } from './serialize.ts';
export { SharedRulesets, type SharedRulesetsOptions } from './shared-rulesets.ts';
export { type OutOfScopeReason, robotsTxtUrl } from './target.ts';
export type { Allowed, Because, Disallowed, GroupChoice, Match, OutOfScope, Verdict } from './verdict.ts';
