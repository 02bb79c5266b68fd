import { expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { countTurns } from '../../../../client/test/support/turns.ts';
import { MemoryStore } from '../../../dist/index.js';
import { Invalidation, type InvalidationTarget } from '../../../src/serve/decide/invalidation.ts';
import { getDecisionPath, startService, type TestService } from '../../support/service.ts';

const TOKEN = 'secret';

/** Serves a robots.txt that changes. */
async function startSite() {
  const file = { text: 'User-agent: *\nDisallow: /a', status: 200 };
  const site = await serve((_request, response) => response.writeHead(file.status).end(file.text));
  return { file, site };
}

async function invalidate(service: TestService, body: unknown, token = TOKEN) {
  return service.get('/v1/cache/invalidate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
}

async function isAllowed(service: TestService, site: TestServer): Promise<unknown> {
  return (await service.get(getDecisionPath(`${site.origin}/a`))).body['allowed'];
}

test('an invalidated robots.txt is fetched again before the next decision', async () => {
  const { file, site } = await startSite();
  const service = await startService({ invalidateTokens: [TOKEN] });
  expect(await isAllowed(service, site)).toBe(false);
  file.text = '';
  expect(await isAllowed(service, site)).toBe(false);
  expect(await invalidate(service, { origin: `${site.origin}/any/page` })).toEqual({
    status: 200,
    body: { invalidated: 1, outages: 0, busy: 0, next: null },
  });
  expect(await isAllowed(service, site)).toBe(true);
  file.text = 'User-agent: *\nDisallow: /';
  expect((await invalidate(service, { prefix: 'http://127.0.0.1:' })).body['invalidated']).toBe(1);
  expect(await isAllowed(service, site)).toBe(false);
  expect(site.requests).toHaveLength(3);
  await service.app.close();
  await site.close();
});

test('invalidation allows nothing: in an outage the last response and the time of the first failure are kept', async () => {
  const { file, site } = await startSite();
  const store = new MemoryStore();
  const HOUR = 3_600_000;
  let time = Date.now();
  const service = await startService({ store, invalidateTokens: [TOKEN], now: () => time });
  const key = `private:${site.origin}`;
  expect(await isAllowed(service, site)).toBe(false);
  file.status = 500;
  expect((await invalidate(service, { origin: site.origin })).body['invalidated']).toBe(1);
  // The fetch fails.
  expect(await isAllowed(service, site)).toBe(false);
  const before = await store.get(key);
  expect(before?.outage?.failures).toBe(1);
  for (const body of [{ origin: site.origin }, { prefix: site.origin }])
    expect((await invalidate(service, body)).body).toMatchObject({ invalidated: 0, outages: 1 });
  expect(await store.get(key)).toEqual(before);
  // Without the last response, every URL would be allowed after twelve hours.
  time += 24 * HOUR;
  expect(await isAllowed(service, site)).toBe(false);
  expect((await store.get(key))?.outage).toMatchObject({ since: before?.outage?.since, failures: 2 });
  await service.app.close();
  await site.close();
});

test('the route has tokens of its own, and does not exist without them', async () => {
  const closed = await startService({ tokens: ['client'] });
  expect((await invalidate(closed, { origin: 'https://a.example' }, 'client')).status).toBe(404);
  await closed.app.close();
  const service = await startService({ tokens: ['client'], invalidateTokens: [TOKEN] });
  expect((await invalidate(service, { origin: 'https://a.example' }, 'client')).status).toBe(401);
  expect((await invalidate(service, { origin: 'https://a.example' })).status).toBe(200);
  const get = (token: string) =>
    service.get(getDecisionPath('https://a'), { headers: { authorization: `Bearer ${token}` } });
  expect((await get(TOKEN)).status).toBe(401);
  await service.app.replaceInvalidateTokens(async () => ['new']);
  expect((await invalidate(service, { origin: 'https://a.example' })).status).toBe(401);
  expect((await invalidate(service, { origin: 'https://a.example' }, 'new')).status).toBe(200);
  const { body } = await service.get('/openapi.json');
  expect(body).toMatchObject({
    paths: { '/v1/cache/invalidate': { post: { security: [{ invalidateToken: [] }] } } },
    components: { securitySchemes: { invalidateToken: { scheme: 'bearer' } } },
  });
  await service.app.close();
});

test('a target is one origin, or a scheme and the beginning of a host', async () => {
  const service = await startService({ invalidateTokens: [TOKEN] });
  for (const [body, code] of [
    [{}, 'invalid-request'],
    [{ origin: 'https://a', prefix: 'https://a' }, 'invalid-request'],
    [{ origin: 'https://a', after: 'https://a' }, 'invalid-request'],
    [{ origin: 'a' }, 'invalid-url'],
    [{ prefixes: 'https://a' }, 'invalid-request'],
    ...[
      '',
      'https://',
      'https',
      'mailto:a',
      'https://A',
      'https://a/',
      'private:https://a',
      'invalidations:',
    ].map((prefix) => [{ prefix }, 'invalid-request']),
    [{ prefix: `https://${'a'.repeat(2_048)}` }, 'invalid-request'],
  ] as const)
    expect([body, await invalidate(service, body)]).toMatchObject([body, { status: 400, body: { code } }]);
  await service.app.close();
});

const AT = 1_000_000;

/** Stores responses that are fresh. */
async function fill(store: MemoryStore, origins: readonly string[]): Promise<void> {
  for (const origin of origins)
    await store.record(origin, {
      response: {
        ...({ kind: 'successful', fetchedAt: AT, staleAt: AT + 60_000, status: 200, code: null } as const),
        ...{ message: null, hops: [], timings: { total: 1 }, bytes: new Uint8Array() },
        headers: {
          ...{ cacheControl: null, expires: null, date: null, age: null },
          ...{ etag: null, lastModified: null, retryAfter: null },
        },
      },
    });
}

/** An instance that shares a store. */
function createInstance(store: MemoryStore) {
  const expired: ((origin: string) => boolean)[] = [];
  const invalidation = new Invalidation({
    ...{ entries: store, now: () => AT },
    expire: (isExpired) => expired.push(isExpired),
  });
  const invalidate = (target: InvalidationTarget, after?: string) => invalidation.invalidate(target, after);
  /** Reads the journal. @returns which of some origins it expires in memory. */
  const read = async (origins: readonly string[]): Promise<string[]> => {
    expired.length = 0;
    await invalidation.readJournal();
    return origins.filter((origin) => expired.some((isExpired) => isExpired(origin)));
  };
  return { invalidate, read };
}

test('instances that share the store learn of each invalidation, and expire everything if they missed some', async () => {
  const store = new MemoryStore();
  const origins = ['https://a.example', 'https://shop.example', 'https://shop.example:8443'];
  await fill(store, origins);
  const [first, second] = [createInstance(store), createInstance(store)];
  expect(await second.read(origins)).toEqual([]);
  await first.invalidate({ origin: 'https://a.example' });
  // The first item: what was before is unknown.
  expect(await second.read(origins)).toEqual(origins);
  expect(await second.read(origins)).toEqual([]);
  await first.invalidate({ origin: 'https://shop.example' });
  expect(await second.read(origins)).toEqual(['https://shop.example']);
  await Promise.all([
    first.invalidate({ prefix: 'https://shop.' }),
    second.invalidate({ origin: 'https://b' }),
  ]);
  expect(await second.read(origins)).toEqual(origins.slice(1));
  for (let index = 0; index < 101; index++) await first.invalidate({ origin: 'https://other.example' });
  expect(await second.read(origins)).toEqual(origins);
});

test('a prefix is a bounded number of origins, with the place to continue, and a fetch in progress is reported', async () => {
  const store = new MemoryStore();
  const number = (index: number): string => `https://shop.${String(index).padStart(4, '0')}`;
  await fill(store, [
    'https://a',
    ...Array.from({ length: 1_200 }, (_, index) => number(index)),
    'https://z',
  ]);
  const { invalidate } = createInstance(store);
  await store.lease(number(3), 'another', 60_000);
  const target = { prefix: 'https://shop.' };
  const first = await invalidate(target);
  expect(first).toEqual({ invalidated: 999, outages: 0, busy: 1, next: number(999) });
  expect(await invalidate(target, first.next as string)).toMatchObject({ invalidated: 200, next: null });
  const isFresh = async (origin: string) => ((await store.get(origin))?.response?.staleAt ?? 0) > AT;
  expect(await Promise.all(['https://a', 'https://z', number(0), number(1_199)].map(isFresh))).toEqual([
    ...[true, true],
    ...[false, false],
  ]);
  // The origin that is equal to the prefix.
  expect(await invalidate({ prefix: 'https://a' })).toMatchObject({ invalidated: 1 });
});

test('other requests are served while many origins are invalidated', async () => {
  const store = new MemoryStore();
  await fill(
    store,
    Array.from({ length: 1_000 }, (_, index) => `https://a${index}.example`),
  );
  const { invalidate } = createInstance(store);
  expect(await countTurns(() => invalidate({ prefix: 'https://a' }))).toBeGreaterThan(5);
  expect((await store.get('https://a999.example'))?.response?.staleAt).toBe(AT);
});
