/**
 * Findings of the linter as the JSON that programs read.
 *
 * @module
 */
import type { Finding } from '@maycrawl/core/lint';
import { BoundedLists, type ListLimits } from './bounded-list.ts';

/** Findings, and whether each can be mended. */
export function findingsReport(findings: readonly Finding[]): object[] {
  return findings.map(({ fix, ...finding }) => ({ ...finding, fixable: fix !== undefined }));
}

/** The same as a report of its own. If the findings are cut, `totals` has how many there are. */
export function boundedFindingsReport(findings: readonly Finding[], limits: ListLimits): object {
  const lists = new BoundedLists(limits);
  const taken = lists.take(findingsReport(findings));
  return { findings: taken, ...(lists.isCut && { totals: { findings: findings.length } }) };
}
