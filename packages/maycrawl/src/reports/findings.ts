/**
 * Findings of the linter as the JSON that programs read.
 *
 * @module
 */
import type { Finding } from '@maycrawl/core/lint';

/** Findings, and whether each can be mended. */
export function findingsReport(findings: readonly Finding[]): object[] {
  return findings.map(({ fix, ...finding }) => ({ ...finding, fixable: fix !== undefined }));
}
