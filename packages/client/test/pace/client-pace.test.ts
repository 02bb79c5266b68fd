import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { RobotsClient } from '../../src/origins/client/client.ts';
import { ForbiddenUrlError } from '../../src/origins/refusal.ts';
import { MemoryStore } from '../../src/store/memory.ts';
import { newClient, startSite } from '../adapters/site.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { createFile, fetchText } from '../support/results.ts';
import { serve } from '../support/server.ts';

const FILE = 'User-agent: *\nDisallow: /private\nCrawl-delay: 0.2\n';

describe('client.pace', () => {
  test('decides before it waits: what is forbidden is not run', async () => {
    const client = newClient({ fetcher: fetchText(FILE) });
    const run = (): never => expect.unreachable();
    const error: unknown = await client.pace('http://a.example/private', run).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ForbiddenUrlError);
    expect(error).toMatchObject({ code: 'disallowed', temporary: false, line: 2 });
  });

  test('decides again after it has waited, because the rules may have changed', async () => {
    let [text, now] = ['', 0];
    const client = newClient({ fetcher: async (url) => createFile(text, url), now: () => now });
    const url = 'http://a.example/page';
    let end = (): void => {};
    const first = client.pace(url, () => new Promise<void>((resolve) => (end = resolve)));
    await sleep(0);
    const second = client.pace(url, () => expect.unreachable());
    await sleep(0);
    text = 'User-agent: *\nDisallow: /\n';
    now += 25 * 3_600_000;
    end();
    await first;
    await expect(second).rejects.toMatchObject({ code: 'disallowed' });
  });

  test('runs one request to an origin at a time, and returns what it returns', async () => {
    const client = newClient({ fetcher: fetchText('') });
    let running = 0;
    const run = async (index: number): Promise<number> => {
      expect(++running).toBe(1);
      await sleep(1);
      running--;
      return index;
    };
    const runs = Array.from({ length: 5 }, (_, index) => client.pace('http://a.example/', () => run(index)));
    expect(await Promise.all(runs)).toEqual([0, 1, 2, 3, 4]);
  });

  test('keeps the crawl-delay of the group if the caller requests that', async () => {
    const url = 'http://a.example/';
    for (const [obeysCrawlDelay, shortest] of [
      [true, 200],
      [false, 0],
    ] as const) {
      const client = newClient({ fetcher: fetchText(FILE), pace: { obeysCrawlDelay } });
      const starts: number[] = [];
      const run = (): void => void starts.push(performance.now());
      await Promise.all([client.pace(url, run), client.pace(url, run), client.pace(url, run)]);
      // The first one can start late, so that the others seem to be closer to it.
      expect((starts.at(-1) as number) - (starts[0] as number)).toBeGreaterThanOrEqual(shortest);
    }
  });

  test.each<[string, unknown]>([
    ['fetch', new Response('', { status: 503, headers: { 'retry-after': '600' } })],
    ['undici and got', { statusCode: 503, headers: { 'retry-after': '600' } }],
    ['axios', { status: 503, headers: { 'retry-after': '600' } }],
    ['browsers', { status: () => 503, headers: () => ({ 'retry-after': '600' }) }],
  ])('reads Retry-After in the response of %s', async (_what, response) => {
    const client = newClient({ fetcher: fetchText('') });
    const url = 'http://a.example/';
    expect(await client.pace(url, () => response)).toBe(response);
    const refused: unknown = await client.pace(url, () => {}).catch((error: unknown) => error);
    expect(refused).toMatchObject({ name: 'PaceError', code: 'max-wait', temporary: true });
    const { retryAt } = refused as { readonly retryAt: number };
    expect(retryAt - Date.now()).toBeGreaterThan(595_000);
    expect(retryAt - Date.now()).toBeLessThan(605_000);
  });

  test('an aborted request says nothing about the server', async () => {
    const client = newClient({ fetcher: fetchText('') });
    const controller = new AbortController();
    const aborted = client.pace(
      'http://a.example/',
      async () => {
        controller.abort(new Error('enough'));
        controller.signal.throwIfAborted();
      },
      { signal: controller.signal },
    );
    await expect(aborted).rejects.toThrow('enough');
    await client.pace('http://a.example/', () => {}, { maxWait: 0 });
  });

  test('misuse is an error', async () => {
    const client = newClient({ fetcher: fetchText('') });
    await expect(client.pace('http://a.example/', 'x' as never)).rejects.toThrow(TypeError);
    await expect(client.pace('http://a.example/', () => {}, { maxwait: 1 } as object)).rejects.toThrow(
      'Did you mean "maxWait"?',
    );
    for (const pace of [{ shared: true, concurrency: 2 }, { concurrency: 0 }])
      expect(() => newClient({ pace })).toThrow(RangeError);
    for (const pace of [{ shared: 'yes' }, { delay: 1 }, 5] as object[])
      expect(() => newClient({ pace })).toThrow(TypeError);
  });
});

test('of 200 sites on real sockets one is slow, and none waits for it', async () => {
  let respondToSlow = (): void => {};
  const slow = await closeAtEnd(
    serve((_request, response) => {
      respondToSlow = () => void response.end('slow');
    }),
  );
  const sites: { readonly origin: string; readonly requests: string[] }[] = [];
  // Five servers of one listener would be one site: an origin is a port here.
  for (let count = 0; count < 199; count++)
    sites.push(await closeAtEnd(serve((_request, response) => response.end('page'))));
  const client = newClient({ fetcher: fetchText('') });
  const get = (url: string): Promise<string> =>
    client.pace(url, async () => (await fetch(url, { headers: { connection: 'close' } })).text());
  const waiting = [get(`${slow.origin}/1`), get(`${slow.origin}/2`)];
  const pages = await Promise.all(
    sites.flatMap(({ origin }) => [get(`${origin}/1`), get(`${origin}/2`), get(`${origin}/3`)]),
  );
  expect(new Set(pages)).toEqual(new Set(['page']));
  for (const { requests } of sites) expect(requests).toEqual(['/1', '/2', '/3']);
  expect(slow.requests).toEqual(['/1']);
  respondToSlow();
  await waiting[0];
  await expect.poll(() => slow.requests.length).toBe(2);
  respondToSlow();
  await waiting[1];
});

describe('a pace that clients share through their store', () => {
  const newClients = (count: number): RobotsClient[] => {
    const store = new MemoryStore();
    return Array.from({ length: count }, () =>
      newClient({ fetcher: fetchText(FILE), store, pace: { shared: true, obeysCrawlDelay: true } }),
    );
  };

  test('has one request to an origin at a time, apart by the crawl-delay', async () => {
    const clients = newClients(4);
    const starts: number[] = [];
    let running = 0;
    const run = async (): Promise<void> => {
      expect(++running).toBe(1);
      starts.push(performance.now());
      await sleep(5);
      running--;
    };
    await Promise.all(clients.flatMap((client) => [1, 2].map(() => client.pace('http://a.example/', run))));
    expect(starts.length).toBe(8);
    // The first one can start late, so that the others seem to be closer to it.
    expect((starts.at(-1) as number) - (starts[0] as number)).toBeGreaterThanOrEqual(6 * 200);
    await Promise.all(clients.map((client) => client.idle()));
  });

  test('does not keep other origins waiting, and is aborted', async () => {
    const [one, other] = newClients(2) as [RobotsClient, RobotsClient];
    const turn = await one.takeTurn('http://a.example/');
    await other.pace('http://b.example/', () => {});
    const controller = new AbortController();
    const waiting = other.takeTurn('http://a.example/', { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(other.takeTurn('http://a.example/', { maxWait: 1 })).rejects.toMatchObject({
      code: 'max-wait',
    });
    turn.end();
    await other.pace('http://a.example/', () => {});
  });
});

test('the fetch adapter has the pace of its client', async () => {
  const site = await closeAtEnd(startSite((_request, response) => response.end(FILE)));
  const { createRobotsFetch } = await import('../../src/adapters/fetch.ts');
  const fetch = createRobotsFetch(newClient({ pace: { obeysCrawlDelay: true } }));
  const start = performance.now();
  await Promise.all([1, 2, 3].map((page) => fetch(`${site.origin}/${page}`)));
  expect(performance.now() - start).toBeGreaterThanOrEqual(400);
});
