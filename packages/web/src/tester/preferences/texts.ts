// Preferences in words that need no knowledge of the formats.
import {
  type ConflictCode,
  describePromises,
  findRefusalPromises,
  POLICY_TOKENS,
  type PreferenceStatement,
  type PreferenceValue,
  type PurposePreference,
} from '@maycrawl/core/preferences';
import { getPurposeName } from 'maycrawl/api';
import { capitalize } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { AnnouncedCell } from '../explanation/change-announcement.tsx';
import type { PreferenceDetails } from '../judging/preferences.ts';
import type { Purpose, SelectedPreference } from '../state/selected-preference.ts';

/** Returns the name of a purpose as a title: "AI training". */
export function getPurposeTitle(purpose: string): string {
  return capitalize(getPurposeName(purpose));
}

/** Values as the page shows them. */
export const VALUE_WORDS: Readonly<Record<PreferenceValue, string>> = {
  allowed: 'allowed',
  disallowed: 'disallowed',
  unknown: 'unknown',
  'not-applicable': 'not applicable',
};

/** Describes the selected preference for the announcement of changes. */
export function describePreference(
  details: PreferenceDetails | null,
  { crawler, purpose }: SelectedPreference,
): AnnouncedCell | null {
  if (details === null || details.report.agent !== crawler) return null;
  const { purposes, url } = details.report;
  const name = `${getPurposeTitle(purpose)}, ${crawler}, ${visible(url, 200)}`;
  return { name, value: VALUE_WORDS[purposes[purpose]?.value ?? 'unknown'] };
}

/** The assumption of each reading that differs from the usual one (docs/preferences.md). */
const READING_TEXTS: Readonly<Record<string, string>> = {
  global: 'If statements for all crawlers also reach crawlers that have a group of their own',
  'robots-groups': 'If a Content-Usage line between User-agent lines does not begin a new group',
  'label-by-label': 'If a statement for a longer path replaces only the purposes that it names',
  'path-prefix': 'If * and $ have no special meaning in the path of a statement',
  'current-labels': 'If labels of earlier drafts, such as “ai” or “tdm”, no longer count',
  'listed-usages': 'If an RSL licence says nothing about uses that it does not list',
  'group-licenses': 'If a License line in a group reaches only the crawlers of the group',
};

/** A reading that leads to another value. */
export interface DifferentReading {
  readonly text: string;
  readonly value: PreferenceValue;
}

/** Returns the readings with another value than the usual one. */
export function getDifferentReadings(
  readings: Readonly<Record<string, PreferenceValue>>,
  value: PreferenceValue,
): DifferentReading[] {
  return Object.entries(readings)
    .filter((each) => each[1] !== value)
    .map(([name, other]) => ({ text: READING_TEXTS[name] ?? name, value: other }));
}

/** Kinds of contradictions. Those between readings are listed as readings. */
export const CONFLICT_TITLES: Readonly<Record<Exclude<ConflictCode, 'readings-differ'>, string>> = {
  'formats-disagree': 'Two formats contradict each other',
  'sources-disagree': 'Two places contradict each other',
  'use-without-crawl': 'A permission without effect',
};

/** Explains a value in one or two sentences. */
export function explainPreference({ report, crawlLine }: PreferenceDetails, purpose: Purpose): string {
  const preference = report.purposes[purpose];
  const title = getPurposeTitle(purpose);
  const { agent, crawl } = report;
  if (preference === undefined || crawl === 'out-of-scope')
    return 'This robots.txt does not apply to the URL, so its statements do not count.';
  const token = POLICY_TOKENS.find((each) => each.token === agent);
  if (token?.governs === null)
    return `${agent} sends no requests. Its rules are a preference about the use of pages that any crawler fetches: see the rows of the crawlers.`;
  if (token !== undefined)
    return `${agent} sends no requests. Its rules say how ${token.operator ?? 'its operator'} may use what ${token.governs?.[0] ?? 'a crawler'} fetches: see the row of that crawler.`;
  const { value, statements } = preference;
  const [first] = statements;
  switch (value) {
    case 'not-applicable': {
      const cause = crawlLine > 0 ? ` (line ${crawlLine})` : '';
      return `${agent} may not fetch the URL${cause}, so there is no content that it could use. Preferences do not apply.`;
    }
    case 'unknown':
      return first?.countsUnder.includes('grouped') === true
        ? `${describePlace(first)} is about ${title}, but neither allows nor refuses it.`
        : `Nothing is declared about ${title} for ${agent}. This is neither permission nor refusal.`;
    default:
      return first === undefined
        ? ''
        : `${describePlace(first)} ${value === 'allowed' ? 'allows' : 'refuses'} ${title}${describeReach(first, agent)}.`;
  }
}

/** Says that a refusal is a request, and who promised to honour it. */
export function describeRefusal(preference: PurposePreference, agent: string): string {
  const { promises, unpromised } = findRefusalPromises([preference]);
  const sentences = describePromises(promises, unpromised);
  return [`This is a request: ${agent} may still fetch the page.`, ...sentences].join(' ');
}

/** "Line 3", "The header Content-Usage", "The file tdmrep.json" */
export function describePlace({
  source,
  line,
  name,
}: Pick<PreferenceStatement, 'source' | 'line' | 'name'>): string {
  switch (source) {
    case 'robots.txt':
      return `Line ${line ?? 0}`;
    case 'header':
      return `The header ${name ?? ''}`.trimEnd();
    case 'meta':
      return `The meta element ${name ?? ''}`.trimEnd();
    case 'tdmrep.json':
      return 'The file tdmrep.json';
    case 'rsl':
      return line === null ? 'The RSL document' : `Line ${line} of the RSL document`;
    case 'html':
      return name === null ? 'The page' : 'The RSL document in the page';
  }
}

function describeReach({ format, label, agents, path }: PreferenceStatement, agent: string): string {
  if (format === 'policy-token') return `, by the rules for ${label}, which also govern ${agent}`;
  const names = agents?.filter((each) => each !== '*') ?? [];
  const reach = names.length === 0 || agents?.includes('*') === true ? 'all crawlers' : names.join(', ');
  const where = path === null ? '' : ` below ${path}`;
  if (agents === null) return where;
  return reach === 'all crawlers'
    ? `${where} for all crawlers without a group of their own`
    : ` for ${reach}${where}`;
}

/** What a statement contributes to the value. */
export function describeEffect(
  statement: PreferenceStatement & { readonly countsUnder: readonly string[] },
  isFirst: boolean,
  value: PreferenceValue,
): string {
  if (!statement.countsUnder.includes('grouped')) return 'counts only in other readings';
  if (value === 'not-applicable') return 'would count';
  return isFirst && value !== 'unknown' ? 'decides' : 'counts';
}

export function formatStatement({ source, name, text, label, format }: PreferenceStatement): string {
  if (format === 'policy-token') return `User-agent: ${label} … ${name ?? 'no rule'}: ${text}`;
  if (source === 'meta') return `<meta name="${name ?? ''}" content="${text}">`;
  return name === null || source === 'rsl' ? text : `${name}: ${text}`;
}
