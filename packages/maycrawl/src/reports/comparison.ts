/**
 * What an edit changes, as the JSON that programs read.
 *
 * @module
 */
import type { Allowed, Disallowed } from '@maycrawl/core';
import type { FileComparison } from '@maycrawl/core/proofs';

/** Every change, by crawler, with an example; and those crawlers of which it is not decided whether there are more. */
export function comparisonReport({ equivalent, comparisons }: FileComparison): object {
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
  return { equivalent, changes, ...(undecided.length > 0 && { undecided }) };
}

function ruleOf({ line, rule }: Allowed | Disallowed): object | null {
  return rule === null ? null : { line, rule: `${rule.kind}: ${rule.text}` };
}
