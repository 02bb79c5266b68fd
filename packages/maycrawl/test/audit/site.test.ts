/** `maycrawl audit` of the site with every case (site/): its requests, its run, and its record of each URL for each crawler. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../../../client/test/support/server.ts';
import { openRun } from '../../src/audit/run/open-run.ts';
import { LINK_TYPES } from '../../src/audit/run/records/link-list.ts';
import { SITEMAP_REASON, type StoredUrl, TARGET_REASON } from '../../src/audit/run/records/url.ts';
import type { RunStore } from '../../src/audit/run/run-store.ts';
import { createTestFolder } from '../support/folder.ts';
import { type RunResult, run } from '../support/run.ts';
import { readUrls } from './crawling.ts';
import { AGENTS, type Case } from './site/case.ts';
import { EVERY, getExpectedLine, getExpectedLinks, getSitemaps, type Line, toPath } from './site/expected.ts';
import { ROBOTS_TXT } from './site/robots-cases.ts';
import { CASES, startSite } from './site/site.ts';
import { SITEMAPS } from './site/sitemap-cases.ts';

/** The compared fields of a record. */
interface AuditRecord {
  readonly url: string;
  readonly agent: string;
  readonly state: string;
  readonly indexable: boolean | null;
  readonly reason: string | null;
  readonly reasons: readonly string[];
  readonly maskedReasons: readonly string[];
  readonly stateReason: string | null;
  readonly crawl: { readonly allowed: boolean; readonly line: number; readonly rule: string | null } | null;
  readonly status: number | null;
  readonly redirects: readonly { readonly status: number; readonly to: string }[] | null;
  readonly noindex: readonly { readonly from: string; readonly agent: string | null }[] | null;
  readonly canonical: { readonly kind: string; readonly urls: readonly string[] } | null;
  readonly sitemaps: readonly string[];
  readonly found: readonly { readonly by: string; readonly url: string | null }[];
  readonly links: number;
  readonly depth: number | null;
}

/** The catalogue names of the crawlers. */
const CALLED = ['Googlebot', 'Googlebot News', 'bingbot', 'examplebot'];
/** The link types that a visitor follows, with their names in records. */
const WALKED = ['link', 'nofollow', 'redirect', 'refresh'];
const NAMES: Readonly<Record<string, string>> = { nofollow: 'link', neighbour: 'link' };
const NAMING = getExpectedLinks();
const LINES = ROBOTS_TXT.split('\n');
/** The requests for a page that does not exist and for tdmrep.json. */
const OTHER_REQUESTS = /^\/(maycrawl-|\.well-known\/)/;
const file = `${createTestFolder('site')}/run.sqlite`;

let site: TestServer;
let result: RunResult;
let stored: RunStore;
let urls: readonly StoredUrl[];
/** The paths of the URLs by their keys. */
let paths: ReadonlyMap<number, string>;
let records: ReadonlyMap<string, AuditRecord>;
const path = (url: string): string => toPath(url, site.origin);

beforeAll(async () => {
  site = await startSite();
  const agents = AGENTS.flatMap((name) => ['--agent', name]);
  result = await run(['audit', `${site.origin}/`, ...agents, '--json', '--outside', '--database', file]);
  const parsed = result.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditRecord);
  // Sitemaps with findings have records, too.
  const ofSite = parsed.filter(({ stateReason }) => stateReason !== SITEMAP_REASON);
  records = new Map(ofSite.map((record) => [`${record.agent} ${path(record.url)}`, record]));
  stored = await openRun(file, 'read');
  urls = readUrls(stored).filter(({ stateReason }) => stateReason !== SITEMAP_REASON);
  paths = new Map(urls.map(({ key, url }) => [key, path(url)]));
});
afterAll(async () => {
  stored.close();
  await site.close();
});

test('the table has many URLs, each of them once', () => {
  const all = CASES.map(({ url }) => url);
  expect(all.filter((url, index) => all.indexOf(url) !== index)).toEqual([]);
  expect(all.length).toBeGreaterThan(200);
  // Every URL that a page of the table names is in the table.
  const named = CASES.flatMap(({ links = [] }) => links.map((link) => link.slice(link.indexOf(' ') + 1)));
  const listed = SITEMAPS.flatMap(({ entries }) => entries);
  expect([...named, ...listed].filter((url) => !all.includes(url))).toEqual([]);
});

test('each URL is found, and requested once if any crawler may fetch it', () => {
  expect(result.code).toBe(0);
  expect([...paths.values()].sort()).toEqual(CASES.map(({ url }) => url).sort());
  const pages = CASES.filter(({ served, state }) => served !== null && state === undefined);
  const expected = [
    '/robots.txt',
    ...SITEMAPS.filter(({ served }) => served !== null).map(({ url }) => url),
    ...pages.flatMap(({ url, tries = 1 }) => Array<string>(tries).fill(url)),
  ];
  const requests = site.requests.filter((url) => !OTHER_REQUESTS.test(url));
  expect(requests.sort()).toEqual(expected.sort());
});

test('the links of each page are stored, with their types', () => {
  const naming = new Map<string, string[]>();
  for (const { key } of urls)
    for (const { key: to, types } of stored.links(key)) {
      const names = Object.entries(LINK_TYPES).flatMap(([type, bit]) =>
        (types & bit) === 0 ? [] : [`${type} ${paths.get(key)}`],
      );
      const target = paths.get(to) as string;
      naming.set(target, [...(naming.get(target) ?? []), ...names]);
    }
  const sort = (map: ReadonlyMap<string, readonly string[]>): [string, string[]][] =>
    [...map].map(([url, names]): [string, string[]] => [url, [...names].sort()]).sort();
  expect(sort(naming)).toEqual(sort(NAMING));
});

test('the sitemaps and their URLs are stored', () => {
  const entries = (id: number): (string | undefined)[] =>
    urls.flatMap(({ key }) => (stored.sitemaps.findIds(key).includes(id) ? [paths.get(key)] : []));
  const sort = <T extends { readonly url: string }>(list: readonly T[]): T[] =>
    list.toSorted((a, b) => (a.url < b.url ? -1 : 1));
  const found = stored.sitemaps.list().map(({ id, url, foundIn, problem }) => ({
    ...{ url: path(url), foundIn: path(foundIn), problem, entries: entries(id).sort() },
  }));
  const expected = SITEMAPS.map((sitemap) => ({
    ...{ url: sitemap.url, foundIn: sitemap.foundIn, entries: [...sitemap.entries].sort() },
    problem: sitemap.problem === null ? null : expect.stringContaining(sitemap.problem),
  }));
  expect(sort(found)).toEqual(sort(expected));
});

test('there is a record for each URL and crawler, ordered by URL', () => {
  expect([...records.keys()].sort()).toEqual(
    EVERY.map(([{ url }, agent]) => `${CALLED[agent]} ${url}`).sort(),
  );
  const ordered = [...records.values()].map(({ url }) => url);
  expect(ordered).toEqual([...ordered].sort());
});

test.each(EVERY.map(([each, agent]) => [each.url, CALLED[agent] as string, each, agent] as const))(
  '%s for %s',
  (url, name, each, agent) => {
    const record = records.get(`${name} ${url}`) as AuditRecord;
    expect(record.state).toBe(each.state ?? 'fetched');
    if (each.state === 'outside') {
      const stateReason = each.isTarget ? TARGET_REASON : null;
      expect(record).toMatchObject({ indexable: null, crawl: null, stateReason });
      return;
    }
    const expected = getExpectedLine(each, agent);
    // A record has only the source and the agent of a noindex.
    const noindex = expected.noindex.split('; ').map((one) => one.replace(/: .*/, ''));
    expect(formatLine(record)).toEqual({ ...expected, noindex: noindex.sort().join('; ') });
    const { depth, indexable, reason, crawl } = record;
    expect([depth, indexable, reason]).toEqual([
      ...[each.depth === undefined ? 2 : each.depth, expected.reasons === ''],
      expected.reasons.split(' ')[0] || null,
    ]);
    expect(crawl?.rule).toBe(crawl?.line === 0 ? null : LINES[(crawl?.line ?? 0) - 1]);
  },
);

test('the discovery of each URL', () => {
  for (const [each, agent] of EVERY) {
    const record = records.get(`${CALLED[agent]} ${each.url}`) as AuditRecord;
    const names = getSources(each);
    const walked = new Set(names.filter(([type]) => WALKED.includes(type)).map(([, page]) => page));
    expect([each.url, record.links]).toEqual([each.url, walked.size]);
    expect([each.url, record.sitemaps.map(path).sort()]).toEqual([each.url, getSitemaps(each).sort()]);
    const known = new Set([
      ...(each.url === '/' ? ['start'] : []),
      ...getSitemaps(each).map((url) => `sitemap ${url}`),
      ...names.map(([type, page]) => `${NAMES[type] ?? type} ${page}`),
    ]);
    const found = record.found.map(({ by, url }) => (url === null ? by : `${by} ${path(url)}`));
    expect([each.url, found.filter((one) => !known.has(one))]).toEqual([each.url, []]);
    expect([each.url, found.length > 0]).toEqual([each.url, true]);
  }
});

/** Returns the other pages that name a URL: pairs of a link type and a page. */
function getSources({ url }: Case): [type: string, page: string][] {
  const names = (NAMING.get(url) ?? []).map((name): [string, string] => {
    const space = name.indexOf(' ');
    return [name.slice(0, space), name.slice(space + 1)];
  });
  return names.filter(([, page]) => page !== url);
}

/** Formats a record in the notation of the cases. */
function formatLine(record: AuditRecord): Line {
  const { crawl, status, redirects, noindex, canonical, reasons, maskedReasons } = record;
  const sources = noindex?.map(({ from, agent }) => `${from} ${agent ?? '*'}`);
  const canonicals = canonical?.urls.map(path) ?? [];
  const hasTargets = canonical?.kind === 'other' || canonical?.kind === 'conflict';
  return {
    crawl: `${crawl?.allowed ? '+' : '-'}${crawl?.line}`,
    status: status === null ? 'unseen' : String(status),
    redirects: redirects?.map((hop) => `${hop.status} ${path(hop.to)}`).join(', ') ?? 'unseen',
    noindex: sources?.sort().join('; ') ?? 'unseen',
    canonical: hasTargets ? [canonical.kind, ...canonicals].join(' ') : (canonical?.kind ?? 'unseen'),
    reasons: reasons.join(' '),
    maskedReasons: maskedReasons.join(' '),
  };
}
