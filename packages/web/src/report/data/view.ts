// What the report shows, as the fragment of its address: tab, crawler, filter, order and URL.
import { FINDING_CODES, type FindingCode } from 'maycrawl/api';
import { COLUMNS, type Column, DEFAULT_FILTER, type Filter, type Sorting } from './filter.ts';
import type { ReportData } from './report-data.ts';

const TABS = [
  ['findings', 'Findings'],
  ['summary', 'Summary'],
  ['urls', 'URLs'],
  ['use', 'Use of content'],
  ['segments', 'Segments'],
  ['sitemaps', 'Sitemaps'],
  ['slow', 'Slow pages'],
  ['omitted', 'Omitted'],
  ['outside', 'Out of scope'],
] as const;
type TabName = (typeof TABS)[number][0];

/** Lists the tabs of a report. The one about use exists only if something is declared. */
export function listTabs({ head }: ReportData): (typeof TABS)[number][] {
  return TABS.filter(([name]) => name !== 'use' || head.preferences !== null);
}

export interface View {
  readonly tab: TabName;
  /** Index of the crawler. */
  readonly agent: number;
  /** The kind of findings whose list is open. */
  readonly finding: FindingCode | '';
  readonly filter: Filter;
  readonly sorting: Sorting;
  /** Index of the URL whose evidence is shown. */
  readonly selected: number | null;
}

const DEFAULT_SORTING: Sorting = { column: 'url', descending: false };

/** The conditions of a filter, which are parameters of the address. */
const CONDITIONS = Object.keys(DEFAULT_FILTER) as (keyof Filter)[];

/** Formats a view as a fragment, which names only what differs from the default. */
export function formatView(data: ReportData, view: View): string {
  const { tab, agent, finding, filter, sorting, selected } = view;
  const parameters = new URLSearchParams();
  if (agent !== 0) parameters.set('agent', data.head.agents[agent]?.agent ?? '');
  if (tab === 'findings' && finding !== '') parameters.set('finding', finding);
  if (tab === 'urls') {
    for (const name of CONDITIONS)
      if (filter[name] !== DEFAULT_FILTER[name]) parameters.set(name, filter[name]);
    const sort = `${sorting.descending ? '-' : ''}${sorting.column}`;
    if (sort !== DEFAULT_SORTING.column) parameters.set('sort', sort);
    if (selected !== null) parameters.set('url', data.urls[selected] ?? '');
  }
  const query = parameters.toString();
  return `#/${tab}${query === '' ? '' : `?${query}`}`;
}

/** Parses a fragment. What is unknown has its default. */
export function parseView(data: ReportData, fragment: string): View {
  const [path = '', query = ''] = splitOnce(fragment.replace(/^#\/?/, ''), '?');
  const parameters = new URLSearchParams(query);
  const tab = listTabs(data).find(([name]) => name === path)?.[0] ?? 'findings';
  const name = parameters.get('agent');
  const agent = name === null ? 0 : data.head.agents.findIndex((each) => each.agent === name);
  const finding = FINDING_CODES.find((code) => code === parameters.get('finding')) ?? '';
  const url = parameters.get('url');
  const selected = url === null ? -1 : data.urls.indexOf(url);
  return {
    tab,
    agent: Math.max(0, agent),
    finding: tab === 'findings' ? finding : '',
    filter: tab === 'urls' ? parseFilter(parameters) : DEFAULT_FILTER,
    sorting: parseSorting(parameters.get('sort') ?? ''),
    selected: selected < 0 ? null : selected,
  };
}

function parseFilter(parameters: URLSearchParams): Filter {
  const values = CONDITIONS.map((name) => [name, parameters.get(name) ?? DEFAULT_FILTER[name]]);
  return Object.fromEntries(values) as Record<keyof Filter, string>;
}

function parseSorting(text: string): Sorting {
  const column = COLUMNS.find((each): each is Column => each === text.replace(/^-/, ''));
  return column === undefined ? DEFAULT_SORTING : { column, descending: text.startsWith('-') };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
