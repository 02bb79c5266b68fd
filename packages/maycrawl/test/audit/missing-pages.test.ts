/** Each site gets one request for a URL that does not exist. Its response shows which pages are missing. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { MISSING_PAGES } from '../../src/audit/run/records/missing-page.ts';
import { type Crawled, type CrawlModes, crawlAll, resumeCrawl } from './crawling.ts';

const RANDOM = /^\/maycrawl-[0-9a-f-]{36}$/;

let server: TestServer | undefined;
let crawled: Crawled | undefined;
afterEach(async () => {
  await crawled?.close();
  await server?.close();
  [server, crawled] = [undefined, undefined];
});

interface SiteParts {
  /** Bodies by path. */
  readonly pages: Readonly<Record<string, string>>;
  readonly robots?: string;
  readonly onMissing: (request: IncomingMessage, response: ServerResponse) => void;
  readonly start?: string;
  readonly modes?: CrawlModes;
}

/** Crawls a site whose start links to all pages. */
async function crawlSite({
  pages,
  robots = '',
  onMissing,
  start = '/',
  modes = {},
}: SiteParts): Promise<Crawled> {
  server = await serve((request, response) => {
    const { url = '' } = request;
    if (url === '/robots.txt') return response.end(robots);
    response.setHeader('content-type', 'text/html');
    const body =
      url === start
        ? Object.keys(pages)
            .map((path) => `<a href="${path}">a</a>`)
            .join('')
        : pages[url];
    return body === undefined ? onMissing(request, response) : response.end(`<title>Home</title>${body}`);
  });
  crawled = await crawlAll([server.origin + start], { requestsMissingPages: true, ...modes });
  return crawled;
}

const send =
  (status: number, body: (path: string) => string) =>
  (request: IncomingMessage, response: ServerResponse) => {
    response.statusCode = status;
    response.end(body(request.url ?? ''));
  };
/** A page in which the URL is a small part. */
const describeMissing = (path: string): string => `<title>Sorry</title>${'Nothing here. '.repeat(40)}${path}`;

/** Findings as text, with paths. */
function listFindings({ run, settings }: Crawled): string[] {
  const origin = new URL(settings.starts[0] ?? '').origin;
  return (['no-not-found-status', 'soft-404'] as const).flatMap((code) =>
    Array.from(run.findings.list(code, 0), ({ url, detail }) =>
      `${code} ${url.slice(origin.length)}: ${detail}`.replace(origin, ''),
    ),
  );
}

const getRandomRequests = (): string[] =>
  (server?.requests ?? []).filter((path) => path.includes('maycrawl-'));

describe('a site that responds with status 200 to every URL', () => {
  const pages = { '/a': 'A page with a text of its own', '/b': 'Another page' };

  test('is a finding', async () => {
    const site = await crawlSite({ pages, onMissing: send(200, describeMissing) });
    expect(getRandomRequests()).toEqual([expect.stringMatching(RANDOM)]);
    // After the pages.
    expect(server?.requests.at(-1)).toMatch(RANDOM);
    const [finding] = site.run.findings.list('no-not-found-status', 0);
    expect(finding).toMatchObject({
      detail: 'status 200',
      targets: [(server?.origin ?? '') + getRandomRequests()[0]],
    });
    expect(listFindings(site)).toEqual(['no-not-found-status /: status 200']);
    expect(MISSING_PAGES.get(site.run, server?.origin ?? '')).toMatchObject({
      status: 200,
      title: 'Sorry',
      at: expect.any(Number),
    });
  });

  test('is requested once, also in a run that is resumed', async () => {
    const site = await crawlSite({
      pages,
      onMissing: send(200, describeMissing),
      modes: { settings: { maxPages: 2 } },
    });
    expect(site.end.why).toBe('max-pages');
    const before = getRandomRequests();
    expect(before).toHaveLength(1);
    const resumed = await resumeCrawl(
      { ...site, settings: { ...site.settings, maxPages: null } },
      { requestsMissingPages: true },
    );
    expect(resumed.end.why).toBe('complete');
    expect(getRandomRequests()).toEqual(before);
    expect(listFindings(resumed)).toContain('no-not-found-status /: status 200');
  });
});

test('ten sites are requested at the same time, so that silent ones do not add up', async () => {
  let count = 0;
  const pending: (() => void)[] = [];
  const sites = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      serve(
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
  crawled = await crawlAll(
    sites.map(({ origin }) => `${origin}/`),
    { requestsMissingPages: true, timeout: 3_600_000 },
  );
  expect(count).toBe(12);
  await Promise.all(sites.map((site) => site.close()));
});

describe('pages with status 200 that look like a missing page', () => {
  test.each([
    [404, []],
    [200, ['no-not-found-status /: status 200']],
  ])('of a site that responds with status %i to missing pages', async (status, findings) => {
    server = await serve(({ url = '' }, response) => {
      if (url === '/robots.txt') return response.end('');
      response.setHeader('content-type', 'text/html');
      const links = ['/same', '/similar', '/own'].map((path) => `<a href="${path}">a</a>`).join('');
      if (url === '/') return response.end(`<title>Sorry</title>${links}`);
      if (url === '/own')
        return response.end(`<title>Sorry</title>${'A long text about something else. '.repeat(100)}`);
      if (url === '/same') return response.end(describeMissing(''));
      if (url === '/similar') return response.end(describeMissing('/x/y'));
      response.statusCode = status;
      return response.end(describeMissing(''));
    });
    crawled = await crawlAll([`${server.origin}/`], { requestsMissingPages: true });
    expect(listFindings(crawled)).toEqual([
      ...findings,
      'soft-404 /same: the content of a URL that does not exist',
      'soft-404 /similar: the title and nearly the size of a URL that does not exist',
    ]);
  });

  test('do not include the start page that a site sends for every URL', async () => {
    server = await serve(({ url = '' }, response) => {
      if (url === '/robots.txt') return response.end('');
      response.setHeader('content-type', 'text/html');
      return response.end('<title>App</title><a href="/page">a</a>');
    });
    crawled = await crawlAll([`${server.origin}/`], { requestsMissingPages: true });
    expect(listFindings(crawled)).toEqual([
      'no-not-found-status /: status 200',
      'soft-404 /page: the content of a URL that does not exist',
    ]);
  });
});

describe('redirects of missing pages', () => {
  const redirect = (to: string) => (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(302, { location: to });
    response.end();
  };

  test('to a page with status 200 are a finding', async () => {
    const site = await crawlSite({ pages: { '/a': 'A' }, onMissing: redirect('/a') });
    expect(listFindings(site)).toEqual(['no-not-found-status /: a redirect to /a']);
  });

  test('to a URL that the audit does not know are not listed', async () => {
    expect(listFindings(await crawlSite({ pages: { '/a': 'A' }, onMissing: redirect('/unknown') }))).toEqual(
      [],
    );
  });
});

describe('there is no finding', () => {
  test.each([404, 410, 403, 503])('if the status is %i', async (status) => {
    const site = await crawlSite({ pages: { '/a': 'A' }, onMissing: send(status, describeMissing) });
    expect(getRandomRequests()).toHaveLength(1);
    expect(listFindings(site)).toEqual([]);
  });

  test('if there is no response', async () => {
    const site = await crawlSite({ pages: { '/a': 'A' }, onMissing: (request) => request.socket.destroy() });
    expect(MISSING_PAGES.get(site.run, server?.origin ?? '')).toMatchObject({ status: null });
    expect(listFindings(site)).toEqual([]);
  });

  test.each([
    ['a robots.txt that disallows the URL to all crawlers', { robots: 'User-agent: *\nDisallow: /maycrawl' }],
    ['a robots.txt that disallows it to maycrawl', { robots: 'User-agent: maycrawl\nDisallow: /m' }],
    ['settings without this request', { modes: { requestsMissingPages: false } }],
    ['a scope that excludes it', { modes: { settings: { include: ['/$', '/a'] } } }],
  ])('and no request with %s', async (_, parts) => {
    const site = await crawlSite({ pages: { '/a': 'A' }, onMissing: send(200, describeMissing), ...parts });
    expect(site.end.why).toBe('complete');
    expect(getRandomRequests()).toEqual([]);
    expect(listFindings(site)).toEqual([]);
  });
});

test('the request is below the folder of the start if the scope is this folder', async () => {
  await crawlSite({
    ...{ pages: { '/docs/a': 'A' }, start: '/docs/', onMissing: send(404, describeMissing) },
    modes: { settings: { scope: 'prefix' } },
  });
  expect(getRandomRequests()).toEqual([expect.stringMatching(/^\/docs\/maycrawl-/)]);
});

test('a crawler that may not fetch the URL has no finding', async () => {
  const site = await crawlSite({
    ...{ pages: { '/a': 'A' }, onMissing: send(200, describeMissing) },
    robots: 'User-agent: GPTBot\nDisallow: /m',
    modes: { settings: { agents: ['GPTBot', 'Googlebot'] } },
  });
  expect(Array.from(site.run.findings.list('no-not-found-status', 0))).toEqual([]);
  expect(Array.from(site.run.findings.list('no-not-found-status', 1))).toHaveLength(1);
});
