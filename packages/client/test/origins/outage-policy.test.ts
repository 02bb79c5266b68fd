/** The outage policy in the client: it is a part of the profile, and may require a site check. */
import type { RequestListener } from 'node:http';
import { GOOGLE } from '@maycrawl/core';
import { describe, expect, test, vi } from 'vitest';
import { RobotsClient } from '../../src/origins/client/client.ts';
import type { ClientOptions } from '../../src/origins/client/client-options.ts';
import type { ClientEvent } from '../../src/origins/events/client-event.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { createUnreachable } from '../support/results.ts';
import { serve, type TestServer } from '../support/server.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const startSite = (listener: RequestListener): Promise<TestServer> => closeAtEnd(serve(listener));

function createClient(options: Partial<ClientOptions> = {}): {
  client: RobotsClient;
  pass: (time: number) => void;
} {
  let now = Date.UTC(2026, 10, 22);
  const client = new RobotsClient({
    agent: 'TestBot',
    userAgent: 'TestBot/1.0',
    now: () => now,
    // The sites of a test redirect to each other.
    allowPrivateAddresses: true,
    ...options,
  });
  return {
    client,
    pass: (time) => {
      now += time;
    },
  };
}

const down: RequestListener = (_request, response) => response.writeHead(500).end();

test('a failure under a clock of 1970 does not make a later outage long', async () => {
  const { origin } = await startSite(down);
  let now = 5_000;
  const { client } = createClient({ now: () => now, isSiteReachable: () => true });
  expect((await client.decide(`${origin}/`)).kind).toBe('disallowed');
  now = Date.UTC(2026, 10, 22);
  expect(await client.decide(`${origin}/`)).toMatchObject({ kind: 'disallowed', reason: 'unreachable' });
});

describe('the outage policy of a profile', () => {
  test.each([
    ['a private address', 'http://10.0.0.1/x', 'private-address'],
    ['a blocked port', 'http://site.example:25/x', 'blocked-port'],
  ])('%s is no outage of the site: all URLs are disallowed at any time', async (_what, url, code) => {
    const { client, pass } = createClient({ allowPrivateAddresses: false, isSiteReachable: () => true });
    for (const time of [0, 13 * HOUR, 31 * DAY]) {
      pass(time);
      expect(await client.decide(url)).toMatchObject({ kind: 'disallowed', reason: 'unreachable' });
    }
    expect((await client.robots(url)).history.outage).toMatchObject({ code });
  });

  test('a custom outage policy applies', async () => {
    const { origin } = await startSite(down);
    const outage = { ...GOOGLE.outage, phases: [{ from: 0, effect: 'last-response' }] } as const;
    const { client } = createClient({ profile: { ...GOOGLE, name: 'lenient', outage } });
    expect(await client.decide(`${origin}/`)).toMatchObject({ kind: 'allowed', reason: 'outage-expired' });
  });
});

describe('after thirty days of errors under google', () => {
  async function afterThirtyDays(
    home: RequestListener,
    options: Partial<ClientOptions> = {},
  ): ReturnType<typeof decideTwice> {
    const site = await startSite((request, response) =>
      request.url === '/' ? home(request, response) : down(request, response),
    );
    return decideTwice(site, options);
  }
  async function decideTwice(
    site: TestServer,
    options: Partial<ClientOptions>,
  ): Promise<{ kinds: string[]; homeRequests: number }> {
    const { client, pass } = createClient(options);
    await client.decide(`${site.origin}/x`);
    pass(31 * DAY);
    const verdicts = await Promise.all(Array.from({ length: 5 }, () => client.decide(`${site.origin}/x`)));
    return {
      kinds: [...new Set(verdicts.map(({ kind }) => kind))],
      homeRequests: site.requests.filter((path) => path === '/').length,
    };
  }

  test.each([200, 404, 301])(
    'a site whose home page responds with %d is open, and that page is requested once',
    async (status) => {
      const found = await afterThirtyDays((_request, response) => response.writeHead(status).end());
      expect(found).toEqual({ kinds: ['allowed'], homeRequests: 1 });
    },
  );

  test.each([500, 429])('a site whose home page responds with %d stays disallowed', async (status) => {
    const found = await afterThirtyDays((_request, response) => response.writeHead(status).end());
    expect(found).toEqual({ kinds: ['disallowed'], homeRequests: 1 });
  });

  test('isSiteReachable replaces the check', async () => {
    const found = await afterThirtyDays(down, { isSiteReachable: () => true });
    expect(found).toEqual({ kinds: ['allowed'], homeRequests: 0 });
  });

  test('a check that fails on this machine is reported, disallows everything, and is repeated after a minute', async () => {
    const events: ClientEvent[] = [];
    let homeRequests = 0;
    const { client, pass } = createClient({
      onEvent: (event) => events.push(event),
      fetcher: async (url) => {
        if (!url.endsWith('/robots.txt')) {
          homeRequests++;
          throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
        }
        return createUnreachable();
      },
    });
    await client.decide('https://site.example/x');
    pass(31 * DAY);
    for (const round of [1, 2]) {
      expect(await client.decide('https://site.example/x')).toMatchObject({
        kind: 'disallowed',
        reason: 'unreachable',
      });
      expect(homeRequests).toBe(round);
      pass(60_000);
    }
    expect(events.filter(({ kind }) => kind === 'refresh-failed')).toHaveLength(2);
  });

  test('a home page that redirects to a blocked port does not show whether the site is reachable', async () => {
    const events: ClientEvent[] = [];
    const found = await afterThirtyDays(
      (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:25/' }).end(),
      { onEvent: (event) => events.push(event) },
    );
    expect(found).toEqual({ kinds: ['disallowed'], homeRequests: 1 });
    expect(events.map(({ kind }) => kind)).toContain('refresh-failed');
  });

  test('a caller that aborts does not wait for the check', async () => {
    let onRequest = (): void => {};
    const requested = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    const site = await startSite((request, response) =>
      request.url === '/' ? onRequest() : down(request, response),
    );
    const { client, pass } = createClient();
    await client.decide(`${site.origin}/x`);
    pass(31 * DAY);
    const controller = new AbortController();
    const waiting = client.decide(`${site.origin}/x`, { signal: controller.signal });
    await requested;
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});

describe('a redirect to a site with unknown rules', () => {
  test.each([
    ['forbids the target', 'User-agent: TestBot\nDisallow: /r', 'allow-all'],
    ['allows the target', 'User-agent: TestBot\nDisallow: /x', 'rules'],
    ['forbids it to others', 'User-agent: OtherBot\nDisallow: /', 'rules'],
  ])('fetches these rules once: that site %s', async (_what, file, kind) => {
    const target = await startSite((request, response) =>
      response.end(request.url === '/robots.txt' ? file : 'User-agent: *\nDisallow: /of-the-target'),
    );
    const site = await startSite((_request, response) =>
      response.writeHead(302, { location: `${target.origin}/r` }).end(),
    );
    const { client } = createClient();
    expect(await client.robots(`${site.origin}/`)).toMatchObject({ policy: { kind } });
    expect(target.requests).toEqual(kind === 'rules' ? ['/robots.txt', '/r'] : ['/robots.txt']);
  });

  test('fetches these rules once for all sites that redirect there at the same time', async () => {
    const count = 10;
    const checked = new Set<string>();
    const waiting: (() => void)[] = [];
    const target = await startSite((request, response) => {
      if (request.url !== '/robots.txt') response.end('User-agent: *\nDisallow: /of-the-target');
      else waiting.push(() => response.end('User-agent: *\nDisallow: /x'));
    });
    const redirecting = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        startSite((_request, response) =>
          response.writeHead(302, { location: `${target.origin}/r${index}` }).end(),
        ),
      ),
    );
    const { client } = createClient({
      mayFollow: (url) => {
        checked.add(url);
        return true;
      },
    });
    const aborted = new AbortController();
    const [first, ...others] = redirecting.map(({ origin }, index) =>
      client.robots(`${origin}/`, index === 0 ? { signal: aborted.signal } : {}),
    );
    const refused = expect(first).rejects.toThrow('enough');
    await vi.waitFor(() => expect(redirecting.every(({ requests }) => requests.length > 0)).toBe(true));
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
    // The abort of the first caller does not affect the others.
    aborted.abort(new Error('enough'));
    await refused;
    for (const respond of waiting) respond();
    for (const { policy } of await Promise.all(others)) expect(policy.kind).toBe('rules');
    expect(target.requests.filter((path) => path === '/robots.txt')).toEqual(['/robots.txt']);
    expect(checked.size).toBe(count - 1);
  });

  test('a chain of sites that redirect their robots.txt ends: redirects of the rules are not followed', async () => {
    const sitesInCircle: TestServer[] = [];
    for (let i = 0; i < 3; i++)
      sitesInCircle.push(
        await startSite((_request, response) => {
          const { origin } = sitesInCircle[(i + 1) % 3] as TestServer;
          response.writeHead(302, { location: `${origin}/moved` }).end();
        }),
      );
    const { client } = createClient();
    const [first] = sitesInCircle as [TestServer, TestServer, TestServer];
    expect(await client.robots(`${first.origin}/`)).toMatchObject({ policy: { reason: 'unavailable' } });
    expect(sitesInCircle.flatMap(({ requests }) => requests).length).toBeLessThan(15);
  });
});

describe('decideAll', () => {
  test('reads an async iterable only as results are taken', async () => {
    const site = await startSite((_request, response) => response.end('User-agent: *\nDisallow: /odd'));
    const { client } = createClient();
    let read = 0;
    let isClosed = false;
    async function* urls(): AsyncGenerator<string> {
      try {
        for (;;) yield `${site.origin}/${read++ % 2 === 0 ? 'even' : 'odd'}`;
      } finally {
        isClosed = true;
      }
    }
    let allowed = 0;
    let taken = 0;
    for await (const result of client.decideAll(urls())) {
      if ('verdict' in result && result.verdict.kind === 'allowed') allowed++;
      if (++taken === 25_000) break;
    }
    expect(allowed).toBe(12_500);
    expect(read).toBeLessThanOrEqual(25_000 + 10_001);
    await expect.poll(() => isClosed).toBe(true);
    expect(site.requests).toEqual(['/robots.txt']);
  });

  test('rejects with the error of the iterable, after the results before it', async () => {
    const { client } = createClient({ fetcher: async () => Promise.reject(new Error('no fetch here')) });
    async function* urls(): AsyncGenerator<string> {
      yield 'nonsense';
      throw new Error('the file ended');
    }
    const results = client.decideAll(urls());
    expect((await results.next()).value).toMatchObject({ url: 'nonsense', error: expect.any(RangeError) });
    await expect(results.next()).rejects.toThrow('the file ended');
  });
});
