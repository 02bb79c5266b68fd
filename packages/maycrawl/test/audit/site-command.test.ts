/** What `maycrawl audit` tells of the site that has every case (site/), URL by URL and crawler by crawler. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunResult, run } from '../support/run.ts';
import { AGENTS, type Case } from './site/case.ts';
import { EVERY, expectedLine, expectedNaming, type Line, pathOf, sitemapsFor } from './site/expected.ts';
import { ROBOTS_TXT } from './site/robots-cases.ts';
import { type RunningSite, startSite } from './site/server.ts';

/** Fields of a record, as far as they are looked at. */
interface Told {
  readonly url: string;
  readonly agent: string;
  readonly state: string;
  readonly indexable: boolean | null;
  readonly reason: string | null;
  readonly reasons: readonly string[];
  readonly hidden: readonly string[];
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

/** The crawlers by their names in the catalogue. */
const CALLED = ['Googlebot', 'Googlebot News', 'bingbot', 'examplebot'];
/** Ways by which a visitor gets there, and what a record calls each way. */
const WALKED = ['link', 'nofollow', 'redirect', 'refresh'];
const NAMES: Readonly<Record<string, string>> = { nofollow: 'link', neighbour: 'link' };
const NAMING = expectedNaming();
const LINES = ROBOTS_TXT.split('\n');

/** What names a URL, but itself: pairs of a way and a page. */
function namesOf({ url }: Case): [way: string, page: string][] {
  const names = (NAMING.get(url) ?? []).map((name): [string, string] => {
    const space = name.indexOf(' ');
    return [name.slice(0, space), name.slice(space + 1)];
  });
  return names.filter(([, page]) => page !== url);
}

let site: RunningSite;
let result: RunResult;
let told: Map<string, Told>;
const path = (url: string): string => pathOf(url, site.origin);

beforeAll(async () => {
  site = await startSite();
  const agents = AGENTS.flatMap((name) => ['--agent', name]);
  result = await run(['audit', `${site.origin}/`, ...agents, '--json']);
  const records = result.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Told);
  told = new Map(records.map((record) => [`${record.agent} ${path(record.url)}`, record]));
}, 60_000);
afterAll(() => site.close());

/** A record in the words of the cases. Of noindex it is only told who says it to whom. */
function lineOf(record: Told): Line {
  const { crawl, status, redirects, noindex, canonical, reasons, hidden } = record;
  const urls = canonical?.urls.map(path) ?? [];
  return {
    crawl: `${crawl?.allowed ? '+' : '-'}${crawl?.line}`,
    status: status === null ? 'unseen' : String(status),
    redirects: redirects?.map((hop) => `${hop.status} ${path(hop.to)}`).join(', ') ?? 'unseen',
    noindex:
      noindex
        ?.map(({ from, agent }) => `${from} ${agent ?? '*'}`)
        .sort()
        .join('; ') ?? 'unseen',
    canonical:
      canonical === null
        ? 'unseen'
        : ['other', 'conflict'].includes(canonical.kind)
          ? `${canonical.kind} ${urls.join(' ')}`
          : canonical.kind,
    reasons: reasons.join(' '),
    hidden: hidden.join(' '),
  };
}

describe('maycrawl audit --json', () => {
  test('a record for each URL and crawler, in the order of URLs', () => {
    expect(result.code).toBe(0);
    expect([...told.keys()].sort()).toEqual(
      EVERY.map(([{ url }, agent]) => `${CALLED[agent]} ${url}`).sort(),
    );
    const urls = [...told.values()].map(({ url }) => url);
    expect(urls).toEqual([...urls].sort());
  });

  test.each(CALLED.map((name, agent) => [name, agent] as const))('each URL for %s', (name, agent) => {
    for (const [each, place] of EVERY) {
      if (place !== agent) continue;
      const record = told.get(`${name} ${each.url}`) as Told;
      const known = [each.url, record.state, record.depth];
      if (each.state === 'outside') {
        expect([each.url, record.state, record.indexable, record.crawl]).toEqual([
          each.url,
          'outside',
          null,
          null,
        ]);
        continue;
      }
      expect(known).toEqual([each.url, each.state ?? 'fetched', each.depth === undefined ? 2 : each.depth]);
      const expected = expectedLine(each, agent);
      const noindex = expected.noindex.split('; ').map((one) => one.replace(/: .*/, ''));
      expect([each.url, lineOf(record)]).toEqual([
        each.url,
        { ...expected, noindex: noindex.sort().join('; ') },
      ]);
      expect(record.indexable).toBe(expected.reasons === '');
      expect(record.reason).toBe(expected.reasons.split(' ')[0] || null);
      const line = record.crawl?.line ?? 0;
      expect(record.crawl?.rule).toBe(line === 0 ? null : LINES[line - 1]);
    }
  });

  test('how each URL was found', () => {
    for (const [each, agent] of EVERY) {
      const record = told.get(`${CALLED[agent]} ${each.url}`) as Told;
      const names = namesOf(each);
      const walked = new Set(names.filter(([way]) => WALKED.includes(way)).map(([, page]) => page));
      expect([each.url, record.links]).toEqual([each.url, walked.size]);
      expect([each.url, record.sitemaps.map(path).sort()]).toEqual([each.url, sitemapsFor(each).sort()]);
      const known = new Set([
        ...(each.url === '/' ? ['start'] : []),
        ...sitemapsFor(each).map((url) => `sitemap ${url}`),
        ...names.map(([way, page]) => `${NAMES[way] ?? way} ${page}`),
      ]);
      const ways = record.found.map(({ by, url }) => (url === null ? by : `${by} ${path(url)}`));
      expect([each.url, ways.filter((way) => !known.has(way))]).toEqual([each.url, []]);
      expect([each.url, ways.length > 0]).toEqual([each.url, true]);
    }
  });
});
