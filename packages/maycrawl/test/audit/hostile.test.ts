/** Sites that mean harm, or are broken: each costs little, what came of it is told, and its other pages are asked for all the same. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '../../src/audit/run/run-store.ts';
import { type Crawled, crawlAll, type Manner } from './crawling.ts';
import { ENDLESS_SITES, MAX_ALIKE } from './hostile/endless-sites.ts';
import {
  type Ask,
  HARMLESS,
  type HostileServer,
  type HostileSite,
  pageWith,
  type Seen,
  startHostile,
} from './hostile/hostile-site.ts';
import { SITEMAP_SITES } from './hostile/sitemap-sites.ts';
import { HUGE_SITES, SLOW_SITES, WRONG_SITES } from './hostile/wrong-sites.ts';

/** Bytes that the process has grown by at most, while it did something. */
async function growthDuring<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly megabytes: number }> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  try {
    return { result: await work(), megabytes: (most - before) / 1e6 };
  } finally {
    clearInterval(timer);
  }
}

function outcomeOf(state: string, page: Page | undefined): string {
  if (page === undefined) return state;
  const { outcome } = page;
  if (outcome.kind === 'failure') return `failure ${outcome.code}`;
  return `${state} ${outcome.facts.status}${outcome.facts.isCut ? ' cut' : ''}`;
}

/** Crawls all sites of a table at the same time: each has a server of its own. */
function describeSites(
  title: string,
  sites: readonly HostileSite[],
  limits: { readonly seconds: number; readonly megabytes: number },
  manner: Manner = {},
): void {
  describe(title, () => {
    let servers: HostileServer[] = [];
    let crawled: Crawled;
    let seconds = 0;
    let megabytes = 0;

    beforeAll(async () => {
      servers = await Promise.all(sites.map(startHostile));
      const start = performance.now();
      const crawling = (): Promise<Crawled> =>
        crawlAll(
          servers.map(({ origin }) => `${origin}/`),
          { timeout: 500, ...manner, settings: { maxAlike: MAX_ALIKE, ...manner.settings } },
        );
      ({ result: crawled, megabytes } = await growthDuring(crawling));
      seconds = (performance.now() - start) / 1000;
      if (process.env['SHOW_COSTS'] !== undefined)
        process.stderr.write(`${title}: ${seconds.toFixed(1)} s, ${megabytes.toFixed()} MB\n`);
    }, 60_000);
    afterAll(async () => {
      await crawled.close();
      for (const server of servers) await server.close();
    });

    test('all of it in bounds', () => {
      expect(crawled.end).toMatchObject({ why: 'complete', waiting: 0 });
      expect(seconds).toBeLessThan(limits.seconds);
      expect(megabytes).toBeLessThan(limits.megabytes);
    });

    test.each(sites.map((site, index) => [site.name, site, index] as const))(
      '%s',
      async (_name, site, index) => {
        const { origin, requests } = servers[index] as HostileServer;
        const { run } = crawled;
        const urls: Seen['urls'] = crawled.urls
          .filter(({ url }) => url.startsWith(`${origin}/`))
          .map((each) => ({ ...each, path: each.url.slice(origin.length) }));
        const outcomes = new Map<string, string>();
        for (const { key, path, state } of urls) outcomes.set(path, outcomeOf(state, await run.page(key)));
        for (const path of HARMLESS) expect([path, outcomes.get(path)]).toEqual([path, 'asked 200']);
        expect(
          Object.fromEntries(Object.keys(site.outcomes).map((path) => [path, outcomes.get(path)])),
        ).toEqual(site.outcomes);
        expect(urls.filter(({ state }) => state === 'waiting')).toEqual([]);
        expect(requests.length).toBeLessThanOrEqual(site.requests ?? 10);
        await site.check?.({ run, requests, urls, outcomes });
      },
    );
  });
}

describeSites('slow', SLOW_SITES, { seconds: 12, megabytes: 200 });
describeSites('wrong', WRONG_SITES, { seconds: 12, megabytes: 200 }, { timeout: 5_000 });
describeSites('huge', HUGE_SITES, { seconds: 20, megabytes: 600 }, { timeout: 15_000 });
describeSites('without end', ENDLESS_SITES, { seconds: 25, megabytes: 500 }, { timeout: 10_000 });
describeSites('sitemaps', SITEMAP_SITES, { seconds: 20, megabytes: 500 }, { timeout: 5_000 });

describe('a robots.txt that cannot be read', () => {
  const outages: readonly (readonly [name: string, answer: HostileSite['answer'], code: RegExp])[] = [
    ['status 500', robots(({ response }) => response.writeHead(500).end()), /^5xx$|500|status/],
    ['status 503', robots(({ response }) => response.writeHead(503, { 'Retry-After': '86400' }).end()), /./],
    ['status 429', robots(({ response }) => response.writeHead(429).end()), /./],
    ['no answer', robots(() => {}), /timeout/],
    ['a body that stops', robots(({ response }) => response.write('User-agent: *\nAllow: /')), /timeout/],
    ['a reset', robots(({ request }) => request.socket.resetAndDestroy()), /network/],
    [
      'a redirect to nobody',
      robots(({ response }) => response.writeHead(302, { Location: 'http://127.0.0.1:9/robots.txt' }).end()),
      /network/,
    ],
  ];

  test.each(outages)('%s: not one page is asked for', async (_name, answer, code) => {
    const server = await startHostile({ name: '', answer, outcomes: {} });
    const crawled = await crawlAll([`${server.origin}/`], { timeout: 500 });
    expect([...new Set(server.requests)]).toEqual(['/robots.txt']);
    const [start] = crawled.urls;
    expect(crawled.urls.map(({ url, state }) => [url, state])).toEqual([[`${server.origin}/`, 'blocked']]);
    expect(await crawled.run.verdict(start?.key ?? -1, 0)).toMatchObject({
      isAllowed: false,
      because: 'unreachable',
      reasons: 1,
    });
    const robotsTxt = await crawled.run.robots(server.origin);
    expect(robotsTxt).toMatchObject({ use: 'unreachable', body: null, reason: expect.any(String) });
    expect(robotsTxt?.code).toMatch(code);
    await crawled.close();
    await server.close();
  });

  test.each([301, 400, 401, 403, 404, 410])('status %i: everything is open', async (status) => {
    const answer = robots(({ response }) => response.writeHead(status).end('User-agent: *\nDisallow: /'));
    const server = await startHostile({ name: '', answer, outcomes: {} });
    const crawled = await crawlAll([`${server.origin}/`]);
    expect(crawled.urls.map(({ state }) => state)).toEqual(Array(5).fill('asked'));
    expect((await crawled.run.robots(server.origin))?.use).toBe('absent');
    await crawled.close();
    await server.close();
  });
});

describe('a site that has trouble', () => {
  test('is asked again after a while, as long as it says', async () => {
    const at: number[] = [];
    const server = await startHostile({
      name: 'too much',
      outcomes: {},
      links: ['/busy', '/always-busy'],
      answer: ({ target, response, times }) => {
        if (target !== '/busy' && target !== '/always-busy') return false;
        if (target === '/busy') at.push(performance.now());
        const isBusy = target === '/always-busy' || times === 1;
        if (isBusy) response.writeHead(429, { 'Retry-After': '1' }).end();
        else response.writeHead(200, { 'Content-Type': 'text/html' }).end(pageWith([]));
        return true;
      },
    });
    const crawled = await crawlAll([`${server.origin}/`]);
    const outcomes = await Promise.all(
      crawled.urls.map(async ({ key, url, state }) => [
        url.slice(server.origin.length),
        outcomeOf(state, await crawled.run.page(key)),
      ]),
    );
    expect(Object.fromEntries(outcomes)).toMatchObject({
      ...{ '/busy': 'asked 200', '/always-busy': 'asked 429' },
      ...Object.fromEntries(HARMLESS.map((path) => [path, 'asked 200'])),
    });
    expect(at.length).toBe(2);
    expect((at[1] as number) - (at[0] as number)).toBeGreaterThanOrEqual(990);
    expect(server.requests.filter((each) => each === '/always-busy').length).toBe(3);
    await crawled.close();
    await server.close();
  });

  test('is asked less at the same time when it slows down', async () => {
    let underWay = 0;
    const loads: number[] = [];
    const pages = Array.from({ length: 60 }, (_, index) => `/page/${index}`);
    const server = await startHostile({
      name: 'slow under load',
      outcomes: {},
      links: pages,
      answer: ({ target, response }) => {
        if (!target.startsWith('/page/')) return false;
        loads.push(++underWay);
        const slow = underWay > 2;
        setTimeout(
          () => {
            underWay--;
            response.writeHead(200, { 'Content-Type': 'text/html' }).end(pageWith([]));
          },
          // At first it copes with everything.
          slow && loads.length > 16 ? 500 : 5,
        );
        return true;
      },
    });
    const crawled = await crawlAll([`${server.origin}/`]);
    expect(crawled.urls.map(({ state }) => state)).toEqual(
      Array(1 + pages.length + HARMLESS.length).fill('asked'),
    );
    const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;
    expect(mean(loads.slice(-10))).toBeLessThan(mean(loads.slice(8, 24)) - 1);
    await crawled.close();
    await server.close();
  });
});

describe('addresses that are not public', () => {
  test('none is connected to under --public-only', async () => {
    const server = await startHostile({ name: '', answer: () => false, outcomes: {} });
    const file = Buffer.from('User-agent: *\nDisallow:');
    for (const start of [`${server.origin}/`, server.origin.replace('127.0.0.1', 'localhost')]) {
      const crawled = await crawlAll([start], { publicOnly: true, robots: file });
      const [{ key, state } = { key: -1, state: '' }] = crawled.urls;
      expect(outcomeOf(state, await crawled.run.page(key))).toBe('failure private-address');
      // Whose robots.txt may not be asked for is not asked for pages either.
      const unreachable = await crawlAll([start], { publicOnly: true });
      expect(unreachable.urls.map((each) => each.state)).toEqual(['blocked']);
      expect(await unreachable.run.allRobots()).toMatchObject([
        { use: 'unreachable', code: 'private-address' },
      ]);
      for (const each of [crawled, unreachable]) await each.close();
    }
    expect(server.requests).toEqual([]);
    await server.close();
  });
});

/** Answers the robots.txt alone. */
function robots(answer: (ask: Ask) => unknown): HostileSite['answer'] {
  return (ask) => {
    if (ask.target !== '/robots.txt') return false;
    answer(ask);
    return true;
  };
}
