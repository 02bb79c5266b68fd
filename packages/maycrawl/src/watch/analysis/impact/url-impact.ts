// The impact of a changed file on the URLs of the owner: counted for each crawler, because a sum over crawlers says nothing about any.
import { parse } from '@maycrawl/core';
import type { CrawlerComparison } from '@maycrawl/core/proofs';
import type { Aspect } from '../../../api/watch/aspects.ts';
import { formatCount } from '../../../text/counts.ts';
import { formatCrawlers, joinGroups, sortByCrawler } from '../../../text/crawler-names.ts';
import type { FileImpact, ImpactOptions } from './impact-types.ts';

const MAX_NAMED = 5;
const MAX_DETAILS = 100;

/** Crawlers for which the verdicts of the same URLs change. */
interface UrlGroup {
  readonly names: readonly string[];
  readonly blocked: readonly string[];
  readonly allowed: readonly string[];
}

/** Finds the owner's URLs whose verdict changes, for each crawler. */
export function getUrlImpact(
  before: Uint8Array,
  after: Uint8Array,
  changed: readonly CrawlerComparison[],
  { origin, urls }: ImpactOptions,
): FileImpact {
  const url = `${origin}/robots.txt`;
  const [oldFile, newFile] = [parse(before, { url }), parse(after, { url })];
  const anyRuleset = newFile.ruleset('none');
  const own = urls.filter((each) => anyRuleset.decide(each).kind !== 'out-of-scope');
  const groups = new Map<string, UrlGroup>();
  // All crawlers of a comparison have the same rules.
  for (const { crawlers } of changed) {
    const [first] = crawlers;
    if (first === undefined) continue;
    const [old, now] = [oldFile.ruleset(first.crawler), newFile.ruleset(first.crawler)];
    const changes = own.map((each) => getChange(old.decide(each).kind, now.decide(each).kind));
    const key = changes.join('');
    const names = [...(groups.get(key)?.names ?? []), ...crawlers.map(({ name }) => name)];
    const select = (change: string): string[] => own.filter((_, index) => changes[index] === change);
    groups.set(key, { names, blocked: select('b'), allowed: select('a') });
  }
  return describeGroups(sortByCrawler([...groups.values()]), own.length);
}

/** Returns a letter: blocked, allowed, or no change. */
function getChange(before: string, after: string): 'a' | 'b' | '-' {
  if (before === 'allowed' && after === 'disallowed') return 'b';
  return before === 'disallowed' && after === 'allowed' ? 'a' : '-';
}

const DIRECTIONS = [
  ['blocked', 'urls-blocked'],
  ['allowed', 'urls-allowed'],
] as const satisfies readonly (readonly [keyof UrlGroup, Aspect])[];

function describeGroups(groups: readonly UrlGroup[], total: number): FileImpact {
  const found = DIRECTIONS.map(([direction, aspect]) => ({
    direction,
    aspect,
    own: groups.filter((group) => group[direction].length > 0),
  })).filter(({ own }) => own.length > 0);
  const counts = found.map(({ direction, own }) =>
    joinGroups(
      own.map((group, index) => {
        const count = formatCount(group[direction].length);
        const rest = index === 0 ? ` of your ${formatCount(total, 'URL')} newly ${direction}` : '';
        return `${formatCrawlers(group.names)}: ${count}${rest}`;
      }),
    ),
  );
  const examples = found.flatMap(({ direction, own }) =>
    own.flatMap((group) => {
      const names = formatCrawlers(group.names);
      return group[direction].slice(0, MAX_DETAILS).map((each) => `${direction} for ${names}: ${each}`);
    }),
  );
  const countAny = (direction: 'blocked' | 'allowed'): number =>
    new Set(groups.flatMap((group) => group[direction])).size;
  return {
    aspects: found.map(({ aspect }) => aspect),
    lines: counts.length > 0 ? [counts.join('; '), ...examples.slice(0, MAX_NAMED)] : [],
    details: {
      urls: {
        ...{ total, blocked: countAny('blocked'), allowed: countAny('allowed') },
        crawlers: groups
          .filter(({ blocked, allowed }) => blocked.length + allowed.length > 0)
          .map(({ names, blocked, allowed }) => ({
            agents: names,
            blocked: blocked.length,
            allowed: allowed.length,
          })),
        examples: examples.slice(0, MAX_DETAILS),
      },
    },
  };
}
