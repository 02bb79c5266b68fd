// Filters and sorts the URLs of the table.

import { FINDING_CODES } from 'maycrawl/api';
import type { Sorting as ColumnSorting } from '../../shared/table/sort-button.tsx';
import { getOutcome, OUTCOMES } from './outcome.ts';
import { NONE, type ReportData } from './report-data.ts';
import { createUseTest } from './use.ts';

/** Conditions for URLs. An empty text is none. */
export interface Filter {
  /** In the URL, or in the title if the crawler sees it. */
  readonly text: string;
  /** A verdict, which is the primary reason; or `not-indexable`, `hidden` or `conflict`. */
  readonly verdict: string;
  /** `judged`: URLs that have a verdict for the crawler; or a state. */
  readonly state: string;
  /** A status, `none`, or `2xx` and so on. */
  readonly status: string;
  /** `in` or `out`. */
  readonly sitemap: string;
  /** A number of links, `N+` for more than N, or `none`. */
  readonly depth: string;
  /** The code of a finding, or a severity. */
  readonly finding: string;
  /** The detail of that finding. */
  readonly detail: string;
  readonly segment: string;
  /** A purpose, a preference about it, and the format that decides: `ai-train:disallowed:page`. */
  readonly use: string;
}

/** Conditions that all URLs meet. */
export const ALL: Filter = {
  ...{ text: '', verdict: '', state: '', status: '' },
  ...{ sitemap: '', depth: '', finding: '', detail: '', segment: '', use: '' },
};
/** Many URLs are only named by others, and have no verdict. */
export const DEFAULT_FILTER: Filter = { ...ALL, state: 'judged' };

export const COLUMNS = ['url', 'verdict', 'status', 'depth', 'links', 'sitemap', 'time', 'title'] as const;
export type Column = (typeof COLUMNS)[number];

export type Sorting = ColumnSorting<Column>;

/** The indexes of the URLs that meet the conditions, sorted. */
export function selectUrls(data: ReportData, agent: number, filter: Filter, sorting: Sorting): Uint32Array {
  const passes = createTest(data, agent, filter);
  const found = new Uint32Array(data.count);
  let count = 0;
  for (let index = 0; index < data.count; index++) if (passes(index)) found[count++] = index;
  return sort(data, agent, found.subarray(0, count), sorting);
}

type Test = (index: number) => boolean;

function createTest(data: ReportData, agent: number, filter: Filter): Test {
  const tests: Test[] = [];
  const { text, verdict, state, status, sitemap, depth, finding, detail, segment, use } = filter;
  if (state === 'judged') tests.push((index) => data.getVerdict(index, agent) !== null);
  else if (state !== '') tests.push((index) => data.getState(index) === state);
  if (verdict !== '') tests.push(createVerdictTest(data, agent, verdict));
  if (status !== '') {
    const matches = createStatusTest(status);
    tests.push((index) => !data.isBlocked(index, agent) && matches(data.statuses[index] as number));
  }
  if (sitemap !== '') tests.push((index) => data.isInSitemap(index) === (sitemap === 'in'));
  if (depth !== '') tests.push(createDepthTest(data, depth));
  if (segment !== '') tests.push((index) => data.getSegment(index) === segment);
  if (use !== '') tests.push(createUseTest(data, agent, use));
  if (finding !== '') tests.push(createFindingTest(data, agent, finding, detail));
  if (text.trim() !== '') {
    const words = text.toLowerCase().trim().split(/\s+/);
    const { texts } = data;
    tests.push((index) => {
      const searched = data.isBlocked(index, agent) ? data.urls[index]?.toLowerCase() : texts[index];
      return words.every((word) => searched?.includes(word));
    });
  }
  return (index) => tests.every((test) => test(index));
}

function createVerdictTest(data: ReportData, agent: number, name: string): Test {
  if (name === 'conflict')
    return (index) => !data.isBlocked(index, agent) && data.get(index, 'canonical')?.kind === 'conflict';
  return (index) => {
    const verdict = data.getVerdict(index, agent);
    if (name === 'not-indexable') return verdict !== null && verdict.reasons.length > 0;
    if (name === 'hidden') return verdict !== null && verdict.maskedReasons.length > 0;
    return getOutcome(verdict) === name;
  };
}

function createStatusTest(status: string): (code: number) => boolean {
  if (status === 'none') return (code) => code < 0;
  if (/^\dxx$/.test(status)) return (code) => Math.floor(code / 100) === Number(status[0]);
  return (code) => code === Number(status);
}

function createDepthTest({ depths }: ReportData, depth: string): Test {
  if (depth === 'none') return (index) => (depths[index] as number) < 0;
  const number = Number.parseInt(depth, 10);
  return depth.endsWith('+')
    ? (index) => (depths[index] as number) > number
    : (index) => depths[index] === number;
}

function createFindingTest(data: ReportData, agent: number, finding: string, detail: string): Test {
  const members = new Uint8Array(data.count);
  for (const code of FINDING_CODES)
    for (const group of data.findings.getGroups(code, agent)) {
      const isMeant = code === finding || group.severity === finding;
      if (isMeant && (detail === '' || group.detail === detail))
        for (const index of group.rows) members[index] = 1;
    }
  return (index) => members[index] === 1;
}

function sort(
  data: ReportData,
  agent: number,
  places: Uint32Array,
  { column, descending }: Sorting,
): Uint32Array {
  if (column === 'url') return descending ? places.reverse() : places;
  const key = createKey(data, agent, column);
  const sign = descending ? -1 : 1;
  if (column === 'title') {
    const titles = Array.from(places, (index) =>
      data.isBlocked(index, agent) ? '' : (data.get(index, 'title') ?? ''),
    );
    const order = Uint32Array.from(places.keys()).sort((a, b) => {
      const [one, other] = [titles[a] as string, titles[b] as string];
      return one === other ? 0 : one < other ? -sign : sign;
    });
    return order.map((at) => places[at] as number);
  }
  const keys = new Float64Array(data.count);
  for (const place of places) keys[place] = key(place);
  return places.sort((a, b) => sign * ((keys[a] as number) - (keys[b] as number)) || a - b);
}

function createKey(data: ReportData, agent: number, column: Column): (index: number) => number {
  // What a crawler does not see has no place in its order.
  const hide = (index: number, numbers: ArrayLike<number>): number =>
    data.isBlocked(index, agent) ? NONE : (numbers[index] as number);
  switch (column) {
    case 'status':
      return (index) => hide(index, data.statuses);
    // URLs without a depth come last.
    case 'depth':
      return (index) => (data.depths[index] as number) >>> 0;
    case 'links':
      return (index) => data.links[index] as number;
    case 'time':
      return (index) => hide(index, data.milliseconds);
    case 'sitemap':
      return (index) => (data.isInSitemap(index) ? 0 : 1);
    default:
      return (index) => OUTCOMES.indexOf(getOutcome(data.getVerdict(index, agent)));
  }
}
