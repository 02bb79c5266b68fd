// What the report shows, as the fragment of its address.
import type { CensusReportData } from 'maycrawl/api';
import type { Base } from './shares.ts';

/** A section: its title, and whether a report has what it shows. */
interface SectionInfo {
  readonly title: string;
  readonly isShown: (data: CensusReportData) => boolean;
}

const always = (): boolean => true;

export const SECTIONS = {
  blocked: { title: 'Who is blocked', isShown: always },
  access: { title: 'What agents may fetch', isShown: always },
  time: { title: 'Over time', isShown: ({ crawls }) => crawls.length > 1 },
  changes: { title: 'What changed', isShown: ({ transitions }) => transitions.length > 0 },
  ranks: { title: 'By rank', isShown: ({ ranks }) => ranks.length > 0 },
  weights: { title: 'By weight', isShown: ({ weights }) => weights.length > 0 },
  categories: { title: 'By category', isShown: ({ categories }) => categories.length > 0 },
  tlds: { title: 'By top-level domain', isShown: ({ tlds }) => tlds.length > 1 },
  matrix: { title: 'Blocked together', isShown: ({ agents }) => agents.length > 1 },
  named: { title: 'Who is named', isShown: ({ named }) => named.length > 0 },
  use: { title: 'Use of content', isShown: always },
  software: {
    title: 'Software and files',
    isShown: ({ generators, commonFiles }) => generators.length > 0 || commonFiles.length > 0,
  },
  readings: { title: 'Other parsers', isShown: ({ readings }) => readings.length > 0 },
  captures: { title: 'Captures and files', isShown: always },
  methods: { title: 'Methods', isShown: always },
} as const satisfies Readonly<Record<string, SectionInfo>>;

export type SectionName = keyof typeof SECTIONS;

export function listSections(data: CensusReportData): SectionName[] {
  const names = Object.keys(SECTIONS) as SectionName[];
  return names.filter((name) => (SECTIONS[name] as SectionInfo).isShown(data));
}

export interface View {
  /** The section at which the page begins. */
  readonly section: SectionName | '';
  /** What shares are of. */
  readonly base: Base;
  /** The agent in sections about one. */
  readonly agent: number;
  /** Which sites lines over time are about. */
  readonly sites: 'all' | 'panel';
  /** Index of the transition. */
  readonly pair: number;
}

/** Formats a view: only what differs from the default. */
export function formatView(data: CensusReportData, { section, base, agent, sites, pair }: View): string {
  const parameters = new URLSearchParams();
  if (base !== 'known') parameters.set('of', base);
  if (agent !== 0) parameters.set('agent', data.agents[agent]?.name ?? '');
  if (sites !== 'all') parameters.set('sites', sites);
  if (pair !== getDefaultPair(data)) parameters.set('pair', String(pair));
  const query = parameters.toString();
  return `#/${section}${query === '' ? '' : `?${query}`}`;
}

/** Parses a fragment. What is unknown has its default. */
export function parseView(data: CensusReportData, fragment: string): View {
  const [path = '', query = ''] = fragment.replace(/^#\/?/, '').split('?', 2);
  const parameters = new URLSearchParams(query);
  const agent = data.agents.findIndex(({ name }) => name === parameters.get('agent'));
  const pair = Number(parameters.get('pair') ?? Number.NaN);
  return {
    section: listSections(data).find((name) => name === path) ?? '',
    base: parameters.get('of') === 'files' ? 'files' : 'known',
    agent: Math.max(0, agent),
    sites: parameters.get('sites') === 'panel' && data.panel !== null ? 'panel' : 'all',
    pair: data.transitions[pair] === undefined ? getDefaultPair(data) : pair,
  };
}

/** From the crawl before the last one to the last one. */
function getDefaultPair({ transitions, crawls }: CensusReportData): number {
  return Math.max(
    0,
    transitions.findIndex(({ from, to }) => from === crawls.length - 2 && to === crawls.length - 1),
  );
}
