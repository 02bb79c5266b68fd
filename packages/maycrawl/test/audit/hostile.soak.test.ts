/** Crawls hostile and broken sites: the cost of each is bounded, its outcome is recorded, and its other pages are fetched. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestServer } from '../../../client/test/support/server.ts';
import { type Crawled, type CrawlModes, crawlAll } from './crawling.ts';
import { ENDLESS_SITES, MAX_ALIKE } from './hostile/endless-sites.ts';
import {
  formatOutcome,
  HARMLESS,
  type HostileSite,
  type Seen,
  startHostileSite,
} from './hostile/hostile-site.ts';
import { SITEMAP_SITES } from './hostile/sitemap-sites.ts';
import { HUGE_SITES, SLOW_SITES, WRONG_SITES } from './hostile/wrong-sites.ts';

/** Measures the maximum growth of the process during a function, in megabytes. */
async function measureGrowth<T>(
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

/** Crawls all sites of a table concurrently. Each site has its own server. */
function describeSites(
  title: string,
  sites: readonly HostileSite[],
  limits: { readonly seconds: number; readonly megabytes: number },
  modes: CrawlModes = {},
): void {
  describe(title, () => {
    let servers: TestServer[] = [];
    let crawled: Crawled;
    /** Of processor time: other programs would count in the time of a clock. */
    let seconds = 0;
    let megabytes = 0;

    beforeAll(async () => {
      servers = await Promise.all(sites.map(startHostileSite));
      const start = process.cpuUsage();
      const crawling = (): Promise<Crawled> =>
        crawlAll(
          servers.map(({ origin }) => `${origin}/`),
          { ...modes, settings: { maxAlike: MAX_ALIKE, ...modes.settings } },
        );
      ({ result: crawled, megabytes } = await measureGrowth(crawling));
      const { user, system } = process.cpuUsage(start);
      seconds = (user + system) / 1e6;
      if (process.env['SHOW_COSTS'] !== undefined)
        process.stderr.write(`${title}: ${seconds.toFixed(1)} s, ${megabytes.toFixed()} MB\n`);
    });

    test('the crawl is complete within the limits of time and memory', () => {
      expect(crawled.end).toMatchObject({ reason: 'complete', waiting: 0 });
      expect(seconds).toBeLessThan(limits.seconds);
      expect(megabytes).toBeLessThan(limits.megabytes);
    });

    test.each(sites.map((site, index) => [site.name, site, index] as const))(
      '%s',
      async (_name, site, index) => {
        const { origin, requests } = servers[index] as TestServer;
        const { run } = crawled;
        const urls: Seen['urls'] = crawled.urls
          .filter(({ url }) => url.startsWith(`${origin}/`))
          .map((each) => ({ ...each, path: each.url.slice(origin.length) }));
        const outcomes = new Map<string, string>();
        for (const { key, path, state } of urls) outcomes.set(path, formatOutcome(state, run.page(key)));
        for (const path of HARMLESS) expect([path, outcomes.get(path)]).toEqual([path, 'fetched 200']);
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

describeSites('slow', SLOW_SITES, { seconds: 20, megabytes: 200 }, { timeout: 1_000 });
describeSites('wrong', WRONG_SITES, { seconds: 20, megabytes: 200 }, { timeout: 5_000 });
describeSites('huge', HUGE_SITES, { seconds: 40, megabytes: 700 }, { timeout: 15_000 });
describeSites('endless', ENDLESS_SITES, { seconds: 40, megabytes: 500 }, { timeout: 10_000 });
describeSites('sitemaps', SITEMAP_SITES, { seconds: 60, megabytes: 500 }, { timeout: 20_000 });
