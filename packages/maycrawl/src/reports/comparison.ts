/**
 * What an edit changes, as the JSON that programs read.
 *
 * @module
 */
import type { Allowed, Disallowed } from '@maycrawl/core';
import type { FileComparison, RecordComparison } from '@maycrawl/core/proofs';

/**
 * Every change, by crawler, with an example; and those crawlers of which it is not decided whether there are more.
 *
 * @param records - what changed beside rules, if that is to be reported.
 */
export function comparisonReport(
  { equivalent, comparisons }: FileComparison,
  records?: RecordComparison,
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
  return { equivalent, changes, ...(undecided.length > 0 && { undecided }), ...(records && { records }) };
}

function ruleOf({ line, rule }: Allowed | Disallowed): object | null {
  return rule === null ? null : { line, rule: `${rule.kind}: ${rule.text}` };
}
