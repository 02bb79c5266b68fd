/**
 * `@maycrawl/core/proofs`: what can be said about all URLs at once, and not only about those that were tried.
 *
 * @module
 */
export { compareRecords, type RecordComparison } from './proofs/agent-records.ts';
export { Budget, type ProofOptions } from './proofs/budget.ts';
export {
  ANY_OTHER,
  type Change,
  type Comparison,
  type CrawlersComparison,
  compareFiles,
  compareRulesets,
  crawlersOf,
  type FileComparison,
  type NamedCrawler,
} from './proofs/compare.ts';
export { type DeadRule, type DeadWeight, findDeadRules } from './proofs/dead-rules.ts';
export { type Minified, type MinifyOptions, minify } from './proofs/minify.ts';
export { isProvable, type Proof, proveVerdict, VerdictProver } from './proofs/verify.ts';
