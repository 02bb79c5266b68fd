// The number of findings by code.
import type { Finding, FindingCode } from '@maycrawl/core/lint';

/** A code, and how many findings have it. */
export interface FindingCount {
  readonly code: FindingCode;
  readonly count: number;
}

/** Counts findings by code, in alphabetical order. */
export function countFindings(findings: readonly Pick<Finding, 'code'>[]): FindingCount[] {
  const counts = new Map<FindingCode, number>();
  for (const { code } of findings) counts.set(code, (counts.get(code) ?? 0) + 1);
  return Array.from(counts, ([code, count]) => ({ code, count })).sort((a, b) => (a.code < b.code ? -1 : 1));
}
