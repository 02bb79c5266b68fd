/** Each site gets one request for a URL that does not exist. Its response shows which pages are missing. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { TestServer } from '../../../client/test/support/server.ts';
import { MISSING_PAGES } from '../../src/audit/run/records/site-facts.ts';
import { type Crawled, type CrawlModes, crawlAll, resumeCrawl, serveSite } from './crawling.ts';

const RANDOM = /^\/maycrawl-[0-9a-f-]{36}$/;

let server: TestServer;

interface SiteParts {
  /** Bodies by path. @defaultValue a page `/a` */
  readonly pages?: Readonly<Record<string, string>>;
  readonly robots?: string;
  /** @defaultValue status 200 */
  readonly onMissing?: (request: IncomingMessage, response: ServerResponse) => void;
  readonly start?: string;
  readonly modes?: CrawlModes;
}

/** A page in which the URL is a small part. */
const describeMissing = (path: string): string => `<title>Sorry</title>${'Nothing here. '.repeat(40)}${path}`;
const send =
  (status: number) =>
  ({ url = '' }: IncomingMessage, response: ServerResponse) =>
    response.writeHead(status).end(describeMissing(url));
const redirect = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
  response.writeHead(302, { location }).end();

/** Crawls a site whose start links to all pages. */
async function crawlSite(parts: SiteParts): Promise<Crawled> {
  const { pages = { '/a': 'A' }, robots = '', onMissing = send(200), start = '/', modes = {} } = parts;
  const links = Object.keys(pages).map((path) => `<a href="${path}">a</a>`);
  server = await serveSite((request, response) => {
    const { url = '' } = request;
    if (url === '/robots.txt') return response.end(robots);
    response.setHeader('content-type', 'text/html');
    const body = url === start ? `<title>Home</title>${links.join('')}` : pages[url];
    return body === undefined ? onMissing(request, response) : response.end(body);
  });
  return crawlAll([server.origin + start], { requestsMissingPages: true, ...modes });
}

/** Findings as text, with paths. */
const listFindings = ({ run }: Crawled, agent = 0): string[] =>
  (['no-not-found-status', 'soft-404'] as const).flatMap((code) =>
    Array.from(run.findings.list(code, agent), ({ url, detail }) =>
      `${code} ${url}: ${detail}`.replaceAll(server.origin, ''),
    ),
  );
const getRandomRequests = (): string[] => server.requests.filter((path) => path.includes('maycrawl-'));

describe('a site that responds with status 200 to every URL', () => {
  test('is a finding', async () => {
    const site = await crawlSite({});
    expect(getRandomRequests()).toEqual([expect.stringMatching(RANDOM)]);
    // After the pages.
    expect(server.requests.at(-1)).toMatch(RANDOM);
    const [finding] = site.run.findings.list('no-not-found-status', 0);
    expect(finding?.targets).toEqual([server.origin + getRandomRequests()[0]]);
    expect(listFindings(site)).toEqual(['no-not-found-status /: status 200']);
    expect(MISSING_PAGES.get(site.run, server.origin)).toMatchObject({
      ...{ status: 200, title: 'Sorry', at: expect.any(Number) },
    });
  });

  test('is requested once, also in a run that is resumed', async () => {
    const pages = { '/a': 'A', '/b': 'B' };
    const site = await crawlSite({ pages, modes: { settings: { maxPages: 2 } } });
    expect(site.end.reason).toBe('max-pages');
    expect(getRandomRequests()).toHaveLength(1);
    const settings = { ...site.settings, maxPages: null };
    const resumed = await resumeCrawl({ ...site, settings }, { requestsMissingPages: true });
    expect(resumed.end.reason).toBe('complete');
    expect(getRandomRequests()).toHaveLength(1);
    expect(listFindings(resumed)).toContain('no-not-found-status /: status 200');
  });
});

test('ten sites are requested at the same time, so that silent ones do not add up', async () => {
  let count = 0;
  const pending: (() => void)[] = [];
  const sites = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      serveSite(
        ({ url = '' }, response) => {
          if (!RANDOM.test(url)) return response.end('');
          pending.push(() => response.writeHead(404).end());
          // The first ten wait for one another.
          if (++count >= 10) for (const respond of pending.splice(0)) respond();
          return undefined;
        },
        `127.0.0.${index + 2}`,
      ),
    ),
  );
  await crawlAll(
    sites.map(({ origin }) => `${origin}/`),
    { requestsMissingPages: true, timeout: 3_600_000 },
  );
  expect(count).toBe(12);
});

describe('pages with status 200 that look like a missing page', () => {
  test.each([
    [404, []],
    [200, ['no-not-found-status /: status 200']],
  ])('of a site that responds with status %i to missing pages', async (status, findings) => {
    const site = await crawlSite({
      pages: {
        '/same': describeMissing(''),
        '/similar': describeMissing('/x/y'),
        '/own': `<title>Sorry</title>${'A long text about something else. '.repeat(100)}`,
      },
      onMissing: (_, response) => response.writeHead(status).end(describeMissing('')),
    });
    expect(listFindings(site)).toEqual([
      ...findings,
      'soft-404 /same: the content of a URL that does not exist',
      'soft-404 /similar: the title and nearly the size of a URL that does not exist',
    ]);
  });

  test.each([
    // 5 % of the size, and at least 64 bytes.
    [600, 64, ['soft-404']],
    [600, 65, []],
    [10_000, 500, ['soft-404']],
    [10_000, 501, []],
  ])('and whose size of %i bytes differs by %i', async (size, difference, codes) => {
    const createBody = (bytes: number): string => '<title>Sorry</title>'.padEnd(bytes, 'x');
    const site = await crawlSite({
      pages: { '/similar': createBody(size + difference) },
      onMissing: (_, response) => response.writeHead(404).end(createBody(size)),
    });
    expect(listFindings(site).map((finding) => finding.split(' ', 1)[0])).toEqual(codes);
  });

  test('do not include the start page that a site sends for every URL', async () => {
    const app = '<title>Home</title><a href="/page">a</a>';
    const site = await crawlSite({ pages: { '/page': app }, onMissing: (_, response) => response.end(app) });
    expect(listFindings(site)).toEqual([
      'no-not-found-status /: status 200',
      'soft-404 /page: the content of a URL that does not exist',
    ]);
  });
});

test.each<readonly [name: string, parts: SiteParts, findings: readonly string[]]>([
  ['to a page with status 200', { onMissing: redirect('/a') }, ['no-not-found-status /: a redirect to /a']],
  ['to a URL that the audit does not know', { onMissing: redirect('/unknown') }, []],
])('a redirect of missing pages %s', async (_name, parts, findings) => {
  expect(listFindings(await crawlSite(parts))).toEqual(findings);
});

describe('there is no finding', () => {
  test.each([404, 410, 503])('if the status is %i', async (status) => {
    const site = await crawlSite({ onMissing: send(status) });
    expect(getRandomRequests()).toHaveLength(1);
    expect(listFindings(site)).toEqual([]);
  });

  test('if there is no response', async () => {
    const site = await crawlSite({ onMissing: (request) => request.socket.destroy() });
    expect(MISSING_PAGES.get(site.run, server.origin)).toMatchObject({ status: null });
    expect(listFindings(site)).toEqual([]);
  });

  test.each([
    ['a robots.txt that disallows the URL to all crawlers', { robots: 'User-agent: *\nDisallow: /maycrawl' }],
    ['a robots.txt that disallows it to maycrawl', { robots: 'User-agent: maycrawl\nDisallow: /m' }],
    ['settings without this request', { modes: { requestsMissingPages: false } }],
    ['a scope that excludes it', { modes: { settings: { include: ['/$', '/a'] } } }],
  ])('and no request with %s', async (_, parts) => {
    const site = await crawlSite(parts);
    expect(site.end.reason).toBe('complete');
    expect(getRandomRequests()).toEqual([]);
    expect(listFindings(site)).toEqual([]);
  });
});

test('the request is below the folder of the start if the scope is this folder', async () => {
  const modes: CrawlModes = { settings: { scope: 'prefix' } };
  await crawlSite({ pages: { '/docs/a': 'A' }, start: '/docs/', onMissing: send(404), modes });
  expect(getRandomRequests()).toEqual([expect.stringMatching(/^\/docs\/maycrawl-/)]);
});

test('a crawler that may not fetch the URL has no finding', async () => {
  const site = await crawlSite({
    robots: 'User-agent: GPTBot\nDisallow: /m',
    modes: { settings: { agents: ['GPTBot', 'Googlebot'] } },
  });
  expect([listFindings(site, 0), listFindings(site, 1)]).toEqual([[], ['no-not-found-status /: status 200']]);
});
