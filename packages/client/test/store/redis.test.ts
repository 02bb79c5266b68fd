import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { IoredisClient } from '../../src/store/redis/redis-client.ts';
import { RedisStore } from '../../src/store/redis/redis-store.ts';
import { createFailure, createResponse } from '../support/histories.ts';
import { createRedisClient, REDIS_PACKAGES } from '../support/redis-clients.mjs';
import { HAS_REDIS, type RedisServer, startRedis } from '../support/redis-server.ts';
import { testStore } from './contract.ts';

const ORIGIN = 'https://example.com';
const NOON = Date.UTC(2026, 10, 21, 12);

describe.skipIf(!HAS_REDIS)('in Redis (skipped where there is no redis-server)', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    // One server that has all slots: it refuses a command with keys of different slots, as any cluster does.
    redis = await startRedis('--cluster-enabled', 'yes');
    await redis.send('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await vi.waitUntil(async () => String(await redis.send('CLUSTER', 'INFO')).includes('cluster_state:ok'), {
      timeout: 30_000,
    });
  });
  afterAll(() => redis.close());

  describe.each(REDIS_PACKAGES)('with a client of %s', (name) => {
    let connection: Awaited<ReturnType<typeof createRedisClient>>;
    let prefixes = 0;
    const newPrefix = (): string => `${name}-${prefixes++}:`;
    beforeAll(async () => {
      connection = await createRedisClient(name, redis.url);
    });
    afterAll(() => connection.close());

    testStore(async (options) => new RedisStore(connection.client, { ...options, prefix: newPrefix() }));

    test('returns the bytes of a file that is no UTF-8', async () => {
      const bytes = Uint8Array.from({ length: 4096 }, (_, index) => (index * 7) % 256);
      const response = createResponse(NOON, { bytes });
      const prefix = newPrefix();
      await new RedisStore(connection.client, { prefix }).record(ORIGIN, { response });
      for (const other of REDIS_PACKAGES) {
        const { client, close } = await createRedisClient(other, redis.url);
        expect(await new RedisStore(client, { prefix }).get(ORIGIN)).toEqual({ response, outage: null });
        await close();
      }
    });

    test('a server that has forgotten the scripts gets them again', async () => {
      const store = new RedisStore(connection.client, { prefix: newPrefix() });
      await store.record(ORIGIN, { failure: createFailure(NOON) });
      await redis.send('SCRIPT', 'FLUSH');
      await store.record(ORIGIN, { failure: createFailure(NOON + 1) });
      await redis.send('SCRIPT', 'FLUSH');
      expect(await store.lease(ORIGIN, 'a', 60_000)).toBe(true);
      expect(await store.get(ORIGIN)).toMatchObject({ outage: { since: NOON, failures: 2 } });
      expect(await store.stats()).toMatchObject({ origins: 1, failures: 0 });
    });
  });

  describe('its keys', () => {
    let connection: Awaited<ReturnType<typeof createRedisClient>>;
    beforeAll(async () => {
      connection = await createRedisClient('ioredis', redis.url);
    });
    beforeEach(() => redis.send('FLUSHALL'));
    afterAll(() => connection.close());
    const getKeys = async (): Promise<string[]> =>
      ((await redis.send('KEYS', '*')) as string[]).filter((key) => !key.endsWith(':lease:eviction'));

    test('begin with the prefix, expire, and those of an origin are in one slot', async () => {
      const store = new RedisStore(connection.client, { prefix: 'robots:', maxAge: 3_600_000 });
      await store.record(ORIGIN, { response: createResponse(NOON) });
      await store.lease(ORIGIN, 'a', 60_000);
      const keys = await getKeys();
      expect(keys.length).toBe(5);
      const slots = new Set(await Promise.all(keys.map((key) => redis.send('CLUSTER', 'KEYSLOT', key))));
      expect(slots.size).toBe(1);
      for (const key of keys) {
        expect(key.startsWith('robots:{')).toBe(true);
        const left = Number(await redis.send('PTTL', key));
        expect(left).toBeGreaterThan(0);
        expect(left).toBeLessThanOrEqual(3_600_000);
      }
      await store.close();
    });

    test('are those of this prefix alone when a store is emptied', async () => {
      const [a, b] = ['a:', 'b:'].map((prefix) => new RedisStore(connection.client, { prefix })) as [
        RedisStore,
        RedisStore,
      ];
      await a.record(ORIGIN, { response: createResponse(NOON) });
      await b.record(ORIGIN, { response: createResponse(NOON) });
      expect(await a.delete()).toBe(1);
      expect(await a.get(ORIGIN)).toBeUndefined();
      expect(await b.get(ORIGIN)).toMatchObject({ outage: null });
      await a.close();
      await b.close();
    });

    test('a damaged field counts as no entry, and is replaced', async () => {
      const store = new RedisStore(connection.client, { prefix: 'd:' });
      const bytes = new TextEncoder().encode('User-agent: *\nDisallow: /private\n');
      for (const [field, value] of [
        ['response', '{'],
        ['response', ''],
        ['outage', '{"since":1}'],
        ['body', ''],
        ['body', 'User-agent: *\nDisallow: /qrivate\n'],
      ] as const) {
        await store.record(ORIGIN, { response: createResponse(NOON, { bytes }) });
        const entry = (await getKeys()).find((key) => key.includes(':entry:')) as string;
        await redis.send('HSET', entry, field, value);
        expect((await store.get(ORIGIN))?.response ?? undefined, `${field} ${value}`).toBeUndefined();
        await store.delete();
      }
      await store.close();
    });

    test('a key that another program uses is an error with a code', async () => {
      const store = new RedisStore(connection.client, { prefix: 'x:' });
      await store.record(ORIGIN, { response: createResponse(NOON) });
      const entry = (await getKeys()).find((key) => key.includes(':entry:')) as string;
      await redis.send('SET', entry, 'a text');
      await expect(store.get(ORIGIN)).rejects.toMatchObject({ code: 'database-unreadable' });
      await expect(store.record(ORIGIN, { failure: createFailure(NOON) })).rejects.toMatchObject({
        name: 'DatabaseError',
        code: 'database-unreadable',
      });
      expect(await store.stats()).toMatchObject({ failures: 2 });
      await store.close();
    });

    test('a lease that no store has taken keeps no client waiting, and numbers may be texts', async () => {
      const { callBuffer } = connection.client as IoredisClient;
      const client: IoredisClient = {
        callBuffer: async (...call) => {
          const reply = await callBuffer.apply(connection.client as IoredisClient, call);
          return typeof reply === 'number' ? String(reply) : reply;
        },
      };
      const store = new RedisStore(client, { prefix: 'l:' });
      expect(await store.lease(ORIGIN, 'a', 60_000)).toBe(true);
      expect(await store.lease(ORIGIN, 'b', 60_000)).toBe(false);
      const [lease] = await getKeys();
      await redis.send('PEXPIRE', String(lease), '3600000');
      expect(await store.lease(ORIGIN, 'b', 60_000)).toBe(true);
      await redis.send('PERSIST', String(lease));
      expect(await store.lease(ORIGIN, 'a', 60_000)).toBe(true);
      await store.close();
    });

    test('a server without memory refuses a whole change, and what it has stays', async () => {
      const store = new RedisStore(connection.client, { prefix: 'full:' });
      const before = await store.record(ORIGIN, { response: createResponse(NOON) });
      await redis.send('CONFIG', 'SET', 'maxmemory', '1');
      try {
        await expect(store.check()).rejects.toMatchObject({ code: 'database-full' });
        const failed = store.record(ORIGIN, { failure: createFailure(NOON + 1) });
        await expect(failed).rejects.toMatchObject({ code: 'database-full' });
        expect(await store.get(ORIGIN)).toEqual(before);
        expect(await store.delete(ORIGIN)).toBe(1);
      } finally {
        await redis.send('CONFIG', 'SET', 'maxmemory', '0');
      }
      await store.check();
      expect(await store.stats()).toMatchObject({ origins: 0, bytes: 0 });
      await store.close();
    });

    test('after Redis has evicted keys the sums are of what is there, and nothing else is lost', async () => {
      const store = new RedisStore(connection.client, { prefix: 'e:' });
      await store.record(ORIGIN, { failure: createFailure(NOON) });
      for (const key of await getKeys()) if (!key.includes(':entry:')) await redis.send('DEL', key);
      expect(await store.get(ORIGIN)).toMatchObject({ outage: { since: NOON } });
      await store.record(ORIGIN, { failure: createFailure(NOON + 1) });
      expect(await store.get(ORIGIN)).toMatchObject({ outage: { since: NOON, failures: 2 } });
      expect(await store.stats()).toMatchObject({ origins: 1 });
      // The entry is gone, and its index is not.
      for (const key of await getKeys()) if (key.includes(':entry:')) await redis.send('DEL', key);
      expect(await store.get(ORIGIN)).toBeUndefined();
      await store.record(ORIGIN, { response: createResponse(NOON + 2) });
      const { bytes } = (await store.getUsage(ORIGIN)) as { bytes: number };
      expect(await store.stats()).toMatchObject({ origins: 1, bytes });
      await store.close();
    });
  });

  test('misuse is an error at the call', () => {
    for (const client of [undefined, null, {}, 'redis://127.0.0.1', { get: () => undefined }])
      expect(() => new RedisStore(client as never)).toThrow(/the client must be one of ioredis, iovalkey/);
    const client = { callBuffer: async () => null };
    expect(() => new RedisStore(client, { prefix: '{a}' })).toThrow(RangeError);
    expect(() => new RedisStore(client, { prefx: 'a' } as never)).toThrow(/prefix/);
    expect(() => new RedisStore(client, { maxBytes: 0 })).toThrow(RangeError);
  });

  test('a client that decodes replies is refused: the file would be another one', async () => {
    const client = { callBuffer: async () => ['1', '{}', '', 'User-agent: *', '[]', '1'] };
    await expect(new RedisStore(client).get(ORIGIN)).rejects.toThrow(/text in place of bytes/);
  });
});
