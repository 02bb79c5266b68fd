// Names of crawlers in titles: the best known one, and the number of others.
import { ANY_OTHER_CRAWLER } from '@maycrawl/core/proofs';
import { formatCount } from './counts.ts';

const FIRST: readonly string[] = ['Googlebot', ANY_OTHER_CRAWLER];

/** More names are a number. */
const MAX_NAMES = 3;

/**
 * Formats names of at least one crawler: `Googlebot and bingbot`, `Googlebot and 40 others`.
 *
 * @param known - the names that come first, if they are among them. @defaultValue Googlebot, then any other crawler
 */
export function formatCrawlers(names: readonly string[], known: readonly string[] = FIRST): string {
  const first = known.find((name) => names.includes(name)) ?? (names[0] as string);
  const [shown = '', ...others] = [first, ...names.filter((name) => name !== first)].map((name) =>
    name === ANY_OTHER_CRAWLER ? 'any other crawler' : name,
  );
  if (others.length === 0) return shown;
  if (names.length > MAX_NAMES) return `${shown} and ${formatCount(others.length, 'other')}`;
  return `${[shown, ...others.slice(0, -1)].join(', ')} and ${others.at(-1)}`;
}

/** Sorts groups of crawlers: the one with Googlebot first, then the one of all other crawlers. */
export function sortByCrawler<T extends { readonly names: readonly string[] }>(groups: readonly T[]): T[] {
  const getRank = ({ names }: T): number => {
    const rank = FIRST.findIndex((name) => names.includes(name));
    return rank < 0 ? FIRST.length : rank;
  };
  return [...groups].sort((a, b) => getRank(a) - getRank(b));
}

/** The largest number of groups of crawlers in a title. */
const MAX_GROUPS = 3;

/** Joins parts of a title, each for a group of crawlers. */
export function joinGroups(parts: readonly string[]): string {
  const more = parts.length - MAX_GROUPS;
  return [...parts.slice(0, MAX_GROUPS), ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
