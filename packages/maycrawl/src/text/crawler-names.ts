// Names of crawlers in sentences: the best known one, and the number of others.
import { formatList } from '@maycrawl/core/internal';
import { ANY_OTHER_CRAWLER } from '@maycrawl/core/proofs';
import { formatCount } from './counts.ts';

const FIRST: readonly string[] = ['Googlebot', ANY_OTHER_CRAWLER];

/** Returns the name of a crawler of a comparison: "any other crawler" for the one without a name. */
export function getCrawlerName(name: string): string {
  return name === ANY_OTHER_CRAWLER ? 'any other crawler' : name;
}

/** More names are a number. */
const MAX_NAMES = 3;

/**
 * Formats names of at least one crawler: `Googlebot and bingbot`, `Googlebot and 40 others`, `20 named crawlers and any other crawler`.
 *
 * @param known - the names that come first, if they are among them. @defaultValue Googlebot, then any other crawler
 * @param count - of all crawlers, if the list has only some of them. @defaultValue the length of the list
 */
export function formatCrawlers(
  names: readonly string[],
  known: readonly string[] = FIRST,
  count: number = names.length,
): string {
  const first = known.find((name) => names.includes(name)) ?? (names[0] as string);
  if (count <= MAX_NAMES)
    return formatList([first, ...names.filter((name) => name !== first)].map(getCrawlerName));
  return first === ANY_OTHER_CRAWLER
    ? `${formatCount(count - 1, 'named crawler')} and ${getCrawlerName(first)}`
    : `${first} and ${formatCount(count - 1, 'other')}`;
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
