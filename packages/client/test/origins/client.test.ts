import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GOOGLE_2022, RFC9309 } from '@maycrawl/core';
import { describe, expect, test } from 'vitest';
import { RobotsClient } from '../../src/origins/client/client.ts';
import type { ClientOptions } from '../../src/origins/client/client-options.ts';
import type { ClientEvent } from '../../src/origins/events/client-event.ts';
import type { FetchResult } from '../../src/robots/fetch-result.ts';
import { MemoryStore } from '../../src/store/memory.ts';
import type { RobotsStore } from '../../src/store/store.ts';
import { decideInTwoProcesses } from '../support/client-processes.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { RESPONSE_DETAILS } from '../support/histories.ts';
import { serve, type TestServer } from '../support/server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Starts a site, a client for it, and a clock that only `pass` moves. */
async function start(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  options: Partial<ClientOptions> = {},
): Promise<{ client: RobotsClient; origin: string; requests: string[]; pass: (time: number) => void }> {
  const server = await closeAtEnd(serve(listener));
  let now = Date.UTC(2026, 10, 21);
  const client = new RobotsClient({
    agent: 'TestBot',
    userAgent: 'TestBot/1.0 (+https://bot.example)',
    now: () => now,
    ...options,
  });
  const pass = (time: number): void => {
    now += time;
  };
  return { client, origin: server.origin, requests: server.requests, pass };
}

const FILE = 'User-agent: *\nDisallow: /private\n';
const allowed = async (client: RobotsClient, url: string): Promise<boolean> => {
  const verdict = await client.decide(url);
  if (verdict.kind === 'out-of-scope') throw new Error(url);
  return verdict.allowed;
};

test('a 500 whose body does not say that is an outage in every profile', async () => {
  const { client, origin } = await start((_request, response) => response.writeHead(500).end('Oops 4041'), {
    profile: GOOGLE_2022,
  });
  expect(await client.decide(`${origin}/`)).toMatchObject({ reason: 'unreachable' });
});

describe('single flight', () => {
  const slowly = (_request: IncomingMessage, response: ServerResponse): void => {
    setTimeout(() => response.end(FILE), 50);
  };

  test('1,000 callers that wait for one origin share one request and its result', async () => {
    const { client, origin, requests } = await start(slowly);
    const verdicts = await Promise.all(
      Array.from({ length: 1000 }, (_, index) => allowed(client, `${origin}/private/${index}`)),
    );
    expect(new Set(verdicts)).toEqual(new Set([false]));
    expect(requests.length).toBe(1);
  });

  test('two processes that share a SQLite file make one request, 1,000 callers each', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'maycrawl-client-'));
    const { results, requests } = await decideInTwoProcesses(join(folder, 'cache.sqlite'));
    rmSync(folder, { recursive: true });
    expect(results).toEqual([
      { allowed: 0, disallowed: 1000 },
      { allowed: 0, disallowed: 1000 },
    ]);
    expect(requests).toEqual(['/robots.txt']);
  });
});

test('a stale response can be used while it is revalidated', async () => {
  let version = 1;
  const { client, origin, requests, pass } = await start(
    (_request, response) => response.end(`User-agent: *\nDisallow: /${version++}\n`),
    { staleWhileRevalidate: HOUR },
  );
  expect(await allowed(client, `${origin}/1`)).toBe(false);
  pass(DAY);
  expect(await allowed(client, `${origin}/1`)).toBe(false);
  await expect.poll(() => allowed(client, `${origin}/1`)).toBe(true);
  expect(requests.length).toBe(2);
  // After the hour callers wait.
  pass(DAY + HOUR);
  expect(await allowed(client, `${origin}/3`)).toBe(false);
});

test('a caller that aborts stops waiting; the others continue', async () => {
  let answer = (): void => {};
  const { client, origin, requests } = await start((_request, response) => {
    answer = () => response.end(FILE);
  });
  const aborter = new AbortController();
  const aborted = client.decide(`${origin}/private`, { signal: aborter.signal });
  const patient = client.decide(`${origin}/private`);
  await expect.poll(() => requests.length).toBe(1);
  aborter.abort(new Error('enough'));
  await expect(aborted).rejects.toThrow('enough');
  answer();
  expect(await patient).toMatchObject({ kind: 'disallowed' });
  await expect(client.decide(`${origin}/`, { signal: aborter.signal })).rejects.toThrow('enough');
});

test('decideAll requests each site once, and at most `concurrency` at a time', async () => {
  let [open, most] = [0, 0];
  const servers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      serve(
        (_request, response) => {
          most = Math.max(most, ++open);
          setTimeout(() => {
            open--;
            response.end(FILE);
          }, 20);
        },
        `127.0.0.${1 + index}`,
      ),
    ),
  );
  const client = new RobotsClient({ agent: 'TestBot', userAgent: 'TestBot' });
  const urls = Array.from({ length: 240 }, (_, index) => {
    const { origin } = servers[index % 12] as TestServer;
    return `${origin}/${index % 2 === 0 ? 'private' : 'open'}/${index}`;
  });
  const found = new Map<string, string>();
  for await (const each of client.decideAll([...urls, 'nonsense'], { concurrency: 5 })) {
    found.set(each.url, 'verdict' in each ? each.verdict.kind : String(each.error));
  }
  for (const server of servers) await server.close();
  expect(found.get('nonsense')).toMatch(/^RangeError/);
  expect(urls.map((url) => found.get(url))).toEqual(
    urls.map((url) => (url.includes('private') ? 'disallowed' : 'allowed')),
  );
  expect(servers.map(({ requests }) => requests.length)).toEqual(servers.map(() => 1));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(5);
});

test('decideAll requests the sites of one host one after another, with a pause', async () => {
  const requestedAt: number[] = [];
  const answer = (_request: IncomingMessage, response: ServerResponse): void => {
    requestedAt.push(performance.now());
    response.end(FILE);
  };
  const servers = [
    await serve(answer),
    await serve(answer),
    await serve(answer),
    await serve(answer, '127.0.0.9'),
  ];
  const client = new RobotsClient({ agent: 'TestBot', userAgent: 'TestBot' });
  const urls = servers.map(({ origin }) => `${origin}/private`);
  const found: string[] = [];
  for await (const each of client.decideAll(urls, { spacing: 200 })) found.push(each.url);
  for (const server of servers) await server.close();
  // The other host did not wait.
  expect(found.indexOf(urls[3] as string)).toBeLessThan(2);
  const [first = 0, ...others] = requestedAt;
  const pauses = others.map((time) => time - first);
  expect(pauses.length).toBe(3);
  expect(pauses[1]).toBeGreaterThan(190);
  expect(pauses[2]).toBeGreaterThan(390);
});

test('an abort ends decideAll, also in the pause between sites', async () => {
  const servers = [await serve((_request, response) => response.end(FILE)), await serve(() => {})];
  const aborter = new AbortController();
  const client = new RobotsClient({ agent: 'TestBot', userAgent: 'TestBot' });
  const urls = servers.map(({ origin }) => `${origin}/`);
  const found: string[] = [];
  const all = async (): Promise<void> => {
    for await (const each of client.decideAll(urls, { spacing: 60_000, signal: aborter.signal })) {
      found.push(each.url);
      setTimeout(() => aborter.abort(new Error('enough')), 20);
    }
  };
  await expect(all()).rejects.toThrow('enough');
  for (const server of servers) await server.close();
  expect(found).toEqual([urls[0]]);
});

test('a store that fails is reported, and the client continues without it', async () => {
  const broken = new Proxy({} as RobotsStore, {
    get: () => () => Promise.reject(new Error('no store')),
  });
  const events: ClientEvent[] = [];
  const { client, origin, requests } = await start((_request, response) => response.end(FILE), {
    store: broken,
    onEvent: (event) => events.push(event),
  });
  expect(await allowed(client, `${origin}/private`)).toBe(false);
  expect(await allowed(client, `${origin}/`)).toBe(true);
  expect(requests.length).toBe(1);
  expect(events.map(({ kind }) => kind)).toContain('store-failed');
});

test('the evictions of a store are events of each client, with the origin that was stored before', async () => {
  const events: ClientEvent[] = [];
  const fetcher = (): Promise<FetchResult> =>
    Promise.resolve({ kind: 'unavailable', code: 'http-status', message: '404', ...RESPONSE_DETAILS });
  const store = new MemoryStore({ maxOrigins: 2 });
  const open = (): RobotsClient =>
    new RobotsClient({
      ...{ agent: 'TestBot', userAgent: 'TestBot', store, fetcher },
      onEvent: (event) => events.push(event),
    });
  const names = Array.from({ length: 5 }, (_, index) => `http://${index}.example`);
  for (const name of names) await open().decide(`${name}/`);
  expect(events.filter(({ kind }) => kind === 'evicted')).toEqual(
    names.slice(2).map((origin) => ({ kind: 'evicted', origin, count: 1 })),
  );
  expect(store.evictions).toBe(3);
});

test.each(['/path', 'gopher://h.example/', 'nonsense'])('%s is not a URL of a site', async (url) => {
  const client = new RobotsClient({ agent: 'a', userAgent: 'a' });
  await expect(client.decide(url)).rejects.toThrow(RangeError);
});

test.each([
  ['a status that profiles interpret differently', RFC9309, 429, ''],
  ['a 5xx that says that the page was not found', GOOGLE_2022, 500, '404 not found'],
])('clients with different profiles share a store: %s', async (_what, profile, status, body) => {
  const store = new MemoryStore();
  const { client, origin } = await start((_request, response) => response.writeHead(status).end(body), {
    store,
    profile,
  });
  expect(await client.decide(`${origin}/`)).toMatchObject({ kind: 'allowed', reason: 'unavailable' });
  const now = (): number => Date.UTC(2026, 10, 21);
  const google = new RobotsClient({ agent: 'TestBot', userAgent: 'TestBot', store, now });
  expect(await google.decide(`${origin}/`)).toMatchObject({ kind: 'disallowed', reason: 'unreachable' });
});

test('a redirect that only one crawler may not follow', async () => {
  const store = new MemoryStore();
  const other = await serve((request, response) =>
    response.end(
      request.url === '/robots.txt'
        ? 'User-agent: Abot\nDisallow: /real\n'
        : 'User-agent: *\nDisallow: /secret\n',
    ),
  );
  const { origin } = await start((_request, response) =>
    response.writeHead(302, { location: `${other.origin}/real` }).end(),
  );
  const [a, b] = ['Abot', 'Bbot'].map((agent) => new RobotsClient({ agent, userAgent: agent, store }));
  expect(await allowed(a as RobotsClient, `${other.origin}/`)).toBe(true);
  expect(await a?.decide(`${origin}/secret`)).toMatchObject({ kind: 'allowed', reason: 'unavailable' });
  expect(await b?.decide(`${origin}/secret`)).toMatchObject({ kind: 'disallowed' });
  await other.close();
});

describe('revalidation', () => {
  test('only the URL of the stored response can confirm it', async () => {
    const target = await serve((_request, response) => {
      response
        .setHeader('last-modified', 'Wed, 01 Jan 2025 00:00:00 GMT')
        .end('User-agent: *\nDisallow: /old\n');
    });
    let isMoved = true;
    const { client, origin, pass } = await start((request, response) => {
      if (isMoved) response.writeHead(302, { location: `${target.origin}/robots.txt` }).end();
      else if (request.headers['if-modified-since']) response.writeHead(304).end();
      else response.end('User-agent: *\nDisallow: /new\n');
    });
    expect(await allowed(client, `${origin}/old`)).toBe(false);
    isMoved = false;
    pass(DAY);
    expect(await allowed(client, `${origin}/old`)).toBe(true);
    expect(await allowed(client, `${origin}/new`)).toBe(false);
    await target.close();
  });

  test('the lifetime of the stored response applies again after a 304', async () => {
    const { client, origin, requests, pass } = await start((request, response) => {
      if (request.headers['if-none-match']) response.writeHead(304).end();
      else response.writeHead(200, { etag: '"v1"', 'cache-control': 'max-age=300' }).end(FILE);
    });
    for (let minute = 0; minute <= 20; minute += 5) {
      expect(await allowed(client, `${origin}/private`)).toBe(false);
      pass(5 * MINUTE);
    }
    expect(requests.length).toBe(5);
  });
});

test('when no caller waits, the request is aborted and the lease is released', async () => {
  const store = new MemoryStore();
  let closed = 0;
  const { client, origin, requests } = await start((request) => request.socket.on('close', () => closed++), {
    store,
  });
  const waiting = Array.from({ length: 30 }, () =>
    client.decide(`${origin}/`, { signal: AbortSignal.timeout(300) }),
  );
  for (const each of await Promise.allSettled(waiting)) expect(each.status).toBe('rejected');
  await client.idle();
  await expect.poll(() => closed).toBe(1);
  expect(requests.length).toBe(1);
  expect(await store.lease(origin, 'next', 1000)).toBe(true);
});

test('the constructor refuses invalid options, and ignores undefined ones', async () => {
  const good = { agent: 'TestBot', userAgent: 'TestBot' };
  const make = (options: object) => () => new RobotsClient({ ...good, ...options });
  expect(make({ agent: '' })).toThrow(/the agent name is empty/);
  for (const timeout of [0, Number.POSITIVE_INFINITY, 3_600_001])
    expect(make({ timeout })).toThrow(/not a timeout/);
  expect(make({ staleWhileRevalidate: -1 })).toThrow(/staleWhileRevalidate/);
  const { origin } = await start((_request, response) => response.end(FILE));
  const client = make({ store: undefined, now: undefined, timeout: undefined })();
  expect(await allowed(client, `${origin}/private`)).toBe(false);
  for (const options of [{ concurrency: 0 }, { concurrency: Number.NaN }, { spacing: -1 }]) {
    expect(() => client.decideAll([`${origin}/`], options)).toThrow(RangeError);
  }
});
