/**
 * `@maycrawl/core/lint`: finds common mistakes in a robots.txt and fixes them.
 *
 * @module
 */
export { FINDINGS, type Finding, type FindingCode, type Fix } from './lint/finding.ts';
export { type Fixed, fix, lint } from './lint/lint.ts';
