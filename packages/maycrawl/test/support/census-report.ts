/**
 * The data of reports of invented sites, counted in the simplest way.
 *
 * @module
 */

import { GROUP_KINDS } from '../../src/census/judge/body-judge.ts';
import { findBreaks } from '../../src/census/report/breaks.ts';
import {
  type AccessCell,
  BLOCKED,
  type CensusReportData,
  type Example,
  MAX_EXAMPLES,
  RANK_BOUNDS,
  type ReportCrawl,
  SITE_ACCESSES,
  SIZE_BOUNDS,
  type SiteCount,
  type Stratum,
  type Transition,
  WITH_FILE,
} from '../../src/census/report/report-data.ts';
import { createSites, INVENTED_AGENTS, type InventedSite, type SiteState } from './census-sites.ts';

/** Names of the crawls of Common Crawl. */
const COLLECTIONS = [
  '2021-17',
  '2021-31',
  '2022-21',
  '2023-06',
  '2023-23',
  '2023-50',
  '2024-30',
  '2025-13',
  '2026-08',
];

type Sites = readonly InventedSite[];

const AGENTS = INVENTED_AGENTS.map((_, index) => index);

/** Creates the data. @param crawls - from 1 to 9. */
export function createReportData(sites: number, crawls: number): CensusReportData {
  const all = createSites(sites, crawls);
  const last = crawls - 1;
  const inLast = all.filter((site) => site.crawls[last] !== null);
  const panel = all.filter((site) =>
    AGENTS.every((agent) => site.crawls.every((_, crawl) => isDecided(site, crawl, agent))),
  );
  const files = inLast.filter((site) => WITH_FILE.includes(getState(site, last, 0).access));
  const reports = Array.from({ length: crawls }, (_, crawl) =>
    createCrawl(all, crawl, COLLECTIONS.length - crawls + crawl),
  );
  return {
    title:
      reports.length === 1
        ? (reports[0] as ReportCrawl).name
        : `${reports[0]?.name} to ${reports.at(-1)?.name}`,
    maycrawl: '0.1.0',
    catalogue: '2026-11-23',
    agents: INVENTED_AGENTS.map(([name, operator, purpose]) => ({
      name,
      operator,
      purposes: purpose === '' ? [] : [purpose],
    })),
    crawls: reports,
    methods: [
      'A site is a host. Of several captures in a crawl, the one over HTTPS counts, and of those the last.',
      'A redirect from a robots.txt counts as the file that its target has, if the crawl has captured it.',
    ],
    sources: [
      { option: '--ranks', file: 'tranco.csv', sha256: 'a'.repeat(64), rows: 1_000_000 },
      { option: '--weights', file: 'tokens.csv', sha256: 'b'.repeat(64), rows: 812_345 },
    ],
    ranks: createRanks(inLast, last),
    tlds: [...new Set(inLast.map(({ tld }) => tld))]
      .map((tld) =>
        createStratum(
          tld,
          inLast.filter((site) => site.tld === tld),
          last,
        ),
      )
      .sort((a, b) => b.sites - a.sites),
    weights: [createWeight(inLast, last)],
    matrix: createMatrix(
      inLast.filter((site) => isDecided(site, last, 0)),
      last,
    ),
    panel: crawls === 1 ? null : createPanel(panel, crawls),
    transitions: Array.from({ length: last }, (_, from) => createTransition(all, from, from + 1)).concat(
      crawls > 2 ? [createTransition(all, 0, last)] : [],
    ),
    breaks: findBreaks(reports),
    declarations: {
      sites: files.length,
      declaring: count(files.filter(({ declares }) => declares)),
      formats: [
        { format: 'content-signal', sites: count(files.filter(({ declares }) => declares)) },
        {
          format: 'content-usage',
          sites: count(files.filter(({ declares, bytes }) => declares && bytes % 9 === 0)),
        },
      ],
      uses: (['ai-train', 'search', 'ai-input'] as const).flatMap((purpose, at) =>
        (['disallowed', 'allowed'] as const).flatMap((value, place) => {
          const found = files.filter(
            (site) => site.declares && (at === 0) === (place === 0) && site.bytes % (at + 1) === 0,
          );
          const statement = `Content-Signal: ${purpose}=${value === 'allowed' ? 'yes' : 'no'}`;
          return found.length === 0
            ? []
            : [{ agent: null, purpose, value, sites: count(found, () => ({ note: statement })) }];
        }),
      ),
      contradictions: [
        {
          code: 'allowed-agent-refused-use',
          title:
            'A crawler for AI training may fetch the site, which declares that it must not be used for AI training',
          sites: count(files.filter((site) => site.declares && site.bytes % 4 === 0)),
        },
      ],
    },
    generators: ['WordPress', 'Cloudflare managed robots.txt', 'Shopify'].map((name) => {
      const found = files.filter(({ generator }) => generator === name);
      return {
        ...{ name, sites: count(found), files: Math.ceil(found.length / 3) },
        blocked: AGENTS.map((agent) =>
          countFor(
            found.filter((site) => isBlocked(site, last, agent)),
            last,
            agent,
          ),
        ),
      };
    }),
    commonFiles: [
      {
        digest: 'd'.repeat(64),
        bytes: 67,
        rules: 2,
        generator: 'WordPress',
        sites: count(files.filter(({ generator }) => generator === 'WordPress')),
      },
      {
        digest: 'e'.repeat(64),
        bytes: 26,
        rules: 1,
        generator: null,
        sites: count(files.filter(({ bytes }) => bytes % 11 === 0)),
      },
    ],
    sizes: createSizes(files),
    readings: ['python-3.11', 'exact-rules'].map((name, reading) => ({
      name,
      agents: AGENTS.map((agent) => createReading(files, last, agent, reading)),
    })),
  };
}

function getState(site: InventedSite, crawl: number, agent: number): SiteState {
  return site.crawls[crawl]?.[agent] ?? { access: 'unknown', group: null, witnesses: [] };
}

function isDecided(site: InventedSite, crawl: number, agent: number): boolean {
  return !['unreachable', 'unknown'].includes(getState(site, crawl, agent).access);
}

function isBlocked(site: InventedSite, crawl: number, agent: number): boolean {
  return BLOCKED.includes(getState(site, crawl, agent).access);
}

function count(sites: Sites, describe: (site: InventedSite) => Partial<Example> = () => ({})): SiteCount {
  const examples = sites
    .slice(0, MAX_EXAMPLES)
    .map((site) => ({ host: site.host, witnesses: [], note: null, ...describe(site) }));
  return { count: sites.length, examples };
}

function countFor(sites: Sites, crawl: number, agent: number): SiteCount {
  return count(sites, (site) => ({
    witnesses: getState(site, crawl, agent).witnesses,
    note: site.status === 200 ? null : `HTTP ${site.status}`,
  }));
}

function countAccess(sites: Sites, crawl: number, agent: number): AccessCell[] {
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

function createStratum(name: string, sites: Sites, crawl: number): Stratum {
  return { name, sites: sites.length, access: AGENTS.map((agent) => countAccess(sites, crawl, agent)) };
}

function createRanks(sites: Sites, crawl: number): Stratum[] {
  const starts = [1, ...RANK_BOUNDS.map((bound) => bound + 1)];
  const strata = starts.map((from, index) => {
    const to = RANK_BOUNDS[index] ?? Number.POSITIVE_INFINITY;
    const found = sites.filter(({ rank }) => rank !== null && rank >= from && rank <= to);
    return createStratum(`${from}-${RANK_BOUNDS[index] ?? ''}`, found, crawl);
  });
  return [
    ...strata,
    createStratum(
      'unranked',
      sites.filter(({ rank }) => rank === null),
      crawl,
    ),
  ];
}

function createCrawl(all: Sites, crawl: number, collection: number): ReportCrawl {
  const sites = all.filter((site) => site.crawls[crawl] !== null);
  const name = `CC-MAIN-${COLLECTIONS[collection]}`;
  const [year = 0, week = 0] = (COLLECTIONS[collection] as string).split('-').map(Number);
  const from = Date.UTC(year, 0, 1 + (week - 1) * 7);
  const find = (access: string): Sites => sites.filter((site) => getState(site, crawl, 0).access === access);
  const rules = sites.filter((site) => WITH_FILE.includes(getState(site, crawl, 0).access));
  const statuses = [200, 404, 503, 301];
  return {
    ...{ name, collection: name, from, to: from + 12 * 86_400_000 },
    ...{ maycrawl: '0.1.0', profile: 'google', inputsDigest: 'c'.repeat(64), inputs: 72_000 },
    ...{ captures: Math.round(sites.length * 1.4), files: Math.round(sites.length * 0.21) },
    ...{ capturesSha256: '1'.repeat(64), filesSha256: '2'.repeat(64), sites: sites.length },
    outcomes: [
      { outcome: 'rules' as const, found: rules },
      { outcome: 'absent' as const, found: find('no-file') },
      { outcome: 'unreachable' as const, found: find('unreachable') },
      { outcome: 'redirect' as const, found: find('unknown') },
    ].map(({ outcome, found }) => ({
      outcome,
      captures: Math.round(found.length * 1.4),
      sites: count(found),
    })),
    statuses: statuses.map((status) => ({
      status,
      sites: count(sites.filter((site) => site.status === status)),
    })),
    access: AGENTS.map((agent) => countAccess(sites, crawl, agent)),
  };
}

function createWeight(sites: Sites, crawl: number): CensusReportData['weights'][number] {
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

function createMatrix(sites: Sites, crawl: number): CensusReportData['matrix'] {
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

function createPanel(sites: Sites, crawls: number): NonNullable<CensusReportData['panel']> {
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

function createTransition(all: Sites, from: number, to: number): Transition {
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

function createSizes(sites: Sites): CensusReportData['sizes'] {
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

function createReading(
  sites: Sites,
  crawl: number,
  agent: number,
  reading: number,
): CensusReportData['readings'][number]['agents'][number] {
  const proved = ['none', 'some', 'all', 'undecided'] as const;
  return proved.flatMap((each) =>
    (['none', 'some', 'all', null] as const).flatMap((read) => {
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
        return access === each && other === (each === 'undecided' ? 'undecided' : read);
      });
      return found.length === 0
        ? []
        : [{ proved: each, read: each === 'undecided' ? null : read, sites: countFor(found, crawl, agent) }];
    }),
  );
}
