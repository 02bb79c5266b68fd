import { existsSync } from 'node:fs';
import {
  CheerioCrawler,
  type CheerioCrawlerOptions,
  type CheerioCrawlingContext,
  Configuration,
  log,
} from '@crawlee/cheerio';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type CrawleeRequest,
  createRobotsHook,
  type Decider,
  ForbiddenUrlError,
  type RequestManager,
} from '../../src/adapters/crawlee.ts';
import { CrawleeRequests } from '../../src/adapters/crawlee-requests.ts';
import type { Turn } from '../../src/pace/turn.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { serveRaw } from '../support/server.ts';
import { shortenRefusals } from './shorten-refusals.ts';
import { newClient, pathsOf, redirectTo, startSite } from './site.ts';

const start: typeof startSite = (robots) => closeAtEnd(startSite(robots));
beforeAll(() => log.setLevel(log.LEVELS.OFF));

type Hook = NonNullable<CheerioCrawlerOptions['preNavigationHooks']>[number];

interface Report {
  /** URLs that were handled, in order. */
  readonly handled: string[];
  /** Requests that failed for good. */
  readonly failed: { readonly url: string; readonly retries: number; readonly error: Error }[];
}

/** Crawls with Crawlee itself, without files. */
async function crawl(
  urls: readonly string[],
  preNavigationHooks: Hook[],
  handle: (context: CheerioCrawlingContext) => Promise<unknown> = async () => {},
): Promise<Report> {
  const handled: string[] = [];
  const failed: Report['failed'] = [];
  const crawler = new CheerioCrawler(
    {
      // How often the crawler looks for requests that may start: every half second by default.
      autoscaledPoolOptions: { maybeRunIntervalSecs: 0.05 },
      preNavigationHooks,
      async requestHandler(context) {
        handled.push(context.request.url);
        await handle(context);
      },
      failedRequestHandler({ request }, error) {
        failed.push({ url: request.url, retries: request.retryCount, error });
      },
    },
    new Configuration({ persistStorage: false, purgeOnStart: false }),
  );
  await crawler.run([...urls]);
  return { handled: handled.sort(), failed };
}

test('forbidden pages get no request and fail once, the others are handled, robots.txt is fetched once', async () => {
  const site = await start();
  const open = Array.from({ length: 10 }, (_, index) => `${site.origin}/${index}`);
  const forbidden = Array.from({ length: 10 }, (_, index) => `${site.origin}/private/${index}`);
  const { handled, failed } = await crawl([...forbidden, ...open], [createRobotsHook(newClient())]);
  expect(handled).toEqual(open.sort());
  expect(failed.map(({ url }) => url).sort()).toEqual(forbidden.sort());
  for (const { url, retries, error } of failed) {
    expect(error).toBeInstanceOf(ForbiddenUrlError);
    expect(error).toMatchObject({ code: 'disallowed', url, verdict: { kind: 'disallowed', line: 2 } });
    expect(retries).toBe(0);
  }
  expect(site.requests[0]).toBe('/robots.txt');
  expect(site.requests.length).toBe(11);
  expect(existsSync('storage')).toBe(false);
});

test('a redirect into a forbidden path is not followed, on the same site and on others', async () => {
  const site = await start();
  const other = await start();
  const targets = ['/private/a', `${other.origin}/private/b`, `${other.origin}${redirectTo('/private/c')}`];
  const starts = targets.map((target) => `${site.origin}${redirectTo(target)}`);
  const fine = `${site.origin}${redirectTo(`${other.origin}/open`)}`;
  const { handled, failed } = await crawl([...starts, fine], [createRobotsHook(newClient())]);
  expect(handled).toEqual([fine]);
  expect(failed.map(({ url }) => url).sort()).toEqual(starts.sort());
  for (const { retries, error } of failed) {
    expect(error).toBeInstanceOf(ForbiddenUrlError);
    expect((error as ForbiddenUrlError).url).toContain('/private/');
    expect(retries).toBe(0);
  }
  // One request each, of which one goes on to the other site twice.
  expect(site.received.length).toBe(4);
  expect(pathsOf(other).sort()).toEqual(['/open', redirectTo('/private/c')].sort());
});

test('a redirect to a private address is not followed, and not retried', async () => {
  const site = await start();
  const other = await start();
  const target = `${other.origin}/open`;
  const starts = [`${site.origin}${redirectTo(target)}`, `${site.origin}${redirectTo(redirectTo(target))}`];
  const same = `${site.origin}${redirectTo('/open')}`;
  const hook = createRobotsHook(newClient({ allowPrivateAddresses: undefined }));
  const { handled, failed } = await crawl([...starts, same], [hook]);
  expect(handled).toEqual([same]);
  expect(failed.map(({ url }) => url).sort()).toEqual(starts.sort());
  for (const { retries, error } of failed) {
    expect(error).toMatchObject({ name: 'PrivateAddressError', code: 'private-address' });
    expect(retries).toBe(0);
  }
  expect(other.requests).toEqual([]);
  // The same URL is open if the caller passes it.
  expect((await crawl([target], [hook])).handled).toEqual([target]);
});

test('a forbidden https site is not even connected to', async () => {
  const site = await start();
  const client = newClient();
  const connections: string[] = [];
  const other = await serveRaw((socket, request) => {
    connections.push(request);
    socket.destroy();
  });
  try {
    const target = `${other.origin.replace('http:', 'https:')}/private`;
    const urls = [target, `${site.origin}${redirectTo(target)}`];
    const hook = createRobotsHook({
      decide: (url) => client.decide(url.replace(/^https:.*(?=\/)/, site.origin)),
    });
    const { failed } = await crawl(urls, [hook]);
    expect(failed).toMatchObject(urls.map(() => ({ error: { code: 'disallowed', url: target } })));
    expect(connections).toEqual([]);
  } finally {
    await other.close();
  }
});

test('the URL that counts is the one that is requested', async () => {
  const site = await start((_request, response) => response.end('User-agent: *\nDisallow: /*?sort='));
  const { failed } = await crawl(
    [`${site.origin}/a`],
    [
      (_context, gotOptions) => {
        gotOptions.searchParams = { sort: 'up' };
      },
      createRobotsHook(newClient()),
    ],
  );
  expect(failed).toMatchObject([
    {
      url: `${site.origin}/a`,
      retries: 0,
      error: { code: 'disallowed', url: `${site.origin}/a?sort=up` },
    },
  ]);
  expect(site.requests).toEqual(['/robots.txt']);
});

test('hooks that others have set are called, and their headers are sent', async () => {
  const site = await start();
  const called: string[] = [];
  const { handled } = await crawl(
    [`${site.origin}/count/1`],
    [
      (_context, gotOptions) => {
        gotOptions.useHeaderGenerator = false;
        gotOptions.headers = { 'user-agent': 'TestBot/1.0' };
        gotOptions.hooks = {
          beforeRequest: [({ url }) => void called.push(`request ${new URL(String(url)).pathname}`)],
          beforeRedirect: [({ url }) => void called.push(`redirect ${new URL(String(url)).pathname}`)],
        };
      },
      createRobotsHook(newClient()),
    ],
  );
  expect(handled.length).toBe(1);
  expect(called).toEqual(['request /count/1', 'redirect /count/0', 'request /count/0']);
  expect(site.received.map(({ headers }) => headers['user-agent'])).toEqual(['TestBot/1.0', 'TestBot/1.0']);
});

test('other failures are tried again, and stay what they are', async () => {
  const site = await start();
  const client = newClient();
  const page = `${site.origin}/page`;
  const endless = `${site.origin}/count/99`;
  let failures = 0;
  const hook = createRobotsHook({
    decide: async (url) => {
      if (url === page && failures++ < 2) throw new Error('no more sockets');
      return client.decide(url);
    },
  });
  const { handled, failed } = await crawl([page, endless], [hook]);
  expect(handled).toEqual([page]);
  expect(failures).toBeGreaterThan(2);
  expect(failed).toMatchObject([{ url: endless, retries: 3, error: { code: 'ERR_TOO_MANY_REDIRECTS' } }]);
});

test('pages of a site whose robots.txt is unreachable are postponed and fetched later, without a retry or a failure', async () => {
  let [isDown, now] = [true, Date.now()];
  const site = await start((_request, response) => {
    if (isDown) response.writeHead(503).end();
    else response.end('User-agent: *\nDisallow: /private\n');
    isDown = false;
  });
  const other = await start();
  const client = newClient({ now: () => now });
  const hook = createRobotsHook(
    shortenRefusals(client, (time) => {
      now = time;
    }),
  );
  const retries: number[] = [];
  const open = Array.from({ length: 10 }, (_, index) => `${site.origin}/${index}`);
  const { handled, failed } = await crawl(
    [...open, `${site.origin}/private/x`, `${other.origin}/`],
    [hook],
    async ({ request }) => {
      retries.push(request.retryCount, request.errorMessages.length);
    },
  );
  expect(handled).toEqual([...open, `${other.origin}/`].sort());
  expect(failed).toMatchObject([
    { url: `${site.origin}/private/x`, retries: 0, error: { code: 'disallowed' } },
  ]);
  expect(new Set(retries)).toEqual(new Set([0]));
  expect(pathsOf(site).sort()).toEqual(open.map((url) => new URL(url).pathname).sort());
});

describe('pages that must wait', () => {
  type TakeTurn = NonNullable<Decider['takeTurn']>;
  const turn = { origin: '', end: () => {}, fail: () => {}, cancel: () => {} };
  const wait = (): never => {
    throw Object.assign(new Error('wait'), { temporary: true, retryAt: Date.now() + 60_000 });
  };

  /** Wraps a queue of some URLs. */
  function wrap(urls: readonly string[], takeTurn: TakeTurn, maxPostponed?: number) {
    const queue: CrawleeRequest[] = urls.map((url) => ({ ...{ url, noRetry: false, retryCount: 0 } }));
    const requestManager: RequestManager = {
      fetchNextRequest: async () => queue.shift() ?? null,
      reclaimRequest: async (request) => queue.push(request),
      markRequestHandled: async () => {},
      isEmpty: async () => queue.length === 0,
      isFinished: async () => queue.length === 0,
    };
    const crawler = { requestManager };
    const decider: Decider = { decide: async () => expect.fail(), takeTurn };
    new CrawleeRequests(decider, maxPostponed).install(crawler);
    return { queue, manager: crawler.requestManager };
  }

  const slow = (count: number): string[] =>
    Array.from({ length: count }, (_, index) => `http://slow.example/${index}`);

  test('keep no other page waiting, however many they are, and none is lost', async () => {
    const take: TakeTurn = async (url) => (url.startsWith('http://fast') ? turn : wait());
    const { queue, manager } = wrap([...slow(150), 'http://fast.example/'], take, 10);
    expect(await manager.fetchNextRequest()).toBe(null);
    expect(await manager.isEmpty()).toBe(true);
    expect(await manager.isFinished()).toBe(false);
    expect(await manager.fetchNextRequest()).toMatchObject({ url: 'http://fast.example/' });
    expect(queue.length).toBe(140);
  });

  test('are examined in their order, one of a site at a time', async () => {
    const now = vi.spyOn(Date, 'now');
    onTestFinished(() => now.mockRestore());
    let time = 0;
    now.mockImplementation(() => time);
    const examined: string[] = [];
    let isFree = false;
    const { manager } = wrap(slow(50), async (url) => {
      examined.push(new URL(url).pathname);
      return isFree ? turn : wait();
    });
    expect(await manager.fetchNextRequest()).toBe(null);
    time = 60_000;
    expect(await manager.fetchNextRequest()).toBe(null);
    expect(examined).toEqual(['/0', '/0']);
    expect(await manager.isEmpty()).toBe(true);
    [time, isFree] = [120_000, true];
    expect(await manager.isEmpty()).toBe(false);
    for (let index = 0; index < 50; index++)
      expect((await manager.fetchNextRequest())?.url).toBe(`http://slow.example/${index}`);
    expect(await manager.isFinished()).toBe(true);
  });

  test('for a robots.txt that takes long keep no other page waiting, and get their turn later', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let cancelled = 0;
    let answer = (_: Turn): void => {};
    const first = new Promise<Turn>((resolve) => {
      answer = resolve;
    });
    const turns: (Turn | Promise<Turn>)[] = [first, turn];
    const take: TakeTurn = async (url) =>
      url.startsWith('http://fast') ? turn : (turns.shift() ?? expect.fail());
    const { manager } = wrap([...slow(2), 'http://fast.example/'], take);
    const next = manager.fetchNextRequest();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await next).toMatchObject({ url: 'http://fast.example/' });
    expect(await manager.fetchNextRequest()).toBe(null);
    expect([await manager.isEmpty(), await manager.isFinished()]).toEqual([true, false]);
    answer({ ...turn, cancel: () => cancelled++ });
    await vi.advanceTimersByTimeAsync(0);
    expect(cancelled).toBe(1);
    expect(await manager.isEmpty()).toBe(false);
    expect((await manager.fetchNextRequest())?.url).toBe('http://slow.example/0');
  });
});

test('a redirect to a site whose robots.txt is unreachable puts the page back, without counting a retry', async () => {
  let [failures, now] = [0, Date.now()];
  const site = await start();
  const other = await start((_request, response) => {
    if (failures++ === 0) response.writeHead(503).end();
    else response.end('');
  });
  const hook = createRobotsHook(
    shortenRefusals(newClient({ now: () => now }), (time) => {
      now = time;
    }),
  );
  const url = `${site.origin}${redirectTo(`${other.origin}/open`)}`;
  const counts: number[] = [];
  const { handled, failed } = await crawl([url], [hook], async ({ request }) => {
    counts.push(request.retryCount, request.errorMessages.length);
  });
  expect({ handled, failed, counts }).toEqual({ handled: [url], failed: [], counts: [0, 0] });
  expect(pathsOf(other)).toEqual(['/open']);
});

test('requests to one site are apart, those to another one do not wait, and a handler may fetch from the same site', async () => {
  const slow = await start();
  const fast = await start();
  const client = newClient({ pace: { spacing: 300 } });
  const urls = [...Array(4).keys()].map((index) => `${slow.origin}/${index}`);
  const order: string[] = [];
  const before = performance.now();
  const { handled, failed } = await crawl(
    [...urls, `${fast.origin}/a`],
    [createRobotsHook(client)],
    async ({ request }) => {
      order.push(new URL(request.url).pathname);
      // The turn of the page has ended, so this does not wait for itself.
      await client.pace(`${slow.origin}/again`, () => {}, { maxWait: 10_000 });
    },
  );
  expect(performance.now() - before).toBeGreaterThanOrEqual(4 * 300);
  expect(failed).toEqual([]);
  expect(handled.length).toBe(5);
  expect(order.indexOf('/a')).toBeLessThan(3);
});

test('a site that responds with 503 and Retry-After gets no further request until then, and retries are counted as usual', async () => {
  const site = await start();
  const client = newClient();
  const postponed: number[] = [];
  const hook = createRobotsHook({
    decide: (url) => client.decide(url),
    takeTurn: async (url, options) => {
      try {
        return await client.takeTurn(url, options);
      } catch (error) {
        const { retryAt } = error as { readonly retryAt: number };
        postponed.push(retryAt - Date.now());
        throw Object.assign(new Error('enough'), { code: 'stop' });
      }
    },
  });
  await crawl([`${site.origin}/status/503`, `${site.origin}/status/503?2`], [hook]);
  expect(pathsOf(site).length).toBe(1);
  expect(Math.max(...postponed)).toBeGreaterThan(590_000);
});
