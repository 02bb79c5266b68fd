// Each adapter crawls a site whose robots.txt is in one of twelve states: no URL is lost, none is requested that is forbidden, requests
// keep their distance, and the access log of the site has no violation. With INTERVALS=250 the test prints the intervals with a spacing of 250 ms.
import { existsSync } from 'node:fs';
import { CheerioCrawler, Configuration, log } from '@crawlee/cheerio';
import axios from 'axios';
import got from 'got';
import { type Browser, chromium } from 'playwright-core';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardPlaywrightPage } from '../../src/adapters/browsers.ts';
import { createRobotsHook } from '../../src/adapters/crawlee.ts';
import { createRobotsFetch } from '../../src/adapters/fetch.ts';
import { robots } from '../../src/adapters/undici.ts';
import type { RobotsClient } from '../../src/origins/client/client.ts';
import { AccessLog } from '../support/access-log.ts';
import { serve } from '../support/server.ts';
import { createListener, FILE, ROBOTS_STATES } from './robots-states.ts';
import { shortenRefusals } from './shorten-refusals.ts';
import { newClient } from './site.ts';

/** Milliseconds between two requests for pages. */
const SPACING = Number(process.env['INTERVALS'] ?? 50);
const OPEN = ['/1', '/2', '/3', '/4'];
const CHROMIUM = '/usr/bin/chromium';

/** What an adapter needs: the client, and a way to let the time of an outage pass. */
interface World {
  readonly client: RobotsClient;
  readonly urls: readonly string[];
  /** Sets the clock of the client to a time. */
  readonly passTo: (time: number) => void;
}

/** An adapter crawls the URLs of a world, and returns those that were forbidden for good. */
type Crawl = (world: World) => Promise<string[]>;

/** Crawls with a queue that does what the refusals say: it drops those that are final, and puts the others back until `retryAt`. */
function crawlWith(createVisit: (client: RobotsClient) => (url: string) => Promise<unknown>): Crawl {
  return async ({ client, urls, passTo }) => {
    const visit = createVisit(client);
    const forbidden: string[] = [];
    const queue = [...urls];
    for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
      try {
        await visit(url);
      } catch (thrown) {
        const refusal = findRefusal(thrown);
        if (!refusal.temporary) forbidden.push(url);
        else {
          passTo(refusal.retryAt as number);
          queue.push(url);
        }
      }
    }
    return forbidden;
  };
}

interface RefusalFacts {
  readonly temporary: boolean;
  readonly retryAt: number | null;
}

/** Finds the refusal in an error or its causes. */
function findRefusal(thrown: unknown): RefusalFacts {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if ('temporary' in error) return error as unknown as RefusalFacts;
  throw thrown;
}

const crawlWithCrawlee: Crawl = async ({ client, urls, passTo }) => {
  log.setLevel(log.LEVELS.OFF);
  const forbidden: string[] = [];
  const crawler = new CheerioCrawler(
    {
      // How often the crawler looks for requests that may start: every half second by default.
      autoscaledPoolOptions: { maybeRunIntervalSecs: 0.05 },
      preNavigationHooks: [
        (_context, gotOptions) => {
          gotOptions.useHeaderGenerator = false;
          gotOptions.headers = { 'user-agent': client.userAgent };
        },
        createRobotsHook(shortenRefusals(client, passTo)),
      ],
      requestHandler: async () => {},
      failedRequestHandler: ({ request: { url } }) => void forbidden.push(url),
    },
    new Configuration({ persistStorage: false, purgeOnStart: false }),
  );
  await crawler.run([...urls]);
  return forbidden;
};

let browser: Browser | undefined;
beforeAll(async () => {
  if (existsSync(CHROMIUM))
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}, 60_000);
afterAll(() => browser?.close());

const crawlWithPlaywright: Crawl = async (world) => {
  const context = await (browser as Browser).newContext({
    serviceWorkers: 'block',
    userAgent: world.client.userAgent,
  });
  const page = await context.newPage();
  const { goto } = await guardPlaywrightPage(page, world.client);
  try {
    return await crawlWith(() => (url) => goto(url))(world);
  } finally {
    await context.close();
  }
};

const ADAPTERS: Readonly<Record<string, Crawl>> = {
  fetch: crawlWith((client) => {
    const fetch = createRobotsFetch(client);
    return async (url) => (await fetch(url)).text();
  }),
  undici: crawlWith((client) => {
    const dispatcher = new Agent().compose(robots(client));
    return async (url) => (await request(url, { dispatcher })).body.text();
  }),
  got: crawlWith(
    (client) => (url) =>
      client.pace(url, () => got(url, { retry: { limit: 0 }, headers: { 'user-agent': client.userAgent } })),
  ),
  axios: crawlWith(
    (client) => (url) =>
      client.pace(url, () => axios.get(url, { headers: { 'user-agent': client.userAgent } })),
  ),
  Crawlee: crawlWithCrawlee,
  Playwright: crawlWithPlaywright,
};

/** Milliseconds between the arrivals of two requests for pages, by adapter. */
const INTERVALS: Readonly<Record<string, number[]>> = Object.fromEntries(
  Object.keys(ADAPTERS).map((name) => [name, []]),
);
/** The bounds of the histogram, as shares of the spacing. */
const BOUNDS = [0.9, 0.98, 1, 1.02, 1.1, 1.5, Number.POSITIVE_INFINITY].map((share) => share * SPACING);
afterAll(() => {
  if (process.env['INTERVALS'] === undefined) return;
  for (const [adapter, intervals] of Object.entries(INTERVALS)) {
    const counts = BOUNDS.map(
      (bound, index) => intervals.filter((each) => each < bound && each >= (BOUNDS[index - 1] ?? 0)).length,
    );
    process.stdout.write(
      `${adapter} ${intervals.length} ${Math.min(...intervals).toFixed(1)} ms: ${counts.join(' | ')}\n`,
    );
  }
});

// They wait most of the time.
describe.concurrent.each(Object.keys(ADAPTERS))('%s', (adapter) => {
  test.skipIf(adapter === 'Playwright' && !existsSync(CHROMIUM)).for(ROBOTS_STATES)(
    '$name: no URL is lost, none is requested that is forbidden, intervals are kept',
    async (state, { onTestFinished }) => {
      const arrivals: number[] = [];
      const pages: string[] = [];
      const log = new AccessLog();
      const listener = createListener(state, (path) => {
        if (path === '/favicon.ico') return;
        arrivals.push(performance.now());
        pages.push(path);
      });
      const site = await serve((request, response) => {
        if (request.url !== '/favicon.ico') log.record(request, response);
        listener(request, response);
      });
      onTestFinished(() => site.close());
      let now = Date.now();
      const client = newClient({
        now: () => now,
        timeout: 2_000,
        pace: { spacing: SPACING },
      });
      const passTo = (time: number): void => {
        now = Math.max(now, time);
      };
      const paths = ['/private/a', ...OPEN, '/private/b'];
      const urls = paths.map((path) => `${site.origin}${path}`);
      const startedAt = performance.now();
      const forbidden = await (ADAPTERS[adapter] as Crawl)({ client, urls, passTo });
      const isPrivate = (path: string): boolean => path.includes('/private');
      expect(pages.sort()).toEqual(state.forbids ? OPEN : [...paths].sort());
      expect(forbidden.sort()).toEqual(state.forbids ? urls.filter(isPrivate).sort() : []);
      // A request can arrive late, so that its distance from the next one is shorter than between their starts.
      expect((arrivals.at(-1) as number) - startedAt).toBeGreaterThanOrEqual((pages.length - 1) * SPACING);
      INTERVALS[adapter]?.push(...arrivals.slice(1).map((time, index) => time - (arrivals[index] as number)));
      await site.close();
      const { crawlers } = await log.judge(site.origin, state.forbids ? FILE : '');
      const robotsRequests = site.requests.filter((path) => path === '/robots.txt').length;
      const targets = site.requests.filter((path) => path === '/rules.txt').length;
      expect(crawlers).toMatchObject([
        { crawler: 'TestBot', requests: robotsRequests + targets + pages.length },
      ]);
      expect(crawlers[0]?.classes).toEqual({
        ...{ 'robots-txt': robotsRequests, allowed: targets + pages.length },
        ...{ grace: 0, violation: 0, outage: 0, 'unknown-version': 0, exempt: 0 },
      });
    },
  );
});
