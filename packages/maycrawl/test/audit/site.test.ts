/** Crawls the site with every case (site/), and compares the evidence about each of its URLs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parse, resolveAgent } from '@maycrawl/core';
import { evaluatePage, type FetchOutcome } from '@maycrawl/core/indexability';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EvidenceReader, type Judged, type Unjudged } from '../../src/audit/judge/evidence.ts';
import { packReasons } from '../../src/audit/judge/reasons.ts';
import { RunPolicies } from '../../src/audit/judge/run-policies.ts';
import { LINK_TYPES } from '../../src/audit/run/records/link-list.ts';
import { type StoredUrl, TARGET_REASON } from '../../src/audit/run/records/url.ts';
import { readPage } from '../../src/html/read-page.ts';
import { type Crawled, crawlAll, getRecord } from './crawling.ts';
import { AGENTS, type Case, getForAgent, OPEN } from './site/case.ts';
import {
  formatStatements,
  getExpectedLine,
  getExpectedLinks,
  getSitemaps,
  type Line,
  toDiscovery,
  toLine,
  toPath,
} from './site/expected.ts';
import { type RunningSite, startSite } from './site/server.ts';
import { CASES, respond, SITEMAPS } from './site/site.ts';

const ORIGIN = 'http://127.0.0.1:8000';
const NOW = Date.UTC(2026, 0, 1);

test('the table has many URLs, each of them once', () => {
  const urls = CASES.map(({ url }) => url);
  expect(urls.filter((url, index) => urls.indexOf(url) !== index)).toEqual([]);
  expect(urls.length).toBeGreaterThan(300);
  // Every URL that a page of the table names is in the table.
  const named = CASES.flatMap(({ links = [] }) => links.map((link) => link.slice(link.indexOf(' ') + 1)));
  const listed = SITEMAPS.flatMap(({ entries }) => entries);
  expect([...named, ...listed].filter((url) => !urls.includes(url))).toEqual([]);
});

describe('a single response', () => {
  const robots = parse(Buffer.from(respond('/robots.txt', ORIGIN).body));
  const toUrl = (url: string): string => (url.startsWith('/') ? `${ORIGIN}${url}` : url);
  const pages = CASES.filter(({ served, state }) => served !== null && state === undefined);
  /** Uncompressed responses only, because the client decompresses. */
  const readable = pages.filter(
    ({ served }) => !served?.headers?.some(([name]) => name === 'Content-Encoding'),
  );

  function getOutcome({ url }: Case): FetchOutcome & { readonly kind: 'page' } {
    const { status, headers, body } = respond(url, ORIGIN);
    return { kind: 'page', page: readPage({ url: toUrl(url), status, headers }, body), redirects: [] };
  }

  test.each(readable.map((each) => [each.url, each] as const))('%s', (url, each) => {
    const outcome = getOutcome(each);
    const got: Line[] = [];
    for (const name of AGENTS) {
      const { crawler } = resolveAgent(name);
      const crawl = robots.ruleset(crawler).decide(url);
      if (crawl.kind === 'out-of-scope') throw new Error(url);
      const known = { url: toUrl(url), sitemaps: [], found: [], depth: null };
      const evidence =
        crawl.kind === 'allowed'
          ? evaluatePage({ ...known, crawl, outcome: outcome }, crawler, NOW)
          : evaluatePage({ ...known, crawl, outcome: outcome }, crawler, NOW);
      got.push({ ...toLine(evidence, ORIGIN), redirects: '' });
      if (crawl.kind === 'allowed' && each.statements !== undefined)
        expect(formatStatements(evidence, ORIGIN)).toEqual(each.statements);
    }
    expect(got).toEqual(AGENTS.map((_, agent) => ({ ...getExpectedLine(each, agent), redirects: '' })));
    const { location } = outcome.page;
    const [first = ''] = AGENTS.map((_, agent) => getExpectedLine(each, agent).redirects).filter(
      (hops) => hops !== 'unseen',
    );
    if (each.served?.status !== 404)
      expect(location === null ? '' : toPath(location, ORIGIN)).toBe(first.split(', ')[0]?.slice(4));
  });

  test('an unfetched URL is disallowed for every crawler, and a fetched one is allowed for at least one', () => {
    for (const { url, state, crawl = OPEN } of CASES) {
      const isOpen = AGENTS.some((_, agent) => getForAgent(crawl, agent).startsWith('+'));
      if (state !== 'outside') expect([url, isOpen]).toEqual([url, state === undefined]);
    }
  });
});

describe('the crawl of the whole site', () => {
  let site: RunningSite;
  let crawled: Crawled;
  /** The evidence about each URL, for each crawler. */
  let evidence: Map<string, (Judged | Unjudged)[]>;
  /** The stored URLs by their keys and by their paths. */
  let paths: Map<number, string>;
  let stored: Map<string, StoredUrl>;

  beforeAll(async () => {
    site = await startSite();
    crawled = await crawlAll([`${site.origin}/`], { settings: { agents: AGENTS }, now: () => NOW });
    const { run, urls } = crawled;
    paths = new Map(urls.map(({ key, url }) => [key, toPath(url, site.origin)]));
    stored = new Map(urls.map((each) => [paths.get(each.key) as string, each]));
    const reader = new EvidenceReader(run, new RunPolicies(run, AGENTS, 'google'), NOW);
    evidence = new Map();
    for (const url of urls)
      evidence.set(
        paths.get(url.key) as string,
        await Promise.all(AGENTS.map((_, agent) => reader.evidence(getRecord(run, url), agent))),
      );
  });
  afterAll(async () => {
    await crawled.close();
    await site.close();
  });

  test('finds each URL and no other', () => {
    expect([...stored.keys()].sort()).toEqual(CASES.map(({ url }) => url).sort());
    expect(crawled.end).toMatchObject({ why: 'complete', waiting: 0 });
  });

  test('fetches each URL once that any crawler may fetch, and no other', () => {
    const pages = CASES.filter(({ served, state }) => served !== null && state === undefined);
    const expected = [
      '/robots.txt',
      ...SITEMAPS.filter(({ served }) => served !== null).map(({ url }) => url),
      ...pages.flatMap(({ url, tries = 1 }) => Array<string>(tries).fill(url)),
    ];
    expect([...site.requests].sort()).toEqual(expected.sort());
  });

  test.each(CASES.map((each) => [each.url, each] as const))('%s', async (url, each) => {
    const { key, state, depth } = stored.get(url) as StoredUrl;
    expect(state).toBe(each.state ?? 'fetched');
    if (state !== 'outside') expect(depth).toBe(each.depth === undefined ? 2 : each.depth);
    const got = evidence.get(url) as (Judged | Unjudged)[];
    if (state === 'outside') {
      const why = each.isTarget ? TARGET_REASON : null;
      expect(got).toEqual(AGENTS.map(() => ({ kind: 'unjudged', url, state, why })));
      expect(crawled.run.verdicts.get(key, 0)).toBeUndefined();
      return;
    }
    const judged = got.flatMap((one) => (one.kind === 'judged' ? [one] : []));
    expect(judged.map((one) => toLine(one, site.origin))).toEqual(
      AGENTS.map((_, agent) => getExpectedLine(each, agent)),
    );
    for (const [agent, { crawl, verdict, hidden, sitemaps, found }] of judged.entries()) {
      expect(sitemaps.map((sitemap) => toPath(sitemap, site.origin)).sort()).toEqual(
        getSitemaps(each).sort(),
      );
      expect(found.map((one) => toDiscovery(one, site.origin))).toEqual([
        ...(url === '/' ? ['start'] : []),
        ...sitemaps.map((sitemap) => `sitemap ${toPath(sitemap, site.origin)}`),
      ]);
      // The stored summary is equal.
      expect(crawled.run.verdicts.get(key, agent)).toEqual({
        ...{ key, agent, isAllowed: crawl.kind === 'allowed', reason: crawl.reason, line: crawl.line },
        ...{ isIndexable: verdict.indexable, reasons: packReasons(verdict.indexable ? [] : verdict.reasons) },
        maskedReasons: packReasons(hidden),
      });
    }
    const links = crawled.run.links(key);
    const words = links.flatMap(({ key: to, types }) =>
      toLinkTypes(types).map((type) => `${type} ${paths.get(to)}`),
    );
    expect(words.sort()).toEqual(state === 'fetched' ? [...(each.links ?? [])].sort() : []);
  });

  test('stores the pages that name each URL', async () => {
    const naming = new Map<string, string[]>();
    for (const { key } of crawled.urls)
      for (const { key: to, types } of crawled.run.links(key)) {
        const names = toLinkTypes(types).map((type) => `${type} ${paths.get(key)}`);
        naming.set(paths.get(to) as string, [...(naming.get(paths.get(to) as string) ?? []), ...names]);
      }
    const sorted = (map: ReadonlyMap<string, readonly string[]>): [string, string[]][] =>
      [...map].map(([url, names]): [string, string[]] => [url, [...names].sort()]).sort();
    expect(sorted(naming)).toEqual(sorted(getExpectedLinks()));
  });

  test('stores the sitemaps and their URLs', async () => {
    const named = new Map<number, string[]>();
    for (const { key } of crawled.urls)
      for (const id of crawled.run.sitemaps.findIds(key))
        named.set(id, [...(named.get(id) ?? []), paths.get(key) as string]);
    const sitemaps = crawled.run.sitemaps.list();
    const path = (url: string): string => toPath(url, site.origin);
    const got = sitemaps.map(({ id, url, foundIn, problem }) => ({
      ...{ url: path(url), foundIn: path(foundIn), problem, entries: (named.get(id) ?? []).sort() },
    }));
    const byUrl = (a: { readonly url: string }, b: { readonly url: string }): number =>
      a.url < b.url ? -1 : 1;
    expect(got.sort(byUrl)).toEqual(
      SITEMAPS.map(({ url, foundIn, problem, entries }) => ({
        ...{ url, foundIn, entries: [...entries].sort() },
        problem: problem === null ? null : expect.stringContaining(problem),
      })).sort(byUrl),
    );
  });
});

function toLinkTypes(sum: number): string[] {
  return Object.entries(LINK_TYPES).flatMap(([type, bit]) => ((sum & bit) === 0 ? [] : [type]));
}

test('the server for manual inspection serves the site', async () => {
  const script = fileURLToPath(new URL('./site/serve-site.mjs', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const response = await fetch(`${line.toString().trim()}meta/noindex`);
  expect(await response.text()).toContain('noindex');
  child.kill();
});
