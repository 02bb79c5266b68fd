// The findings of a run as lists of the HTML report (report-data.ts).
import { truncate } from '@maycrawl/core/internal';
import type { FindingCode } from '../../findings/finding-kinds.ts';
import type { RunStore } from '../../run/run-store.ts';
import { RESOURCE_FINDINGS } from '../../run/tables/blocked-resources.ts';
import { orderFindings } from '../finding-order.ts';
import type { FindingGroup, FindingList, Target } from './report-data.ts';

/** Kinds whose detail is a value of the rows: writing thousands of titles again would double the size of the report. */
const GROUPED_BY_ROWS: ReadonlySet<FindingCode> = new Set(['duplicate-title', 'duplicate-content']);
/** Characters of a detail that are shown. */
const MAX_DETAIL = 300;

/** The rows of the report, by which lists refer to URLs. */
export interface RowFinder {
  findRow(key: number): number;
  /** The row of a URL, or its text if the report has none. */
  findTarget(url: string): Target;
}

/** Creates the lists, in the order of all crawlers together. Findings about URLs without a row are omitted. */
export function* createFindingLists(
  run: RunStore,
  agents: number,
  finder: RowFinder,
): Generator<FindingList> {
  const parts = orderFindings(run.findings.count());
  for (const code of new Set(parts.map((part) => part.code))) {
    const lists = new Map<string, { agents: number[]; groups: FindingGroup[] }>();
    for (let agent = 0; agent < agents; agent++) {
      const groups = createGroups(run, code, agent, finder);
      if (groups.length === 0) continue;
      const text = JSON.stringify(groups);
      const equal = lists.get(text);
      if (equal === undefined) lists.set(text, { agents: [agent], groups });
      else equal.agents.push(agent);
    }
    for (const list of lists.values()) yield { code, ...list };
  }
}

function createGroups(run: RunStore, code: FindingCode, agent: number, finder: RowFinder): FindingGroup[] {
  const groups: (Pick<FindingGroup, 'severity' | 'detail'> & { rows: number[]; targets: Target[][] })[] = [];
  for (const { key, severity, detail, targets: urls } of run.findings.list(code, agent)) {
    const row = finder.findRow(key);
    if (row < 0) continue;
    let group = groups.at(-1);
    if (group === undefined || group.detail !== detail || group.severity !== severity) {
      group = { severity, detail, rows: [], targets: [] };
      groups.push(group);
    }
    const targets: Target[] = [];
    // Blocked resources are in the rows: the same ones are on many pages.
    if (!Object.hasOwn(RESOURCE_FINDINGS, code)) for (const url of urls) targets.push(finder.findTarget(url));
    group.rows.push(row);
    group.targets.push(targets);
  }
  return groups.map(({ severity, detail, rows, targets }) => ({
    severity,
    detail: detail === null || GROUPED_BY_ROWS.has(code) ? null : truncate(detail, MAX_DETAIL),
    rows,
    targets: targets.some(({ length }) => length > 0) ? targets : [],
  }));
}
