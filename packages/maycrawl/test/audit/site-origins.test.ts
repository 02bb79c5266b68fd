/** An audit of several sites: the robots.txt of each origin applies, including after links between sites. */
import { beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../../../client/test/support/server.ts';
import { EvidenceReader } from '../../src/audit/judge/evidence.ts';
import { RunPolicies } from '../../src/audit/judge/run-policies.ts';
import { type Crawled, crawlAll, getRecord, serveSite } from './crawling.ts';
import { AGENTS, type ByAgent, getForAgent, html } from './site/case.ts';
import { toLine } from './site/expected.ts';

/** Googlebot-News has its own group here, and does not fall back. */
const ROBOTS_TXT = `User-agent: Googlebot-News
Disallow: /not-google-news/

User-agent: Googlebot
Disallow: /not-google/

User-agent: *
Disallow: /
Allow: /$
Allow: /general
`;

/** A page on one of three sites: `a` has rules, `b` has no robots.txt, `c` responds with an error. */
interface Page {
  readonly url: string;
  readonly body?: string;
  readonly location?: string;
  readonly crawl: ByAgent;
  readonly reason?: string;
  readonly reasons?: ByAgent;
  readonly maskedReasons?: ByAgent;
  readonly redirects?: ByAgent;
  readonly canonical?: string;
  /** No request is sent for it. */
  readonly isUnfetched?: boolean;
}

const GOOGLES: ByAgent = ['+0', '+0', '-8', '-8'];
const NOT_OTHERS = ['blocked', 'blocked'] as const;

const PAGES: readonly Page[] = [
  {
    url: 'a/',
    body: '<a href="/not-google/x">2</a><a href="/general">3</a><a href="/redirect">4</a>',
    crawl: ['+0', '+0', '+9', '+9'],
  },
  {
    // On a page, unlike in a robots.txt, a directive for Googlebot also applies to Googlebot-News.
    url: 'a/not-google/x',
    body: '<meta name="googlebot" content="noindex"><meta name="googlebot-news" content="nofollow">',
    crawl: ['-5', '+0', '-8', '-8'],
    reasons: ['blocked', 'noindex', ...NOT_OTHERS],
    maskedReasons: ['noindex', '', '', ''],
  },
  {
    url: 'a/general',
    body: '<link rel="canonical" href="{b}/">',
    crawl: ['+0', '+0', '+10', '+10'],
    canonical: 'other b/',
    reasons: 'canonicalised',
  },
  {
    url: 'a/redirect',
    location: '{b}/moved',
    crawl: GOOGLES,
    reasons: ['redirect', 'redirect', ...NOT_OTHERS],
    maskedReasons: ['', '', 'redirect', 'redirect'],
    // A page that cannot be fetched has no links.
    redirects: '301 b/moved, 301 c/end',
  },
  { url: 'b/', body: '', crawl: '+0', reason: 'unavailable' },
  {
    url: 'b/moved',
    location: '{c}/end',
    crawl: '+0',
    reason: 'unavailable',
    reasons: 'redirect',
    redirects: '301 c/end',
  },
  { url: 'c/', crawl: '-0', reason: 'unreachable', reasons: 'blocked', isUnfetched: true },
  { url: 'c/end', crawl: '-0', reason: 'unreachable', reasons: 'blocked', isUnfetched: true },
];

let sites: Readonly<Record<string, TestServer>>;
let crawled: Crawled;

/** Replaces the origins in a text with the names of their sites. */
function shorten(text: string): string {
  return Object.entries(sites).reduce((short, [name, { origin }]) => short.replaceAll(origin, name), text);
}

async function servePages(name: string): Promise<TestServer> {
  return serveSite(({ url = '' }, response) => {
    if (url === '/robots.txt') {
      if (name === 'a') response.end(ROBOTS_TXT);
      else response.writeHead(name === 'b' ? 404 : 500).end();
      return;
    }
    const { body = '', location } = PAGES.find((page) => page.url === `${name}${url}`) ?? {
      body: 'no such page',
    };
    const fill = (text: string): string =>
      text.replace(/\{(.)\}/, (_, each: string) => sites[each]?.origin ?? '');
    response.setHeader('Content-Type', 'text/html');
    if (location !== undefined) response.writeHead(301, { Location: fill(location) });
    response.end(html(fill(body)));
  });
}

beforeAll(async () => {
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(servePages));
  sites = { a, b, c } as Readonly<Record<string, TestServer>>;
  crawled = await crawlAll(
    Object.values(sites).map(({ origin }) => `${origin}/`),
    { settings: { agents: AGENTS } },
  );
});

test('each URL is found, and fetched if any crawler may fetch it', () => {
  expect(crawled.urls.map(({ url }) => shorten(url)).sort()).toEqual(PAGES.map(({ url }) => url).sort());
  for (const [name, { requests }] of Object.entries(sites)) {
    const fetched = PAGES.filter(({ url, isUnfetched }) => url.startsWith(name) && !isUnfetched).map(
      ({ url }) => url.slice(1),
    );
    expect(requests.filter((url) => url !== '/robots.txt').sort()).toEqual(fetched.sort());
  }
});

test.each(PAGES.map((page) => [page.url, page] as const))('%s', async (url, page) => {
  const stored = crawled.urls.find((each) => shorten(each.url) === url);
  if (stored === undefined) throw new Error(`${url} was not found`);
  expect(stored.state).toBe(page.isUnfetched ? 'blocked' : 'fetched');
  const reader = new EvidenceReader(crawled.run, new RunPolicies(crawled.run, AGENTS, 'google'), Date.now());
  for (const agent of AGENTS.keys()) {
    const evidence = await reader.evidence(getRecord(crawled.run, stored), agent);
    if (evidence.kind === 'unjudged') throw new Error(`${url} was not judged`);
    const line = toLine(evidence, 'none');
    const isSeen = evidence.crawl.kind === 'allowed';
    expect([agent, line.crawl, line.reasons, line.maskedReasons]).toEqual([
      ...[agent, getForAgent(page.crawl, agent), getForAgent(page.reasons ?? '', agent)],
      getForAgent(page.maskedReasons ?? '', agent),
    ]);
    expect(shorten(line.redirects)).toBe(isSeen ? getForAgent(page.redirects ?? '', agent) : 'unseen');
    expect(shorten(line.canonical)).toBe(isSeen ? (page.canonical ?? 'absent') : 'unseen');
    if (page.reason !== undefined) expect(evidence.crawl.reason).toBe(page.reason);
  }
});

test('a site that disallows the audit is not fetched', async () => {
  const robots = 'User-agent: maycrawl\nDisallow: /private/\n\nUser-agent: *\nDisallow:\n';
  const site = await serveSite(({ url }, response) => {
    if (url !== '/robots.txt') response.setHeader('Content-Type', 'text/html');
    response.end(url === '/robots.txt' ? robots : '<a href="/private/a">a</a><a href="/b">b</a>');
  });
  const { urls } = await crawlAll([`${site.origin}/`]);
  expect(site.requests.sort()).toEqual(['/', '/b', '/robots.txt']);
  expect(urls.find(({ url }) => url.endsWith('/private/a'))?.state).toBe('blocked');
});

test('a sitemap on a host whose robots.txt is unreachable is not called disallowed', async () => {
  const lost = await serveSite((_request, response) => response.writeHead(500).end());
  const site = await serveSite(({ url }, response) => {
    if (url !== '/robots.txt') response.setHeader('Content-Type', 'text/html').end();
    else
      response.end(
        `User-agent: *\nDisallow: /private\nSitemap: ${lost.origin}/a.xml\nSitemap: ${site.origin}/private.xml\n`,
      );
  });
  const { run } = await crawlAll([`${site.origin}/`]);
  const problems = run.sitemaps
    .list()
    .map(({ problem }) => problem)
    .sort();
  expect(problems).toEqual([
    'disallowed by robots.txt',
    'the robots.txt of its host cannot be fetched (status 500), so everything is disallowed',
  ]);
});
