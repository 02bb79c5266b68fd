// The JSON of comparisons.
import type { Allowed, Disallowed } from '@maycrawl/core';
import type { DeclarationComparison } from '@maycrawl/core/preferences';
import type { FileComparison, RecordComparison } from '@maycrawl/core/proofs';
import { BoundedLists, type ListLimits, OUTPUT_LISTS } from './bounded-list.ts';
import { declarationsReport } from './declarations.ts';

/**
 * Reports every change of every crawler with an example, and the crawlers whose comparison is undecided.
 *
 * @param options - `records`: the changes of other records, if they are compared. `declarations`: those of declarations about the use of
 *   content. `limits`: of the list of changes, which can be the product
 *   of the crawlers and the rules of a file. If it is cut, `totals` has the number of all changes.
 */
export function comparisonReport(
  comparison: FileComparison,
  {
    records,
    declarations,
    limits = OUTPUT_LISTS,
  }: {
    readonly records?: RecordComparison;
    readonly declarations?: DeclarationComparison;
    readonly limits?: ListLimits;
  } = {},
): object {
  const { equivalent, comparisons } = comparison;
  const undecided = comparisons
    .filter((each) => each.equivalent === null)
    .flatMap(({ crawlers }) => crawlers.map(({ name }) => name));
  const lists = new BoundedLists(limits);
  const changes = lists.take(listChanges(comparison));
  const count = comparisons.reduce((sum, each) => sum + each.crawlers.length * each.changes.length, 0);
  return {
    equivalent,
    changes,
    ...(undecided.length > 0 && { undecided }),
    ...(records && { records }),
    ...(declarations && { preferences: declarationsReport(declarations, limits) }),
    ...(lists.isTruncated && { totals: { changes: count } }),
  };
}

function* listChanges({ comparisons }: FileComparison): Generator<object> {
  for (const { crawlers, changes } of comparisons)
    for (const { name: agent } of crawlers)
      for (const { direction, example, before, after } of changes)
        yield { agent, direction, example, before: toRuleReport(before), after: toRuleReport(after) };
}

function toRuleReport({ line, rule }: Allowed | Disallowed): object | null {
  return rule === null ? null : { line, rule: `${rule.kind}: ${rule.text}` };
}
