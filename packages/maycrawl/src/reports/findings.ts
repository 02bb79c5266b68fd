// The JSON of findings of the linter.
import type { Finding } from '@maycrawl/core/lint';
import { BoundedLists, type ListLimits } from './bounded-list.ts';

/** Returns findings, and whether each can be fixed. */
export function findingsReport(findings: readonly Finding[]): object[] {
  return findings.map(({ fix, ...finding }) => ({ ...finding, fixable: fix !== undefined }));
}

/** Returns a report of the findings. If the list is truncated, `totals` has their number. */
export function boundedFindingsReport(findings: readonly Finding[], limits: ListLimits): object {
  const lists = new BoundedLists(limits);
  const taken = lists.take(findingsReport(findings));
  return { findings: taken, ...(lists.isTruncated && { totals: { findings: findings.length } }) };
}
