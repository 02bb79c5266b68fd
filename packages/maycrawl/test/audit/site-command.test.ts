/** The records of `maycrawl audit` for the site with every case (site/), for each URL and crawler. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunResult, run } from '../support/run.ts';
import { AGENTS, type Case } from './site/case.ts';
import { EVERY, getExpectedLine, getExpectedLinks, getSitemaps, type Line, toPath } from './site/expected.ts';
import { ROBOTS_TXT } from './site/robots-cases.ts';
import { type RunningSite, startSite } from './site/server.ts';

/** The compared fields of a record. */
interface AuditRecord {
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

/** The catalogue names of the crawlers. */
const CALLED = ['Googlebot', 'Googlebot News', 'bingbot', 'examplebot'];
/** The link types that a visitor follows, with their names in records. */
const WALKED = ['link', 'nofollow', 'redirect', 'refresh'];
const NAMES: Readonly<Record<string, string>> = { nofollow: 'link', neighbour: 'link' };
const NAMING = getExpectedLinks();
const LINES = ROBOTS_TXT.split('\n');

/** Returns the other pages that name a URL: pairs of a link type and a page. */
function getSources({ url }: Case): [type: string, page: string][] {
  const names = (NAMING.get(url) ?? []).map((name): [string, string] => {
    const space = name.indexOf(' ');
    return [name.slice(0, space), name.slice(space + 1)];
  });
  return names.filter(([, page]) => page !== url);
}

let site: RunningSite;
let result: RunResult;
let records: Map<string, AuditRecord>;
const path = (url: string): string => toPath(url, site.origin);

beforeAll(async () => {
  site = await startSite();
  const agents = AGENTS.flatMap((name) => ['--agent', name]);
  result = await run(['audit', `${site.origin}/`, ...agents, '--json', '--outside']);
  const parsed = result.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditRecord);
  records = new Map(parsed.map((record) => [`${record.agent} ${path(record.url)}`, record]));
});
afterAll(() => site.close());

/** Formats a record in the notation of the cases. For noindex, a record has only the source and the agent. */
function formatLine(record: AuditRecord): Line {
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
  test('a record for each URL and crawler, ordered by URL', () => {
    expect(result.code).toBe(0);
    expect([...records.keys()].sort()).toEqual(
      EVERY.map(([{ url }, agent]) => `${CALLED[agent]} ${url}`).sort(),
    );
    const urls = [...records.values()].map(({ url }) => url);
    expect(urls).toEqual([...urls].sort());
  });

  test.each(CALLED.map((name, agent) => [name, agent] as const))('each URL for %s', (name, agent) => {
    for (const [each, place] of EVERY) {
      if (place !== agent) continue;
      const record = records.get(`${name} ${each.url}`) as AuditRecord;
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
      const expected = getExpectedLine(each, agent);
      const noindex = expected.noindex.split('; ').map((one) => one.replace(/: .*/, ''));
      expect([each.url, formatLine(record)]).toEqual([
        each.url,
        { ...expected, noindex: noindex.sort().join('; ') },
      ]);
      expect(record.indexable).toBe(expected.reasons === '');
      expect(record.reason).toBe(expected.reasons.split(' ')[0] || null);
      const line = record.crawl?.line ?? 0;
      expect(record.crawl?.rule).toBe(line === 0 ? null : LINES[line - 1]);
    }
  });

  test('the discovery of each URL', () => {
    for (const [each, agent] of EVERY) {
      const record = records.get(`${CALLED[agent]} ${each.url}`) as AuditRecord;
      const names = getSources(each);
      const walked = new Set(names.filter(([way]) => WALKED.includes(way)).map(([, page]) => page));
      expect([each.url, record.links]).toEqual([each.url, walked.size]);
      expect([each.url, record.sitemaps.map(path).sort()]).toEqual([each.url, getSitemaps(each).sort()]);
      const known = new Set([
        ...(each.url === '/' ? ['start'] : []),
        ...getSitemaps(each).map((url) => `sitemap ${url}`),
        ...names.map(([way, page]) => `${NAMES[way] ?? way} ${page}`),
      ]);
      const ways = record.found.map(({ by, url }) => (url === null ? by : `${by} ${path(url)}`));
      expect([each.url, ways.filter((way) => !known.has(way))]).toEqual([each.url, []]);
      expect([each.url, ways.length > 0]).toEqual([each.url, true]);
    }
  });
});
