/** Sitemaps and lists of URLs that do not end, or whose hosts do not respond: the limits of a run bound them. */
import { expect, test } from 'vitest';
import type { TestServer } from '../../../../client/test/support/server.ts';
import { type Crawled, crawlAll, resumeCrawl, serveSite } from '../crawling.ts';

/** A request takes longer than any test, so that only its end by the run lets a test pass. */
const ENDLESS = { timeout: 3_600_000 };

const formatIndex = (urls: readonly string[]): string =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;

/** Serves pages that link to ten others, and a robots.txt that names `/index`. */
function servePages(respond: (path: string) => string | undefined): Promise<TestServer> {
  const links = Array.from({ length: 10 }, (_, index) => `<a href="/${index}">page</a>`).join('');
  const site = serveSite(async ({ url = '' }, response) => {
    const { origin } = await site;
    if (url === '/robots.txt') response.end(`Sitemap: ${origin}/index`);
    else if (/^\/\d*$/.test(url)) response.setHeader('content-type', 'text/html').end(links);
    else {
      const body = respond(url);
      if (body !== undefined) response.end(body);
    }
  });
  return site;
}

const readUnread = ({ run }: Crawled): string[] =>
  run.sitemaps.listUnread().map(({ url }) => new URL(url).pathname);

test('a sitemap that does not end does not outlive --max-pages, and the resumed run reads the rest', async () => {
  let isSilent = true;
  const site = await servePages((path) => {
    if (path === '/index') return formatIndex(['/s1', '/s2', '/s3'].map((each) => site.origin + each));
    return isSilent ? undefined : `${site.origin}/in${path}`;
  });
  const first = await crawlAll([`${site.origin}/`], { ...ENDLESS, settings: { maxPages: 5 } });
  expect(first.end.reason).toBe('max-pages');
  expect(readUnread(first).slice(-3)).toEqual(['/s1', '/s2', '/s3']);
  isSilent = false;
  const { settings } = first;
  const second = await resumeCrawl({ ...first, settings: { ...settings, maxPages: null } }, ENDLESS);
  expect(second.end).toMatchObject({ reason: 'complete', waiting: 0 });
  expect(readUnread(second)).toEqual([]);
  expect(second.urls.map(({ url }) => url)).toContain(`${site.origin}/in/s3`);
});

test('an index of 50,000 sitemaps does not outlive --max-pages', async () => {
  const count = 50_000;
  const site = await servePages((path) => {
    if (path !== '/index') return '';
    return formatIndex(Array.from({ length: count }, (_, index) => `${site.origin}/s/${index}`));
  });
  const crawled = await crawlAll([`${site.origin}/`], { settings: { maxPages: 5 } });
  expect(crawled.end.reason).toBe('max-pages');
  expect(site.requests.filter((path) => path.startsWith('/s/')).length).toBeLessThan(count / 10);
});

test('all pages within --max-pages do not make a run complete whose sitemaps are unread', async () => {
  const site = await servePages(() => undefined);
  const crawled = await crawlAll([`${site.origin}/`], { ...ENDLESS, settings: { maxPages: 11 } });
  expect(crawled.end).toMatchObject({ reason: 'max-pages', waiting: 0 });
  expect(readUnread(crawled)).toEqual(['/index']);
});

test('the silent robots.txt of a host with sitemaps does not outlive --max-pages', async () => {
  const silent = await serveSite(() => {}, '127.0.0.2');
  const site = await servePages(() => formatIndex([`${silent.origin}/s`]));
  const crawled = await crawlAll([`${site.origin}/`], { ...ENDLESS, settings: { maxPages: 5 } });
  expect(crawled.end.reason).toBe('max-pages');
});

test('an interrupt ends a sitemap that does not end', async () => {
  const controller = new AbortController();
  const site = await servePages(() => {
    controller.abort(new Error('stopped'));
    return undefined;
  });
  const crawled = await crawlAll([`${site.origin}/`], { ...ENDLESS, signal: controller.signal });
  expect(crawled.end.reason).toBe('interrupted');
  expect(readUnread(crawled)).toEqual(['/index']);
});

test('a list of URLs that does not end does not outlive --max-pages, nor an interrupt', async () => {
  const site = await servePages(() => '');
  let read = 0;
  async function* list() {
    for (;;) {
      // The URLs of the first pieces are out of scope.
      const folder = read < 10 ? 'http://outside.test/' : `${site.origin}/`;
      yield [`${folder}${read++}`];
    }
  }
  const options = { settings: { maxPages: 5, sitemaps: false, list: 'urls' } };
  const limited = await crawlAll([`${site.origin}/robots.txt`], { ...options, list: list() });
  expect(limited.end.reason).toBe('max-pages');
  expect(limited.run.counts().fetched).toBe(5);
  expect(read).toBeLessThan(30);
  expect(limited.run.get('listed')).toBeUndefined();

  const controller = new AbortController();
  async function* silentList() {
    yield [`${site.origin}/1`];
    setImmediate(() => controller.abort(new Error('stopped')));
    await new Promise(() => {});
  }
  const { signal } = controller;
  const stopped = await crawlAll([`${site.origin}/`], { signal, list: silentList() });
  expect(stopped.end).toMatchObject({ reason: 'interrupted', waiting: 2 });
});

test('a list whose URLs are all fetched within --max-pages is read to its end', async () => {
  const site = await servePages(() => '');
  async function* list() {
    for (const path of ['/1', '/2', '/3']) yield [site.origin + path];
  }
  const options = { settings: { maxPages: 20, sitemaps: false, list: 'urls' } };
  const crawled = await crawlAll([`${site.origin}/`], { ...options, list: list() });
  expect(crawled.end).toMatchObject({ reason: 'complete', waiting: 0 });
  expect(crawled.run.get('listed')).toBe(true);
});
