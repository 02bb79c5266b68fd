/** The limits of a crawl: pages, depth, patterns, scope, and an abort. */
import { beforeAll, expect, test } from 'vitest';
import type { TestServer } from '../../../client/test/support/server.ts';
import type { RunSettings } from '../../src/audit/run/settings.ts';
import { type Crawled, type CrawlModes, crawlAll, serveSite } from './crawling.ts';

/** Pages and their links. Only the sitemap names `/list`; it also names `/4`, which is four steps away. */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  '/': ['/1', '/dir/a', '/short'],
  '/1': ['/2', '/moved'],
  '/2': ['/3'],
  '/3': ['/4'],
  '/4': ['/5'],
  '/5': [],
  '/moved': ['/2'],
  '/short': ['/3?'],
  '/3?': [],
  '/dir/a': ['/dir/b', '/dirt', '/'],
  '/dir/b': ['/5'],
  '/dirt': [],
  '/list': ['/below-list'],
  '/below-list': [],
};

let site: TestServer;
beforeAll(async () => {
  site = await serveSite(({ url = '' }, response) => {
    if (url === '/robots.txt') response.end(`Sitemap: ${site.origin}/sitemap`);
    else if (url === '/sitemap') response.end(`${site.origin}/list\n${site.origin}/4\n`);
    else if (url === '/moved') response.writeHead(302, { Location: '/2' }).end();
    else {
      response.writeHead(LINKS[url] === undefined ? 404 : 200, { 'Content-Type': 'text/html' });
      response.end((LINKS[url] ?? []).map((link) => `<a href="${link}">a</a>`).join(''));
    }
  });
});

/** Returns the state of each path. */
function getStates({ urls }: Crawled): Record<string, string> {
  return Object.fromEntries(urls.map(({ url, state }) => [url.slice(site.origin.length), state]));
}

async function crawlSite(
  settings: Partial<RunSettings>,
  start = '/',
  modes: CrawlModes = {},
): Promise<Crawled> {
  site.requests.length = 0;
  return crawlAll([`${site.origin}${start}`], { ...modes, settings });
}

const pathsIn = (states: Record<string, string>, state: string): string[] =>
  Object.keys(states)
    .filter((path) => states[path] === state)
    .sort();
const requested = (): string[] =>
  site.requests.filter((url) => url !== '/robots.txt' && url !== '/sitemap').sort();

test('without limits, all pages are fetched', async () => {
  const crawled = await crawlSite({});
  expect(pathsIn(getStates(crawled), 'fetched')).toEqual(Object.keys(LINKS).sort());
  expect(requested()).toEqual(Object.keys(LINKS).sort());
  const depths = Object.fromEntries(
    crawled.urls.map(({ url, depth }) => [url.slice(site.origin.length), depth]),
  );
  expect(depths).toEqual({
    ...{ '/': 0, '/1': 1, '/dir/a': 1, '/short': 1, '/2': 2, '/moved': 2, '/3?': 2, '/dir/b': 2, '/dirt': 2 },
    ...{ '/3': 3, '/5': 3, '/4': 4, '/list': null, '/below-list': null },
  });
});

test.each([1, 5])('--max-pages %i: exactly this number of pages is fetched', async (maxPages) => {
  const crawled = await crawlSite({ maxPages });
  expect(requested().length).toBe(maxPages);
  expect(crawled.end).toMatchObject({ reason: 'max-pages' });
  expect(crawled.end.waiting).toBeGreaterThan(0);
  expect(pathsIn(getStates(crawled), 'fetched').length).toBe(maxPages);
});

test('--max-pages equal to the number of pages', async () => {
  const crawled = await crawlSite({ maxPages: Object.keys(LINKS).length });
  expect(crawled.end).toMatchObject({ reason: 'complete', waiting: 0 });
});

test.each([
  [0, ['/', '/4', '/list'], ['/1', '/5', '/below-list', '/dir/a', '/short']],
  [
    2,
    ['/', '/1', '/2', '/3?', '/4', '/dir/a', '/dir/b', '/dirt', '/list', '/moved', '/short'],
    ['/3', '/5', '/below-list'],
  ],
  // A page in a sitemap has a small depth even if links to it are known: a higher limit does not fetch fewer pages.
  [3, Object.keys(LINKS).filter((path) => path !== '/below-list'), ['/below-list']],
])(
  '--max-depth %i: pages within the depth, and pages that only sitemaps name, are fetched',
  async (maxDepth, fetched, deep) => {
    const crawled = await crawlSite({ maxDepth });
    expect(requested()).toEqual([...fetched].sort());
    expect(pathsIn(getStates(crawled), 'fetched')).toEqual([...fetched].sort());
    expect(pathsIn(getStates(crawled), 'too-deep')).toEqual([...deep].sort());
    expect(crawled.end).toMatchObject({ reason: 'complete', waiting: 0 });
  },
);

test('--no-sitemaps: URLs in sitemaps are not discovered', async () => {
  const crawled = await crawlSite({ sitemaps: false });
  expect(site.requests).not.toContain('/sitemap');
  expect(Object.keys(getStates(crawled))).not.toContain('/list');
});

test('--scope prefix: only the folder of the start is fetched', async () => {
  const crawled = await crawlSite({ scope: 'prefix' }, '/dir/a');
  expect(requested()).toEqual(['/dir/a', '/dir/b']);
  expect(pathsIn(getStates(crawled), 'outside')).toEqual(['/', '/4', '/5', '/dirt', '/list']);
});

test.each<readonly [start: string, settings: Partial<RunSettings>, fetched: readonly string[]]>([
  ['/', { include: ['/dir/', '/$'] }, ['/', '/dir/a', '/dir/b']],
  ['/', { exclude: ['/dir', '/list$'] }, ['/', '/1', '/2', '/3', '/3?', '/4', '/5', '/moved', '/short']],
  ['/dir/a', { include: ['/dir'], exclude: ['/dirt', '*b'] }, ['/dir/a']],
])('from %s with %j', async (start, settings, fetched) => {
  const crawled = await crawlSite(settings, start);
  expect(requested()).toEqual([...fetched].sort());
  expect(crawled.end).toMatchObject({ reason: 'complete', waiting: 0 });
});

test('an aborted crawl stores the fetched pages, and the other URLs wait', async () => {
  const controller = new AbortController();
  let count = 0;
  const crawled = await crawlSite({}, '/', {
    signal: controller.signal,
    concurrency: 1,
    onProgress: ({ counts }) => {
      if (counts.fetched >= 5 && count++ === 0) controller.abort(new Error('stopped'));
    },
  });
  expect(crawled.end.reason).toBe('interrupted');
  const fetched = pathsIn(getStates(crawled), 'fetched');
  expect(fetched.length).toBeGreaterThanOrEqual(5);
  expect(fetched.length).toBeLessThan(Object.keys(LINKS).length);
  expect(crawled.end.waiting).toBe(pathsIn(getStates(crawled), 'waiting').length);
  expect(crawled.end.waiting).toBeGreaterThan(0);
});
