/**
 * What the report shows, as the fragment of its address.
 *
 * @module
 */
import type { CensusReportData } from 'maycrawl/api';
import type { Base } from './shares.ts';

/** The sections, in order, and their names in the list of contents. */
export const SECTIONS = [
  ['blocked', 'Who is blocked'],
  ['access', 'What agents may fetch'],
  ['time', 'Over time'],
  ['changes', 'What changed'],
  ['ranks', 'By rank'],
  ['weights', 'By weight'],
  ['tlds', 'By top-level domain'],
  ['matrix', 'Blocked together'],
  ['use', 'Use of content'],
  ['software', 'Software and files'],
  ['readings', 'Other parsers'],
  ['captures', 'Captures and files'],
  ['methods', 'Methods'],
] as const;

/** The name of a section. */
export type SectionName = (typeof SECTIONS)[number][0];

/** What the report shows. */
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

/** Whether a report has what a section shows. */
export function hasSection(data: CensusReportData, name: SectionName): boolean {
  switch (name) {
    case 'time':
      return data.crawls.length > 1;
    case 'changes':
      return data.transitions.length > 0;
    case 'ranks':
      return data.ranks.length > 0;
    case 'weights':
      return data.weights.length > 0;
    case 'tlds':
      return data.tlds.length > 1;
    case 'matrix':
      return data.agents.length > 1;
    case 'use':
      return data.declarations !== null;
    case 'software':
      return data.generators.length > 0 || data.commonFiles.length > 0;
    case 'readings':
      return data.readings.length > 0;
    default:
      return true;
  }
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
    section: SECTIONS.find(([name]) => name === path && hasSection(data, name))?.[0] ?? '',
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
