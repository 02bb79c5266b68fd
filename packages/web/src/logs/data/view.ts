// What the report shows, as the fragment of its address.
import type { Sorting } from '../../shared/table/sort-button.tsx';
import { COLUMNS, type CrawlerColumn } from './crawler-list.ts';
import type { LogData } from './log-data.ts';

/** The titles of the sections, in order. */
export const SECTIONS = {
  findings: 'Findings',
  crawlers: 'Crawlers',
  rules: 'Rules',
  'what-if': 'What if',
  audit: 'Compared with the audit',
  meaning: 'What it means',
} as const;

export type SectionName = keyof typeof SECTIONS;

/** Sections about options that the log was read with. */
const CONDITIONS: Readonly<Partial<Record<SectionName, (data: LogData) => boolean>>> = {
  'what-if': ({ crawlers }) => crawlers.some(({ whatIf }) => whatIf !== null),
  audit: ({ log }) => log.audit !== null,
};

export function listSections(data: LogData): SectionName[] {
  const names = Object.keys(SECTIONS) as SectionName[];
  return names.filter((name) => CONDITIONS[name]?.(data) ?? true);
}

/** What the report shows. */
export interface View {
  /** The section at which the page begins. */
  readonly section: SectionName | '';
  /** The filter of crawlers. */
  readonly text: string;
  readonly sorting: Sorting<CrawlerColumn>;
  /** Whether crawlers have groups by purpose. */
  readonly isGrouped: boolean;
  /** The crawlers whose details are shown. */
  readonly open: readonly string[];
}

const DEFAULT_SORTING: Sorting<CrawlerColumn> = { column: 'requests', descending: true };
/** Open crawlers in an address. */
const MAX_OPEN = 20;

/** Formats a view: only what differs from the default. */
export function formatView({ section, text, sorting, isGrouped, open }: View): string {
  const parameters = new URLSearchParams();
  if (text !== '') parameters.set('crawlers', text);
  const { column, descending } = sorting;
  if (column !== DEFAULT_SORTING.column || descending !== DEFAULT_SORTING.descending)
    parameters.set('sort', `${descending ? '-' : ''}${column}`);
  if (!isGrouped) parameters.set('groups', 'none');
  for (const crawler of open.slice(0, MAX_OPEN)) parameters.append('open', crawler);
  const query = parameters.toString();
  return `#/${section}${query === '' ? '' : `?${query}`}`;
}

/** Parses a fragment. What is unknown has its default. */
export function parseView(data: LogData, fragment: string): View {
  const [path = '', ...rest] = fragment.replace(/^#\/?/, '').split('?');
  const parameters = new URLSearchParams(rest.join('?'));
  const names = new Set(data.crawlers.map(({ crawler }) => crawler));
  return {
    section: listSections(data).find((name) => name === path) ?? '',
    text: parameters.get('crawlers') ?? '',
    sorting: parseSorting(parameters.get('sort') ?? ''),
    isGrouped: parameters.get('groups') !== 'none',
    open: parameters
      .getAll('open')
      .filter((name) => names.has(name))
      .slice(0, MAX_OPEN),
  };
}

function parseSorting(text: string): Sorting<CrawlerColumn> {
  const descending = text.startsWith('-');
  const column = COLUMNS.find((each) => each === text.slice(descending ? 1 : 0));
  return column === undefined ? DEFAULT_SORTING : { column, descending };
}
