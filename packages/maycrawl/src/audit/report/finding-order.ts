// The order of findings in reports: what an owner should look at first.

import { compareSeverities } from '../../reports/severities.ts';
import { FINDING_CODES, FINDING_KINDS, type FindingCode } from '../findings/finding-kinds.ts';
import type { FindingCount } from '../run/tables/finding-table.ts';

/** Findings of one kind and severity, of one crawler or of all. */
export type FindingPart = Pick<FindingCount, 'severity' | 'count'> & { readonly code: FindingCode };

/**
 * Orders findings by severity, and within a severity by importance: the number of URLs, of which each counts more if many pages link to
 * it. Findings about a site as a whole come first.
 *
 * @param counts - of one crawler, or of all: those of the same kind and severity are added up.
 */
export function orderFindings(counts: readonly FindingCount[]): FindingPart[] {
  const parts = new Map<string, FindingPart & { links: number }>();
  for (const { code, severity, count, links } of counts) {
    const known = FINDING_CODES.find((each) => each === code);
    if (known === undefined) continue;
    const part = parts.get(`${severity} ${code}`) ?? { code: known, severity, count: 0, links: 0 };
    const sum = { ...part, count: part.count + count, links: part.links + links };
    parts.set(`${severity} ${code}`, sum);
  }
  return [...parts.values()]
    .map(({ links, ...part }) => ({ part, importance: getImportance(part, links) }))
    .sort(
      (a, b) =>
        compareSeverities(a.part.severity, b.part.severity) ||
        b.importance - a.importance ||
        FINDING_CODES.indexOf(a.part.code) - FINDING_CODES.indexOf(b.part.code),
    )
    .map(({ part }) => part);
}

/** A URL counts once, and once more for each doubling of the number of pages that link to it. */
function getImportance({ code, count }: FindingPart, links: number): number {
  if (FINDING_KINDS[code].concerns === 'site') return Number.MAX_VALUE;
  return count * (1 + Math.log2(1 + links / count));
}
