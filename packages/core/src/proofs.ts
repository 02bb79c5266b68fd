/**
 * `@maycrawl/core/proofs`: statements about all URLs: comparison of rulesets, redundant rules, minification, verification.
 *
 * @module
 */

export { Budget, type ProofOptions } from './proofs/automata/budget.ts';
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
export { type Minified, type MinifyOptions, minify } from './proofs/minify.ts';
export { compareRecords, type RecordComparison } from './proofs/record-comparison.ts';
export { findRedundantRules, type RedundantRule, type RedundantRules } from './proofs/redundant-rules.ts';
export { isProvable, type Proof, proveVerdict, VerdictProver } from './proofs/verify.ts';
