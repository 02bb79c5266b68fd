/**
 * `@maycrawl/core/lint`: finds common mistakes in a robots.txt and fixes them.
 *
 * @module
 */
export type { Finding, Fix, LineEdit } from './lint/finding.ts';
export { FINDING_SEVERITIES, type FindingCode } from './lint/finding-kinds.ts';
export { type FindingGroup, groupFindings } from './lint/group-findings.ts';
export { type FixResult, fix, lint } from './lint/lint.ts';
export { lintPreferences } from './lint/preferences/preferences.ts';
export { type NamedAgent, type RecordSummary, summarizeRecords } from './lint/record-summary.ts';
export { isPageWithoutRules } from './model/diagnostics/diagnostics.ts';
