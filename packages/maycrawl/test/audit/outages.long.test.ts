/** Unavailable and overloaded sites, and private addresses. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { TestServer } from '../../../client/test/support/server.ts';
import { type Crawled, crawlAll, readUrls, resumeCrawl } from './crawling.ts';
import {
  type Exchange,
  formatOutcome,
  formatPage,
  HARMLESS,
  type HostileSite,
  respondTo,
  startHostileSite,
} from './hostile/hostile-site.ts';

const HTML = { 'Content-Type': 'text/html' };

const startSite = (respond: HostileSite['respond'], links: readonly string[] = []): Promise<TestServer> =>
  startHostileSite({ respond, links });

/** Returns the outcomes of the URLs of a crawl. */
const readOutcomes = ({ run }: Crawled): string[] =>
  readUrls(run).map(({ key, state }) => formatOutcome(state, run.page(key)));

describe('an unreachable robots.txt', () => {
  test.each<readonly [name: string, code: RegExp, respond: (exchange: Exchange) => unknown]>([
    ['status 500', /^5xx$|500|status/, ({ response }) => response.writeHead(500).end()],
    ['status 429', /./, ({ response }) => response.writeHead(429, { 'Retry-After': '86400' }).end()],
    ['no response', /timeout/, () => {}],
    ['a body that stops', /timeout/, ({ response }) => response.write('User-agent: *\nAllow: /')],
    ['a reset', /network/, ({ request }) => request.socket.resetAndDestroy()],
    [
      'a redirect to a closed port',
      /network/,
      ({ response }) => response.writeHead(302, { Location: 'http://127.0.0.1:2/robots.txt' }).end(),
    ],
  ])('%s: no page is fetched', async (_name, code, respond) => {
    const server = await startSite(respondTo('/robots.txt', respond));
    const crawled = await crawlAll([`${server.origin}/`], { timeout: 500, allowPrivateAddresses: true });
    expect([...new Set(server.requests)]).toEqual(['/robots.txt']);
    const [start] = crawled.urls;
    expect(crawled.urls.map(({ url, state }) => [url, state])).toEqual([[`${server.origin}/`, 'blocked']]);
    expect(crawled.run.verdicts.get(start?.key ?? -1, 0)).toMatchObject({
      isAllowed: false,
      reason: 'unreachable',
      reasons: 1,
    });
    const robotsTxt = crawled.run.robots.get(server.origin);
    expect(robotsTxt).toMatchObject({
      ...{ policy: { kind: 'disallow-all' }, body: null, message: expect.any(String) },
    });
    expect(robotsTxt?.code).toMatch(code);
  });

  test.each([301, 401, 404])('status %i: all URLs are allowed', async (status) => {
    const server = await startSite(
      respondTo('/robots.txt', ({ response }) =>
        response.writeHead(status).end('User-agent: *\nDisallow: /'),
      ),
      ['/hostile'],
    );
    const crawled = await crawlAll([`${server.origin}/`]);
    expect(crawled.urls.map(({ state }) => state)).toEqual(Array(5).fill('fetched'));
    expect(crawled.run.robots.get(server.origin)?.policy).toEqual({
      kind: 'allow-all',
      reason: 'unavailable',
    });
  });
});

describe('a failing site', () => {
  test('is fetched again after its Retry-After', async () => {
    const at: number[] = [];
    const links = ['/busy', '/always-busy'];
    const server = await startSite(({ target, response, times }) => {
      if (!links.includes(target)) return false;
      if (target === '/busy') at.push(performance.now());
      const isBusy = target === '/always-busy' || times === 1;
      if (isBusy) response.writeHead(429, { 'Retry-After': '1' }).end();
      else response.writeHead(200, HTML).end(formatPage([]));
      return true;
    }, links);
    const crawled = await crawlAll([`${server.origin}/`]);
    const busy = crawled.urls.find(({ url }) => url === `${server.origin}/always-busy`);
    expect(crawled.run.page(busy?.key ?? -1)?.outcome).toMatchObject({ facts: { status: 429 } });
    expect(readOutcomes(crawled).filter((outcome) => outcome !== 'fetched 200')).toEqual(['fetched 429']);
    expect(crawled.urls.length).toBe(1 + links.length + HARMLESS.length);
    expect(at.length).toBe(2);
    expect((at[1] as number) - (at[0] as number)).toBeGreaterThanOrEqual(990);
    expect(server.requests.filter((each) => each === '/always-busy').length).toBe(3);
  });

  test('receives fewer concurrent requests when it slows down', async () => {
    let underWay = 0;
    const loads: number[] = [];
    const pages = Array.from({ length: 60 }, (_, index) => `/page/${index}`);
    const server = await startSite(({ target, response }) => {
      if (!target.startsWith('/page/')) return false;
      loads.push(++underWay);
      // The first requests have fast responses.
      const delay = underWay > 2 && loads.length > 16 ? 500 : 5;
      setTimeout(() => {
        underWay--;
        response.writeHead(200, HTML).end(formatPage([]));
      }, delay);
      return true;
    }, pages);
    const crawled = await crawlAll([`${server.origin}/`]);
    expect(crawled.urls.map(({ state }) => state)).toEqual(
      Array(1 + pages.length + HARMLESS.length).fill('fetched'),
    );
    const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;
    expect(mean(loads.slice(-10))).toBeLessThan(mean(loads.slice(8, 24)) - 1);
  });
});

test('failing pages do not prevent the fetches of other pages', async () => {
  const broken = Array.from({ length: 12 }, (_, index) => `/broken/${index}`);
  // The harmless pages are discovered after these.
  const server = await startSite(({ target, request }) => {
    if (!target.startsWith('/broken/')) return false;
    request.socket.destroy();
    return true;
  }, broken);
  const controller = new AbortController();
  const isDone = (): boolean => HARMLESS.every((path) => server.requests.includes(path));
  const timer = setTimeout(() => controller.abort(new Error('enough')), 20_000);
  // Pages that always fail take longer because of the retries.
  const onProgress = (): void => {
    if (isDone()) controller.abort(new Error('enough'));
  };
  await crawlAll([`${server.origin}/`], { signal: controller.signal, onProgress });
  clearTimeout(timer);
  expect(isDone()).toBe(true);
});

test('a site that fails during the crawl: its pages wait until the crawl is resumed', async () => {
  const pages = Array.from({ length: 60 }, (_, index) => `/page/${index}`);
  let isAway = false;
  let count = 0;
  let wasAway = (): void => {};
  const server = await startSite(({ target, request, response }) => {
    if (!isAway && !target.startsWith('/page/')) return false;
    if (++count === 20) isAway = true;
    if (isAway) {
      if (count === 29) wasAway();
      request.socket.destroy();
    } else response.writeHead(200, HTML).end(formatPage([]));
    return true;
  }, pages);
  const controller = new AbortController();
  wasAway = () => controller.abort(new Error('stopped'));
  const stopped = await crawlAll([`${server.origin}/`], { signal: controller.signal });
  expect(stopped.end.reason).toBe('interrupted');
  expect(new Set(readOutcomes(stopped))).toEqual(new Set(['fetched 200', 'waiting']));
  isAway = false;
  count = 20;
  const { end } = await resumeCrawl(stopped);
  expect(end).toMatchObject({ reason: 'complete', waiting: 0 });
  expect(readOutcomes(stopped)).toEqual(Array(1 + pages.length + HARMLESS.length).fill('fetched 200'));
});

describe('addresses that are not public', () => {
  test('receive no connection with allowPrivateAddresses: false', async () => {
    const server = await startSite(() => false);
    const file = Buffer.from('User-agent: *\nDisallow:');
    for (const start of [`${server.origin}/`, server.origin.replace('127.0.0.1', 'localhost')]) {
      const crawled = await crawlAll([start], { allowPrivateAddresses: false, robots: file });
      const [{ key, state } = { key: -1, state: '' }] = crawled.urls;
      expect(formatOutcome(state, crawled.run.page(key))).toBe('failure private-address');
      // A site whose robots.txt may not be fetched receives no requests for pages either.
      const unreachable = await crawlAll([start], { allowPrivateAddresses: false });
      expect(unreachable.urls.map((each) => each.state)).toEqual(['blocked']);
      expect(unreachable.run.robots.list()).toMatchObject([
        { policy: { kind: 'disallow-all' }, code: 'private-address' },
      ]);
    }
    expect(server.requests).toEqual([]);
  });
});

test('a URL with a blocked port receives no request', async () => {
  const { run, urls } = await crawlAll(['http://127.0.0.1:25/'], {
    robots: Buffer.from('User-agent: *\nDisallow:'),
  });
  const [{ key } = { key: -1 }] = urls;
  expect(formatOutcome('failed', run.page(key))).toBe('failure blocked-port');
});

/** Whether this user can create a network namespace, in which loopback can have any address. */
function canCreateNetwork(): boolean {
  const { status } = spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up']);
  return status === 0;
}

test.skipIf(!canCreateNetwork())(
  'a public site cannot cause requests to a private one by links, redirects or sitemaps',
  () => {
    const script = fileURLToPath(new URL('./hostile/private-links.mjs', import.meta.url));
    const commands = 'ip link set lo up && ip addr add 8.8.8.8/32 dev lo && exec "$0" "$1" 8.8.8.8';
    const { stdout, stderr } = spawnSync('unshare', ['-n', 'sh', '-c', commands, process.execPath, script], {
      ...{ encoding: 'utf8', timeout: 30_000 },
    });
    expect(stderr).toBe('');
    const { end, fetched, urls, problems } = JSON.parse(stdout);
    expect(end).toMatchObject({ reason: 'complete' });
    expect(fetched.sort()).toEqual(['outer/', 'outer/redirect', 'outer/robots.txt', 'outer/sitemap']);
    expect(urls.sort()).toEqual([
      ...['/', '/redirect'].map((path) => ['outer', path, 'fetched']),
      ...['/linked', '/redirected', '/refreshed'].map((path) => ['own', path, 'blocked']),
    ]);
    expect(problems).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  },
);
