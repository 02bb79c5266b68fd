/** Sites that cannot answer, or say that it is too much, and addresses that nobody may be led to. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { crawlAll, crawlOn, urlsOf } from './crawling.ts';
import {
  type Ask,
  HARMLESS,
  type HostileSite,
  outcomeOf,
  pageWith,
  startHostile,
} from './hostile/hostile-site.ts';

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
      robots(({ response }) => response.writeHead(302, { Location: 'http://127.0.0.1:2/robots.txt' }).end()),
      /network/,
    ],
  ];

  test.each(outages)('%s: not one page is fetched', async (_name, answer, code) => {
    const server = await startHostile({ name: '', answer, outcomes: {} });
    const crawled = await crawlAll([`${server.origin}/`], { timeout: 500, allowPrivate: true });
    expect([...new Set(server.requests)]).toEqual(['/robots.txt']);
    const [start] = crawled.urls;
    expect(crawled.urls.map(({ url, state }) => [url, state])).toEqual([[`${server.origin}/`, 'blocked']]);
    expect(await crawled.run.verdict(start?.key ?? -1, 0)).toMatchObject({
      isAllowed: false,
      reason: 'unreachable',
      reasons: 1,
    });
    const robotsTxt = await crawled.run.robots(server.origin);
    expect(robotsTxt).toMatchObject({
      ...{ policy: { kind: 'disallow-all' }, body: null, message: expect.any(String) },
    });
    expect(robotsTxt?.code).toMatch(code);
    await crawled.close();
    await server.close();
  });

  test.each([301, 400, 401, 403, 404, 410])('status %i: everything is open', async (status) => {
    const answer = robots(({ response }) => response.writeHead(status).end('User-agent: *\nDisallow: /'));
    const server = await startHostile({ name: '', answer, outcomes: {} });
    const crawled = await crawlAll([`${server.origin}/`]);
    expect(crawled.urls.map(({ state }) => state)).toEqual(Array(5).fill('fetched'));
    expect((await crawled.run.robots(server.origin))?.policy).toEqual({
      kind: 'allow-all',
      reason: 'unavailable',
    });
    await crawled.close();
    await server.close();
  });
});

describe('a site that has trouble', () => {
  test('is fetched again after its Retry-After', async () => {
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
      ...{ '/busy': 'fetched 200', '/always-busy': 'fetched 429' },
      ...Object.fromEntries(HARMLESS.map((path) => [path, 'fetched 200'])),
    });
    expect(at.length).toBe(2);
    expect((at[1] as number) - (at[0] as number)).toBeGreaterThanOrEqual(990);
    expect(server.requests.filter((each) => each === '/always-busy').length).toBe(3);
    await crawled.close();
    await server.close();
  });

  test('gets fewer concurrent requests when it slows down', async () => {
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
      Array(1 + pages.length + HARMLESS.length).fill('fetched'),
    );
    const mean = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0) / numbers.length;
    expect(mean(loads.slice(-10))).toBeLessThan(mean(loads.slice(8, 24)) - 1);
    await crawled.close();
    await server.close();
  });
});

test('pages that fail do not keep it from the others', async () => {
  const broken = Array.from({ length: 12 }, (_, index) => `/broken/${index}`);
  const server = await startHostile({
    name: 'a broken section',
    outcomes: {},
    // The harmless pages are found after these.
    links: broken,
    answer: ({ target, request }) => {
      if (!target.startsWith('/broken/')) return false;
      request.socket.destroy();
      return true;
    },
  });
  const controller = new AbortController();
  const isDone = (): boolean => HARMLESS.every((path) => server.requests.includes(path));
  const timer = setTimeout(() => controller.abort(new Error('enough')), 20_000);
  // What fails to the end takes its time.
  const onProgress = (): void => {
    if (isDone()) controller.abort(new Error('enough'));
  };
  const crawled = await crawlAll([`${server.origin}/`], { signal: controller.signal, onProgress });
  clearTimeout(timer);
  expect(isDone()).toBe(true);
  await crawled.close();
  await server.close();
});

test('a site that goes away on the way: its pages wait until the crawl is gone on with', async () => {
  const pages = Array.from({ length: 60 }, (_, index) => `/page/${index}`);
  let isAway = false;
  let count = 0;
  let wasAway = (): void => {};
  const server = await startHostile({
    name: 'gone',
    outcomes: {},
    links: pages,
    answer: ({ target, request, response }) => {
      if (!isAway && !target.startsWith('/page/')) return false;
      if (++count === 20) isAway = true;
      if (isAway) {
        if (count === 29) wasAway();
        request.socket.destroy();
      } else response.writeHead(200, { 'Content-Type': 'text/html' }).end(pageWith([]));
      return true;
    },
  });
  const controller = new AbortController();
  wasAway = () => controller.abort(new Error('stopped'));
  const stopped = await crawlAll([`${server.origin}/`], { signal: controller.signal });
  expect(stopped.end.why).toBe('interrupted');
  const outcomesOf = async (): Promise<string[]> => {
    const all = await urlsOf(stopped.run);
    return Promise.all(all.map(async ({ key, state }) => outcomeOf(state, await stopped.run.page(key))));
  };
  expect(new Set(await outcomesOf())).toEqual(new Set(['fetched 200', 'waiting']));
  isAway = false;
  count = 20;
  const { end } = await crawlOn(stopped);
  expect(end).toMatchObject({ why: 'complete', waiting: 0 });
  expect(await outcomesOf()).toEqual(Array(1 + pages.length + HARMLESS.length).fill('fetched 200'));
  await stopped.close();
  await server.close();
});

describe('addresses that are not public', () => {
  test('none is connected to with allowPrivate: false', async () => {
    const server = await startHostile({ name: '', answer: () => false, outcomes: {} });
    const file = Buffer.from('User-agent: *\nDisallow:');
    for (const start of [`${server.origin}/`, server.origin.replace('127.0.0.1', 'localhost')]) {
      const crawled = await crawlAll([start], { allowPrivate: false, robots: file });
      const [{ key, state } = { key: -1, state: '' }] = crawled.urls;
      expect(outcomeOf(state, await crawled.run.page(key))).toBe('failure private-address');
      // A site whose robots.txt may not be fetched gets no requests for pages either.
      const unreachable = await crawlAll([start], { allowPrivate: false });
      expect(unreachable.urls.map((each) => each.state)).toEqual(['blocked']);
      expect(await unreachable.run.allRobots()).toMatchObject([
        { policy: { kind: 'disallow-all' }, code: 'private-address' },
      ]);
      for (const each of [crawled, unreachable]) await each.close();
    }
    expect(server.requests).toEqual([]);
    await server.close();
  });
});

/** Whether this user may have a network of its own, in which loopback can have any address. */
function mayHaveNetwork(): boolean {
  const { status } = spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up']);
  return status === 0;
}

test.skipIf(!mayHaveNetwork())(
  'a public site does not lead to a private one: no link, no redirect, no sitemap',
  () => {
    const script = fileURLToPath(new URL('./hostile/led-inside.mjs', import.meta.url));
    const commands = 'ip link set lo up && ip addr add 8.8.8.8/32 dev lo && exec "$0" "$1" 8.8.8.8';
    const { stdout, stderr } = spawnSync('unshare', ['-n', 'sh', '-c', commands, process.execPath, script], {
      ...{ encoding: 'utf8', timeout: 30_000 },
    });
    expect(stderr).toBe('');
    const { end, fetched, urls, problems } = JSON.parse(stdout);
    expect(end).toMatchObject({ why: 'complete' });
    expect(fetched.sort()).toEqual(['outer/', 'outer/redirect', 'outer/robots.txt', 'outer/sitemap']);
    expect(urls.sort()).toEqual([
      ...['/', '/redirect'].map((path) => ['outer', path, 'fetched']),
      ...['/linked', '/redirected', '/refreshed'].map((path) => ['own', path, 'blocked']),
    ]);
    expect(problems).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
  },
);

/** Answers the robots.txt alone. */
function robots(answer: (ask: Ask) => unknown): HostileSite['answer'] {
  return (ask) => {
    if (ask.target !== '/robots.txt') return false;
    answer(ask);
    return true;
  };
}
