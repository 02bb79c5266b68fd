/**
 * `maycrawl/census`: the robots.txt of many sites, read from archives and judged for many crawlers.
 *
 * @module
 */
export type { ReadProblem, ReadProblemCode } from './census/archive/read-report.ts';
export type { Capture } from './census/capture.ts';
export {
  CensusError,
  type CensusSettings,
  type CensusSummary,
  type JudgedInput,
  type Part,
} from './census/census-summary.ts';
export {
  type AgentComparison,
  type CensusComparison,
  type ComparedCensus,
  type ComparisonOptions,
  compareCensuses,
} from './census/compare-censuses.ts';
export { InputTotals, type InputTotalsData } from './census/input-totals.ts';
export { findInputs, InputError } from './census/inputs/find-inputs.ts';
export type { ReadInputOptions } from './census/inputs/open-input.ts';
export { readInput } from './census/inputs/read-input.ts';
export { type ListSource, readPathList } from './census/inputs/read-list.ts';
export type { RemoteOptions, RetryOptions, S3Options } from './census/inputs/remote/remote-options.ts';
export type { FetchedSite, SiteOptions } from './census/inputs/sites/fetch-sites.ts';
export { createSiteInputs, readSiteList } from './census/inputs/sites/site-list.ts';
export type { InputFile, InputFormat } from './census/inputs/task.ts';
export {
  BodyJudge,
  type BodyJudgement,
  type BodyKind,
  type JudgeSettings,
} from './census/judge/body-judge.ts';
export type { BodyContent } from './census/judge/content-judge.ts';
export type { AgentDelay, CrawlDelays } from './census/judge/crawl-delays.ts';
export type {
  AgentConflict,
  AgentPreference,
  DeclarationItem,
  DeclaredPreferences,
  PurposeValues,
} from './census/judge/declared-preferences.ts';
export type { FindingCount } from './census/judge/findings.ts';
export { GENERATOR_MARKS, type GeneratorMark } from './census/judge/generator-data.ts';
export { GROUP_KINDS, type GroupKind } from './census/judge/judged-agents.ts';
export { OUTCOMES, type Outcome } from './census/judge/outcome.ts';
export type { JudgeInputsOptions } from './census/judge-inputs.ts';
export { type MergeOptions, mergeCensus } from './census/merge-census.ts';
export type { Access, OtherReading, ReadFile } from './census/read-as/reading.ts';
export { type ComparedReading, compareReadings, OTHER_READINGS } from './census/read-as/readings.ts';
export type { StatedBreak } from './census/report/breaks.ts';
export { type CensusHtmlOptions, createCensusHtml } from './census/report/html-report.ts';
export {
  type ReportDataOptions,
  readReportData,
} from './census/report/queries/read-report-data.ts';
export type { CensusReportData } from './census/report/report-data.ts';
export { slicePaths } from './census/slices.ts';
export type { AgentGroup } from './census/sql/agent-groups.ts';
export type { CensusFolder } from './census/sql/census-folder.ts';
export {
  type Database as CensusDatabase,
  type DatabaseLimits,
  QueryError,
  type QueryResult,
  type ResultRow,
} from './census/sql/duckdb.ts';
export {
  createViewStatements,
  type OpenCensuses,
  type OpenOptions,
  openCensuses,
  type ViewOptions,
} from './census/sql/open-censuses.ts';
export type { StoredValue } from './census/sql/stored-value.ts';
export type { UserTable } from './census/sql/user-tables.ts';
export type { WrittenTable } from './census/tables/parquet-table.ts';
export { type CensusOptions, type CensusProgress, writeCensus } from './census/write-census.ts';
