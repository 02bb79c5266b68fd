/**
 * What an edit changes, as the JSON that programs read.
 *
 * @module
 */
import type { Allowed, Disallowed } from '@maycrawl/core';
import type { FileComparison, RecordComparison } from '@maycrawl/core/proofs';
import { ALL, BoundedLists, type ListLimits } from './bounded-list.ts';

/**
 * Every change, by crawler, with an example; and those crawlers of which it is not decided whether there are more.
 *
 * @param options - `records`: what changed beside rules, if that is to be reported. `limits`: of the changes; if they are cut, `totals` has
 *   how many there are.
 */
export function comparisonReport(
  { equivalent, comparisons }: FileComparison,
  { records, limits = ALL }: { readonly records?: RecordComparison; readonly limits?: ListLimits } = {},
): object {
  const changes = comparisons.flatMap(({ crawlers, changes: own }) =>
    crawlers.flatMap(({ name: agent }) =>
      own.map(({ direction, example, before, after }) => ({
        ...{ agent, direction, example, before: ruleOf(before), after: ruleOf(after) },
      })),
    ),
  );
  const undecided = comparisons
    .filter((each) => each.equivalent === null)
    .flatMap(({ crawlers }) => crawlers.map(({ name }) => name));
  const lists = new BoundedLists(limits);
  const taken = lists.take(changes);
  const totals = lists.isCut && { totals: { changes: changes.length } };
  return {
    ...{ equivalent, changes: taken },
    ...(undecided.length > 0 && { undecided }),
    ...(records && { records }),
    ...totals,
  };
}

function ruleOf({ line, rule }: Allowed | Disallowed): object | null {
  return rule === null ? null : { line, rule: `${rule.kind}: ${rule.text}` };
}
