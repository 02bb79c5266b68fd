// Findings with the severity `error` that only one of two runs has. Both runs must be complete: what an incomplete run did not see is no
// change.

import { FINDING_CODES, FINDING_KINDS, type FindingCode } from '../../findings/finding-kinds.ts';
import type { RunStore } from '../../run/run-store.ts';
import { type ChangeGroup, GroupCollector } from './change-groups.ts';

/** Findings of one kind that began or ended. */
export interface FindingChange {
  readonly code: FindingCode;
  /** `new`: in the later run only; `fixed`: in the earlier one only, and no crawler has any of this kind any more. */
  readonly kind: 'new' | 'fixed';
  readonly group: ChangeGroup;
  /** The findings of the later run, by crawler. */
  readonly totals: Readonly<Record<string, number>>;
}

/** A run and the places of the common crawlers in it. */
interface Side {
  readonly run: RunStore;
  readonly places: ReadonlyMap<string, number>;
}

/**
 * Finds findings that began or ended. Those of URLs that became indexable, or are no longer indexable, follow from that change and do
 * not count.
 *
 * @param host - of the audit, with the port.
 */
export function findFindingChanges(before: Side, after: Side, host: string): FindingChange[] {
  const changes: FindingChange[] = [];
  // What is said about a whole site follows from its pages.
  for (const code of FINDING_CODES.filter((each) => FINDING_KINDS[each].concerns !== 'site')) {
    const added = collect(code, after, before, host);
    if (added.group.urls > 0) changes.push({ code, kind: 'new', ...added });
    else if (Object.values(added.totals).every((count) => count === 0)) {
      const ended = collect(code, before, after, host);
      if (ended.group.urls > 0)
        changes.push({ code, kind: 'fixed', group: ended.group, totals: added.totals });
    }
  }
  return changes;
}

/** Collects the findings of a kind that one run has and the other one has not. */
function collect(
  code: FindingCode,
  one: Side,
  other: Side,
  host: string,
): Pick<FindingChange, 'group' | 'totals'> {
  const collector = new GroupCollector(host);
  const totals: Record<string, number> = {};
  const counted = new Set<number>();
  for (const [agent, place] of one.places) {
    totals[agent] = 0;
    let last: string | undefined;
    for (const { url, key } of one.run.findings.list(code, place, { severity: 'error' })) {
      totals[agent]++;
      // A URL can have several findings of a kind.
      if (url === last) continue;
      last = url;
      const otherKey = other.run.findKey(url);
      const otherPlace = other.places.get(agent) as number;
      if (otherKey !== undefined) {
        if (
          other.run.findings
            .ofUrl(otherKey, otherPlace)
            .some((each) => each.code === code && each.severity === 'error')
        )
          continue;
        const [own, its] = [one.run.verdicts.get(key, place), other.run.verdicts.get(otherKey, otherPlace)];
        if ((own?.isIndexable ?? false) !== (its?.isIndexable ?? false)) continue;
      }
      collector.add(url, agent, counted.has(key));
      counted.add(key);
    }
  }
  return { group: collector.finish(), totals };
}
