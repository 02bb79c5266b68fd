/**
 * `@maycrawl/core/proofs`: statements about all URLs: comparison of rulesets, redundant rules, minification, verification; and what a file
 * says to each crawler of a list.
 *
 * @module
 */

export { DelayReader, type FileDelays } from './crawler-list/delay-reader.ts';
export { type FileAccess, FileClassifier } from './crawler-list/file-classifier.ts';
export {
  type AccessClass,
  AccessClassifier,
  type AccessKind,
  type ExampleUrl,
} from './proofs/access-class.ts';
export { Budget, type ProofOptions } from './proofs/automata/budget.ts';
export {
  type CrawlerComparison,
  compareFiles,
  type FileComparison,
  type VerdictChange,
} from './proofs/compare.ts';
export { ANY_OTHER_CRAWLER, listCrawlers, type NamedCrawler } from './proofs/crawler-classes.ts';
export { type MinifyOptions, type MinifyResult, minify } from './proofs/minify.ts';
export { compareRecords, type RecordComparison } from './proofs/record-comparison.ts';
export { findRedundantRules, type RedundantRule, type RedundantRules } from './proofs/redundant-rules.ts';
export { isClaimPattern, type Proof, proveVerdict, VerdictProver } from './proofs/verify.ts';
