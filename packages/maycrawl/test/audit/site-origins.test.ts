/** An audit of several sites: each by its own robots.txt, also where one leads to another. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { EvidenceReader } from '../../src/audit/judge/evidence.ts';
import { RunPolicies } from '../../src/audit/judge/run-policies.ts';
import { type Crawled, crawlAll } from './crawling.ts';
import { AGENTS, type ByAgent, forAgent, html } from './site/case.ts';
import { lineOf } from './site/expected.ts';

/** Here Googlebot-News has a group of its own, and does not fall back. */
const ROBOTS_TXT = `User-agent: Googlebot-News
Disallow: /not-news/

User-agent: Googlebot
Disallow: /not-google/

User-agent: *
Disallow: /
Allow: /$
Allow: /general
`;

/** A page on one of three sites: `a` has the rules, `b` has none, `c` cannot tell. */
interface Page {
  readonly url: string;
  readonly body?: string;
  readonly location?: string;
  readonly crawl: ByAgent;
  readonly reason?: string;
  readonly reasons?: ByAgent;
  readonly hidden?: ByAgent;
  readonly redirects?: ByAgent;
  readonly canonical?: string;
  /** Nobody asks for it. */
  readonly isUnasked?: boolean;
}

const GOOGLES: ByAgent = ['+0', '+0', '-8', '-8'];
const NOT_OTHERS = ['blocked', 'blocked'] as const;

const PAGES: readonly Page[] = [
  {
    url: 'a/',
    body: '<a href="/not-news/x">1</a><a href="/not-google/x">2</a><a href="/general">3</a><a href="/redirect">4</a>',
    crawl: ['+0', '+0', '+9', '+9'],
  },
  {
    url: 'a/not-news/x',
    body: '<meta name="googlebot-news" content="noindex">',
    crawl: ['+0', '-2', '-8', '-8'],
    reasons: ['', 'blocked', ...NOT_OTHERS],
    hidden: ['', 'noindex', '', ''],
  },
  {
    // On a page, unlike in a robots.txt, what is said to Googlebot is said to Googlebot-News as well.
    url: 'a/not-google/x',
    body: '<meta name="googlebot" content="noindex"><meta name="googlebot-news" content="nofollow">',
    crawl: ['-5', '+0', '-8', '-8'],
    reasons: ['blocked', 'noindex', ...NOT_OTHERS],
    hidden: ['noindex', '', '', ''],
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
    hidden: ['', '', 'redirect', 'redirect'],
    // What cannot be fetched cannot lead any further.
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
  { url: 'c/', crawl: '-0', reason: 'unreachable', reasons: 'blocked', isUnasked: true },
  { url: 'c/end', crawl: '-0', reason: 'unreachable', reasons: 'blocked', isUnasked: true },
];

let sites: Readonly<Record<string, TestServer>>;
let crawled: Crawled;

/** A URL with the letter of its site. */
function shorten(text: string): string {
  return Object.entries(sites).reduce(
    (short, [letter, { origin }]) => short.replaceAll(origin, letter),
    text,
  );
}

async function serveSite(letter: string): Promise<TestServer> {
  return serve(({ url = '' }, response) => {
    if (url === '/robots.txt') {
      if (letter === 'a') response.end(ROBOTS_TXT);
      else response.writeHead(letter === 'b' ? 404 : 500).end();
      return;
    }
    const { body = '', location } = PAGES.find((page) => page.url === `${letter}${url}`) ?? {
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
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map(serveSite));
  sites = { a, b, c } as Readonly<Record<string, TestServer>>;
  crawled = await crawlAll(
    Object.values(sites).map(({ origin }) => `${origin}/`),
    { settings: { agents: AGENTS } },
  );
});
afterAll(async () => {
  await crawled.close();
  for (const site of Object.values(sites)) await site.close();
});

test('each URL is found, and fetched if any of the crawlers may', () => {
  expect(crawled.urls.map(({ url }) => shorten(url)).sort()).toEqual(PAGES.map(({ url }) => url).sort());
  for (const [letter, { requests }] of Object.entries(sites)) {
    const fetched = PAGES.filter(({ url, isUnasked }) => url.startsWith(letter) && !isUnasked).map(
      ({ url }) => url.slice(1),
    );
    expect(requests.filter((url) => url !== '/robots.txt').sort()).toEqual(fetched.sort());
  }
});

test.each(PAGES.map((page) => [page.url, page] as const))('%s', async (url, page) => {
  const kept = crawled.urls.find((each) => shorten(each.url) === url);
  if (kept === undefined) throw new Error(`${url} was not found`);
  expect(kept.state).toBe(page.isUnasked ? 'blocked' : 'fetched');
  const reader = new EvidenceReader(crawled.run, new RunPolicies(crawled.run, AGENTS, 'google'), Date.now());
  for (const agent of AGENTS.keys()) {
    const evidence = await reader.evidence(kept, agent);
    if (evidence.kind === 'unjudged') throw new Error(`${url} was not judged`);
    const line = lineOf(evidence, 'none');
    const isSeen = evidence.crawl.kind === 'allowed';
    expect([agent, line.crawl, line.reasons, line.hidden]).toEqual([
      ...[agent, forAgent(page.crawl, agent), forAgent(page.reasons ?? '', agent)],
      forAgent(page.hidden ?? '', agent),
    ]);
    expect(shorten(line.redirects)).toBe(isSeen ? forAgent(page.redirects ?? '', agent) : 'unseen');
    expect(shorten(line.canonical)).toBe(isSeen ? (page.canonical ?? 'absent') : 'unseen');
    if (page.reason !== undefined) expect(evidence.crawl.reason).toBe(page.reason);
  }
});

test('a site that does not want to be audited is not', async () => {
  const robots = 'User-agent: maycrawl\nDisallow: /private/\n\nUser-agent: *\nDisallow:\n';
  const site = await serve(({ url }, response) => {
    if (url !== '/robots.txt') response.setHeader('Content-Type', 'text/html');
    response.end(url === '/robots.txt' ? robots : '<a href="/private/a">a</a><a href="/b">b</a>');
  });
  const { urls, close } = await crawlAll([`${site.origin}/`]);
  expect(site.requests.sort()).toEqual(['/', '/b', '/robots.txt']);
  expect(urls.find(({ url }) => url.endsWith('/private/a'))?.state).toBe('blocked');
  await close();
  await site.close();
});
