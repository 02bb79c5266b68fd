/**
 * `@maycrawl/core/lint`: what people get wrong in a robots.txt, and how to mend it.
 *
 * @module
 */
export { FINDINGS, type Finding, type FindingCode, type Fix } from './lint/finding.ts';
export { type Fixed, fix, lint } from './lint/lint.ts';
