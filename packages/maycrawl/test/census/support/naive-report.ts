import {
  type CensusReportData,
  MAX_TLDS,
  RANK_BOUNDS,
  SIZE_BOUNDS,
  type Stratum,
} from '../../../src/census/report/report-data.ts';
import { SITE_ACCESSES } from '../../../src/census/report/site-access.ts';
import type { TableRow } from './generated-census.ts';
import { countContent } from './naive-content.ts';
import { createNaiveCounter, type NaiveCrawl } from './naive-counter.ts';
import { findSites, type NaiveSite } from './naive-sites.ts';

/** Further files. */
export interface NaiveSources {
  readonly ranks: readonly (readonly [name: string, rank: number])[];
  readonly weights: readonly (readonly [name: string, weight: number])[];
}

type Counted = Pick<
  CensusReportData,
  | 'ranks'
  | 'tlds'
  | 'weights'
  | 'matrix'
  | 'panel'
  | 'transitions'
  | 'commonFiles'
  | 'declarations'
  | 'generators'
  | 'sizes'
  | 'readings'
> & {
  readonly crawls: readonly Pick<
    CensusReportData['crawls'][number],
    'sites' | 'outcomes' | 'statuses' | 'access'
  >[];
};

export function toCrawl(captures: readonly TableRow[], files: readonly TableRow[]): NaiveCrawl {
  return {
    sites: findSites(captures),
    files: new Map(files.map((row) => [String(row['digest']), row])),
  };
}

/** Counts everything in the simplest way. @param examples - of each number. */
export function countNaively(
  crawls: readonly NaiveCrawl[],
  agents: readonly string[],
  { ranks, weights }: NaiveSources,
  examples: number,
  readAs: readonly string[],
): Counted {
  const last = crawls.length - 1;
  const lastCrawl = crawls[last] as NaiveCrawl;
  const counter = createNaiveCounter(agents, ranks, examples);
  const { getRank, compare, known, access, isBlocked, file, count, inCrawl, cells } = counter;
  const stratum = (name: string, sites: readonly NaiveSite[]): Stratum[] =>
    sites.length === 0 ? [] : [{ name, sites: sites.length, access: cells(lastCrawl, sites) }];

  const tldOf = ({ first }: NaiveSite): string | null => first.domain?.split('.').at(-1) ?? null;
  const tlds = new Map<string, number>();
  for (const site of lastCrawl.sites) {
    const tld = tldOf(site);
    if (tld !== null) tlds.set(tld, (tlds.get(tld) ?? 0) + 1);
  }
  const mostFrequent = [...tlds]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, MAX_TLDS)
    .map(([tld]) => tld);

  const weightOf = new Map<string, number>();
  let missing = 0;
  for (const [name, weight] of weights) {
    const site = [name, `www.${name}`].find((each) => lastCrawl.sites.some((other) => other.site === each));
    if (site === undefined) missing += weight;
    else weightOf.set(site, (weightOf.get(site) ?? 0) + weight);
  }
  const weighted = lastCrawl.sites.filter(({ site }) => weightOf.has(site));
  const weigh = (site: NaiveSite): number => weightOf.get(site.site) ?? 0;
  const sum = (sites: readonly NaiveSite[]): number => sites.reduce((total, site) => total + weigh(site), 0);

  const panelSites = lastCrawl.sites.filter((site) =>
    crawls.every((crawl) => {
      const own = inCrawl(crawl, site);
      return own !== undefined && known(crawl, own);
    }),
  );
  const pairs = crawls.slice(1).map((_, from) => [from, from + 1] as const);
  if (last > 1) pairs.push([0, last]);
  const withFile = lastCrawl.sites.filter((site) => file(lastCrawl, site) !== undefined);
  const bytesOf = (site: NaiveSite): number => Number(file(lastCrawl, site)?.['bytes']);
  const sizes = withFile.map(bytesOf).sort((a, b) => a - b);

  const getReading = (site: NaiveSite, name: string, agent: string): unknown => {
    const readings = file(lastCrawl, site)?.['readAs'] as Record<string, TableRow> | undefined;
    return readings?.[name]?.[agent] ?? null;
  };

  return {
    crawls: crawls.map((crawl) => ({
      sites: crawl.sites.length,
      outcomes: [],
      statuses: [...new Set(crawl.sites.map(({ final }) => final.status))]
        .map((status) => ({
          status,
          sites: count(
            crawl.sites.filter(({ final }) => final.status === status),
            crawl,
          ),
        }))
        .sort((a, b) => b.sites.count - a.sites.count || (a.status ?? 0) - (b.status ?? 0)),
      access: cells(crawl, crawl.sites),
    })),
    ranks: [
      ...[0, ...RANK_BOUNDS].flatMap((start, place) => {
        const end = RANK_BOUNDS[place] ?? Number.POSITIVE_INFINITY;
        return stratum(
          `${start + 1}-${RANK_BOUNDS[place] ?? ''}`,
          lastCrawl.sites.filter(({ site }) => {
            const rank = getRank(site);
            return rank !== null && rank > start && rank <= end;
          }),
        );
      }),
      ...stratum(
        'unranked',
        lastCrawl.sites.filter(({ site }) => getRank(site) === null),
      ),
    ],
    tlds: [
      ...mostFrequent.flatMap((tld) =>
        stratum(
          tld,
          lastCrawl.sites.filter((site) => tldOf(site) === tld),
        ),
      ),
      ...stratum(
        'none',
        lastCrawl.sites.filter((site) => tldOf(site) === null),
      ),
    ],
    weights: [
      {
        name: 'tokens',
        sites: weighted.length,
        total: sum(weighted),
        missing,
        access: cells(lastCrawl, weighted, (found, agent) =>
          count(
            found,
            lastCrawl,
            agent,
            (site) => String(weigh(site)),
            (a, b) => weigh(b) - weigh(a) || compare(a, b),
          ),
        ).map((own, agent) =>
          own.map((cell) => ({
            ...cell,
            weight: sum(
              weighted.filter((site) => {
                const group = (
                  file(lastCrawl, site)?.['agents'] as Record<string, { group: string }> | undefined
                )?.[agents[agent] as string]?.group;
                return (
                  access(lastCrawl, site, agents[agent] as string) === cell.access &&
                  (group ?? null) === cell.group
                );
              }),
            ),
          })),
        ),
      },
    ],
    matrix: {
      sites: lastCrawl.sites.filter((site) => known(lastCrawl, site)).length,
      both: agents.map((one, place) =>
        agents.slice(place).map((other) =>
          count(
            lastCrawl.sites.filter((site) =>
              [one, other].every((agent) => isBlocked(lastCrawl, site, agent)),
            ),
            lastCrawl,
            one,
          ),
        ),
      ),
    },
    panel:
      last === 0
        ? null
        : {
            sites: panelSites.length,
            access: crawls.map((crawl) =>
              cells(
                crawl,
                panelSites.map((site) => inCrawl(crawl, site) as NaiveSite),
              ),
            ),
            firstBlocked: agents.map((agent) =>
              [...crawls.keys(), null].map((crawl) => {
                const found = panelSites.filter((site) => {
                  const first = crawls.findIndex((each) =>
                    isBlocked(each, inCrawl(each, site) as NaiveSite, agent),
                  );
                  return (first < 0 ? null : first) === crawl;
                });
                return { crawl, sites: count(found, crawls[crawl ?? 0] as NaiveCrawl, agent) };
              }),
            ),
          },
    transitions: pairs.map(([from, to]) => {
      const [before, after] = [crawls[from], crawls[to]] as [NaiveCrawl, NaiveCrawl];
      const both = after.sites.filter((site) => inCrawl(before, site) !== undefined);
      return {
        ...{ from, to, sites: both.length },
        agents: agents.map((agent) =>
          SITE_ACCESSES.flatMap((one) =>
            SITE_ACCESSES.flatMap((other) => {
              const found = both.filter(
                (site) =>
                  access(before, inCrawl(before, site) as NaiveSite, agent) === one &&
                  access(after, site, agent) === other,
              );
              return found.length === 0
                ? []
                : [{ before: one, after: other, sites: count(found, after, agent) }];
            }),
          ),
        ),
      };
    }),
    commonFiles: [...lastCrawl.files]
      .map(([digest, row]) => ({
        digest,
        bytes: Number(row['bytes']),
        rules: Number(row['rules']),
        generator: (row['generators'] as string[]).join(', ') || null,
        sites: count(
          lastCrawl.sites.filter(({ final }) => final.digest === digest),
          lastCrawl,
        ),
      }))
      .filter(({ sites }) => sites.count > 1)
      .sort((a, b) => b.sites.count - a.sites.count || (a.digest < b.digest ? -1 : 1)),
    ...countContent(lastCrawl, agents, counter),
    sizes: {
      classes: SIZE_BOUNDS.map((from, index) => {
        const end = SIZE_BOUNDS[index + 1] ?? Number.POSITIVE_INFINITY;
        const found = withFile.filter((site) => bytesOf(site) >= from && bytesOf(site) < end);
        return {
          from,
          files: new Set(found.map(({ final }) => final.digest)).size,
          sites: count(found, lastCrawl),
        };
      }),
      quantiles:
        sizes.length === 0
          ? []
          : [0.5, 0.9, 0.99, 1].map((share) => ({
              share,
              bytes: sizes[Math.max(0, Math.ceil(share * sizes.length) - 1)] as number,
            })),
    },
    readings: readAs.map((name) => ({
      name,
      agents: agents.map((agent) =>
        (['all', 'none', 'some', 'undecided'] as const).flatMap((proved) =>
          (['all', 'none', 'some', 'undecided', null] as const).flatMap((read) => {
            const found = withFile.filter(
              (site) =>
                access(lastCrawl, site, agent).replace('listed-only', 'some') === proved &&
                getReading(site, name, agent) === read,
            );
            return found.length === 0 ? [] : [{ proved, read, sites: count(found, lastCrawl, agent) }];
          }),
        ),
      ),
    })),
  };
}
