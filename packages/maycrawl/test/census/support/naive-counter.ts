import { createHash } from 'node:crypto';
import { GROUP_KINDS } from '../../../src/census/judge/judged-agents.ts';
import type { AccessCell, Example, SiteCount, Witness } from '../../../src/census/report/report-data.ts';
import { BLOCKED, SITE_ACCESSES, type SiteAccess } from '../../../src/census/report/site-access.ts';
import type { TableRow } from './generated-census.ts';
import { getAccess, type NaiveSite } from './naive-sites.ts';

/** A crawl, as its tables have it. */
export interface NaiveCrawl {
  readonly sites: readonly NaiveSite[];
  readonly files: ReadonlyMap<string, TableRow>;
}

/** Functions that count sites of crawls. @param examples - of each number. */
export function createNaiveCounter(
  agents: readonly string[],
  ranks: readonly (readonly [name: string, rank: number])[],
  examples: number,
) {
  const rankOf = new Map<string, number>();
  for (const [name, rank] of ranks) rankOf.set(name, Math.min(rank, rankOf.get(name) ?? rank));
  const getRank = (site: string): number | null =>
    rankOf.get(site) ?? (site.startsWith('www.') ? rankOf.get(site.slice(4)) : undefined) ?? null;
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
  const compare = (a: NaiveSite, b: NaiveSite): number => {
    const [rank, other] = [a, b].map(({ site }) => getRank(site) ?? Number.POSITIVE_INFINITY) as [
      number,
      number,
    ];
    return rank === other ? (md5(a.site) < md5(b.site) ? -1 : 1) : rank - other;
  };
  const known = (crawl: NaiveCrawl, site: NaiveSite): boolean =>
    !['unreachable', 'unknown'].includes(access(crawl, site, agents[0] as string));
  const access = (crawl: NaiveCrawl, site: NaiveSite, agent: string): SiteAccess =>
    getAccess(site, agent, crawl.files) as SiteAccess;
  const isBlocked = (crawl: NaiveCrawl, site: NaiveSite, agent: string): boolean =>
    BLOCKED.includes(access(crawl, site, agent));
  const file = (crawl: NaiveCrawl, site: NaiveSite): TableRow | undefined =>
    site.final.digest === null ? undefined : crawl.files.get(site.final.digest);

  function witnesses(crawl: NaiveCrawl, site: NaiveSite, agent: string | undefined): readonly Witness[] {
    const row = file(crawl, site);
    if (row === undefined || agent === undefined) return [];
    const { judgement } = (row['agents'] as Record<string, { judgement: number }>)[agent] as {
      judgement: number;
    };
    const each = (row['judgements'] as TableRow[])[judgement - 1] as TableRow;
    return (['disallowed', 'allowed'] as const).flatMap((verdict) =>
      typeof each[`${verdict}Path`] === 'string'
        ? [
            {
              isAllowed: verdict === 'allowed',
              path: each[`${verdict}Path`] as string,
              line: Number(each[`${verdict}Line`] ?? 0),
            },
          ]
        : [],
    );
  }

  /** Finds the sites of the same names in another crawl, whose witnesses the examples have. */
  function count(
    sites: readonly NaiveSite[],
    crawl: NaiveCrawl,
    agent?: string,
    note: (site: NaiveSite) => string | null = () => null,
    order = compare,
  ): SiteCount {
    const shown = [...sites].sort(order).slice(0, examples);
    return {
      count: sites.length,
      examples: shown.map(
        (site): Example => ({
          host: site.site,
          witnesses: witnesses(crawl, inCrawl(crawl, site) ?? site, agent),
          note: note(site),
        }),
      ),
    };
  }
  const inCrawl = (crawl: NaiveCrawl, { site }: NaiveSite): NaiveSite | undefined =>
    crawl.sites.find((each) => each.site === site);

  const cells = (
    crawl: NaiveCrawl,
    sites: readonly NaiveSite[],
    toCount = (found: readonly NaiveSite[], agent: string): SiteCount => count(found, crawl, agent),
  ): (readonly AccessCell[])[] =>
    agents.map((agent) =>
      SITE_ACCESSES.flatMap((kind) =>
        [...GROUP_KINDS, null].flatMap((group) => {
          const found = sites.filter((site) => {
            const own = (file(crawl, site)?.['agents'] as Record<string, { group: string }> | undefined)?.[
              agent
            ];
            return access(crawl, site, agent) === kind && (own?.group ?? null) === group;
          });
          return found.length === 0 ? [] : [{ access: kind, group, sites: toCount(found, agent) }];
        }),
      ),
    );
  return { getRank, compare, known, access, isBlocked, file, count, inCrawl, cells };
}

export type NaiveCounter = ReturnType<typeof createNaiveCounter>;
