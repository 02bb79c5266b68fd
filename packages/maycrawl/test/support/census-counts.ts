// Counts of invented sites, in the simplest way.
import { GROUP_KINDS } from '../../src/census/judge/judged-agents.ts';
import {
  type AccessCell,
  type CensusReportData,
  SIZE_BOUNDS,
  type Stratum,
  type Transition,
} from '../../src/census/report/report-data.ts';
import { BLOCKED, SITE_ACCESSES } from '../../src/census/report/site-access.ts';
import { type Example, MAX_EXAMPLES, type SiteCount } from '../../src/census/report/site-count.ts';
import { INVENTED_AGENTS, type InventedSite, type SiteState } from './census-sites.ts';

/** Some sites. */
export type Sites = readonly InventedSite[];

/** Indexes of the agents. */
export const AGENTS: readonly number[] = INVENTED_AGENTS.map((_, index) => index);

/** The state of a site; `unknown` without a capture. */
export function getState(site: InventedSite, crawl: number, agent: number): SiteState {
  return site.crawls[crawl]?.[agent] ?? { access: 'unknown', group: null, witnesses: [] };
}

/** Whether the policy of a site is known. */
export function isDecided(site: InventedSite, crawl: number, agent: number): boolean {
  return !['unreachable', 'unknown'].includes(getState(site, crawl, agent).access);
}

/** Whether a site blocks an agent. */
export function isBlocked(site: InventedSite, crawl: number, agent: number): boolean {
  return BLOCKED.includes(getState(site, crawl, agent).access);
}

/** Counts sites. @param describe - what examples have besides the host. */
export function count(
  sites: Sites,
  describe: (site: InventedSite) => Partial<Example> = () => ({}),
): SiteCount {
  const examples = sites
    .slice(0, MAX_EXAMPLES)
    .map((site) => ({ host: site.host, witnesses: [], note: null, ...describe(site) }));
  return { count: sites.length, examples };
}

/** Counts sites with the evidence for an agent. */
export function countFor(sites: Sites, crawl: number, agent: number): SiteCount {
  return count(sites, (site) => ({
    witnesses: getState(site, crawl, agent).witnesses,
    note: site.status === 200 ? null : `HTTP ${site.status}`,
  }));
}

/** Counts sites by access and group. */
export function countAccess(sites: Sites, crawl: number, agent: number): AccessCell[] {
  return SITE_ACCESSES.flatMap((access) =>
    [...GROUP_KINDS, null].flatMap((group) => {
      const found = sites.filter((site) => {
        const state = site.crawls[crawl]?.[agent];
        return state?.access === access && state.group === group;
      });
      return found.length === 0 ? [] : [{ access, group, sites: countFor(found, crawl, agent) }];
    }),
  );
}

/** Counts a part of the sites. */
export function createStratum(name: string, sites: Sites, crawl: number): Stratum {
  return { name, sites: sites.length, access: AGENTS.map((agent) => countAccess(sites, crawl, agent)) };
}

/** Counts the weights of sites. */
export function createWeight(sites: Sites, crawl: number): CensusReportData['weights'][number] {
  const weighted = sites
    .filter(({ weight }) => weight !== null)
    .sort((a, b) => (b.weight ?? 0) - (a.weight ?? 0));
  const sum = (some: Sites): number => some.reduce((total, { weight }) => total + (weight ?? 0), 0);
  return {
    ...{
      name: 'tokens',
      sites: weighted.length,
      total: sum(weighted),
      missing: Math.round(sum(weighted) * 0.07),
    },
    access: AGENTS.map((agent) =>
      countAccess(weighted, crawl, agent).map((cell) => {
        const found = weighted.filter((site) => {
          const { access, group } = getState(site, crawl, agent);
          return access === cell.access && group === cell.group;
        });
        const sites = count(found, (site) => ({
          witnesses: getState(site, crawl, agent).witnesses,
          note: String(site.weight),
        }));
        return { ...cell, sites, weight: sum(found) };
      }),
    ),
  };
}

/** Counts sites that block two agents. */
export function createMatrix(sites: Sites, crawl: number): CensusReportData['matrix'] {
  const both = AGENTS.map((one) =>
    AGENTS.slice(one).map((other) =>
      countFor(
        sites.filter((site) => isBlocked(site, crawl, one) && isBlocked(site, crawl, other)),
        crawl,
        one,
      ),
    ),
  );
  return { sites: sites.length, both };
}

/** Counts the sites that are in all crawls. */
export function createPanel(sites: Sites, crawls: number): NonNullable<CensusReportData['panel']> {
  const numbers = Array.from({ length: crawls }, (_, crawl) => crawl);
  return {
    sites: sites.length,
    access: numbers.map((crawl) => AGENTS.map((agent) => countAccess(sites, crawl, agent))),
    firstBlocked: AGENTS.map((agent) =>
      [...numbers, null].map((crawl) => {
        const found = sites.filter((site) => {
          const first = numbers.find((each) => isBlocked(site, each, agent)) ?? null;
          return first === crawl;
        });
        return { crawl, sites: countFor(found, crawl ?? 0, agent) };
      }),
    ),
  };
}

/** Counts changes from one crawl to another. */
export function createTransition(all: Sites, from: number, to: number): Transition {
  const sites = all.filter((site) => site.crawls[from] !== null && site.crawls[to] !== null);
  return {
    ...{ from, to, sites: sites.length },
    agents: AGENTS.map((agent) =>
      SITE_ACCESSES.flatMap((before) =>
        SITE_ACCESSES.flatMap((after) => {
          const found = sites.filter(
            (site) =>
              getState(site, from, agent).access === before && getState(site, to, agent).access === after,
          );
          return found.length === 0 ? [] : [{ before, after, sites: countFor(found, to, agent) }];
        }),
      ),
    ),
  };
}

/** Counts sizes. */
export function createSizes(sites: Sites): CensusReportData['sizes'] {
  const sorted = sites.map(({ bytes }) => bytes).sort((a, b) => a - b);
  const classes = SIZE_BOUNDS.map((from, index) => {
    const found = sites.filter(
      ({ bytes }) => bytes >= from && bytes < (SIZE_BOUNDS[index + 1] ?? Number.POSITIVE_INFINITY),
    );
    return {
      from,
      files: Math.ceil(found.length / 2),
      sites: count(found, ({ bytes }) => ({ note: `${bytes} bytes` })),
    };
  });
  const quantiles = [0.5, 0.9, 0.99, 1].map((share) => ({
    share,
    bytes: sorted[Math.ceil(share * sorted.length) - 1] ?? 0,
  }));
  return { classes, quantiles };
}

/** Counts invented classes of another reading. */
export function createReading(
  sites: Sites,
  crawl: number,
  agent: number,
  reading: number,
): CensusReportData['readings'][number]['agents'][number] {
  const proved = ['none', 'some', 'all', 'undecided'] as const;
  return proved.flatMap((each) =>
    (['none', 'some', 'all', 'undecided', null] as const).flatMap((read) => {
      const found = sites.filter((site) => {
        const access = getState(site, crawl, agent).access.replace('listed-only', 'some');
        const divisor = reading === 0 ? 6 : 70;
        const other =
          site.bytes % divisor === 1
            ? site.bytes % 3 === 0
              ? null
              : access === 'some'
                ? 'all'
                : 'some'
            : access;
        return access === each && other === read;
      });
      return found.length === 0 ? [] : [{ proved: each, read, sites: countFor(found, crawl, agent) }];
    }),
  );
}
