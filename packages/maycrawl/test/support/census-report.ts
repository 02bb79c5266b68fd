// The data of reports of invented sites.
import { findBreaks } from '../../src/census/report/breaks.ts';
import {
  type CensusReportData,
  RANK_BOUNDS,
  type ReportCrawl,
  type Stratum,
} from '../../src/census/report/report-data.ts';
import { WITH_FILE } from '../../src/census/report/site-access.ts';
import {
  AGENTS,
  count,
  countAccess,
  countFor,
  createMatrix,
  createPanel,
  createReading,
  createSizes,
  createStratum,
  createTransition,
  createWeight,
  getState,
  isBlocked,
  isDecided,
  type Sites,
} from './census-counts.ts';
import { createSites, INVENTED_AGENTS } from './census-sites.ts';

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
      'Blocked means that every URL is disallowed, or all but /, /robots.txt, /ads.txt and /.well-known/.',
    ],
    sources: [
      { option: '--ranks', file: 'tranco.csv', sha256: 'a'.repeat(64), rows: 1_000_000 },
      { option: '--weights', file: 'tokens.csv', sha256: 'b'.repeat(64), rows: 812_345 },
      { option: '--table', file: 'categories.csv', sha256: 'd'.repeat(64), rows: 700 },
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
    categories: [createCategory(inLast, last)],
    groups: [
      {
        ...{ name: 'AI training', agents: [0, 1] },
        crawls: reports.map((_, crawl) => ({
          any: count(all.filter((site) => [0, 1].some((agent) => isBlocked(site, crawl, agent)))),
          all: countFor(
            all.filter((site) => [0, 1].every((agent) => isBlocked(site, crawl, agent))),
            crawl,
            0,
          ),
        })),
      },
    ],
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
    named: ['*', 'GPTBot', 'mj12bot', 'CCBot'].map((token, at) => ({
      ...{ token, operator: token === 'GPTBot' ? 'OpenAI' : null, isJudged: at % 2 === 1 },
      ...{
        firstCrawl: Math.min(at, last),
        sites: count(files.filter(({ bytes }) => bytes % (at + 1) === 0)),
      },
    })),
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

/** A third of the sites have no category, and a few the rare one. */
function createCategory(sites: Sites, crawl: number): CensusReportData['categories'][number] {
  const find = (value: string): Stratum => {
    const found = sites.filter(({ bytes }) => CATEGORIES[bytes % 3] === value);
    return createStratum(value, found, crawl);
  };
  const rare = createStratum('government', sites.slice(0, 5), crawl);
  const missing = createStratum(
    '',
    sites.filter(({ bytes }) => bytes % 3 === 2),
    crawl,
  );
  const values = [find('press'), find('shop'), rare];
  return {
    ...{ table: 'categories', column: 'category', others: null, missing },
    sites: sites.length - missing.sites,
    values,
  };
}

const CATEGORIES = ['press', 'shop'];

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
    ...{ captures: Math.round(sites.length * 1.4), files: Math.round(sites.length * 0.21), withoutHost: 3 },
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
