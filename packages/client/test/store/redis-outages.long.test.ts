import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RobotsClient } from '../../src/origins/client/client.ts';
import { RedisStore } from '../../src/store/redis/redis-store.ts';
import { createRedisClient, REDIS_PACKAGES } from '../support/redis-clients.mjs';
import { HAS_REDIS, type RedisServer, startRedis } from '../support/redis-server.ts';
import { serve, type TestServer } from '../support/server.ts';

const FILE = 'User-agent: *\nDisallow: /private\n';
const HOUR = 3_600_000;

describe.skipIf(!HAS_REDIS)(
  'Redis fails while clients use it (skipped where there is no redis-server)',
  () => {
    let redis: RedisServer;
    let site: TestServer;
    let status: number;
    const ends: (() => Promise<unknown>)[] = [];
    beforeAll(async () => {
      redis = await startRedis();
    });
    afterAll(() => redis.close());
    beforeEach(async () => {
      status = 200;
      site = await serve((_request, response) => {
        response.statusCode = status;
        response.end(status === 200 ? FILE : '');
      });
      ends.push(() => site.close());
      await redis.send('FLUSHALL');
    });
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });

    /** Opens a client of its own connection, and lists its events. */
    async function open(name: string, now: () => number = Date.now, url: string = redis.url) {
      const { client: connection, close } = await createRedisClient(name, url);
      ends.push(close);
      const store = new RedisStore(connection, { now });
      const events: string[] = [];
      const client = new RobotsClient({
        ...{ agent: 'TestBot', userAgent: 'TestBot', store, now },
        onEvent: ({ kind }) => events.push(kind),
      });
      return { client, store, events };
    }

    test.each(REDIS_PACKAGES)('%s: the server is killed and started again, empty', async (name) => {
      const { client, store, events } = await open(name);
      const other = await serve((_request, response) => response.end(FILE), '127.0.0.2');
      ends.push(() => other.close());
      const private_ = (origin: string): Promise<unknown> =>
        client.decide(`${origin}/private`).then(({ kind }) => kind);
      expect(await private_(site.origin)).toBe('disallowed');
      await redis.kill();
      expect(await private_(site.origin)).toBe('disallowed');
      expect(await private_(other.origin)).toBe('disallowed');
      expect(events).toContain('store-failed');
      await redis.start();
      // The server has neither entries nor scripts.
      await expect
        .poll(() =>
          store.check().then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      const next = await open(name);
      expect((await next.client.decide(`${site.origin}/private`)).kind).toBe('disallowed');
      expect(site.requests.length).toBe(2);
      expect(await next.store.get(site.origin)).toMatchObject({ response: { kind: 'successful' } });
    });

    test.each(REDIS_PACKAGES)(
      '%s: after FLUSHALL in the middle of fetches each response is stored, and no URL of a site that fails is allowed',
      async (name) => {
        const failing = await serve((_request, response) => response.writeHead(503).end(), '127.0.0.2');
        ends.push(() => failing.close());
        let isFlushed = false;
        const slow = await serve((_request, response) => {
          // The lease of this fetch is gone when its response is stored.
          if (isFlushed) response.end(FILE);
          else redis.send('FLUSHALL').then(() => response.end(FILE));
          isFlushed = true;
        }, '127.0.0.3');
        ends.push(() => slow.close());
        const { client, store, events } = await open(name);
        const kinds = await Promise.all(
          [slow.origin, failing.origin].map(
            async (origin) => (await client.decide(`${origin}/private`)).kind,
          ),
        );
        expect(kinds).toEqual(['disallowed', 'disallowed']);
        expect(slow.requests.length).toBe(1);
        expect(await store.get(slow.origin)).toMatchObject({
          response: { kind: 'successful' },
          outage: null,
        });
        await redis.send('FLUSHALL');
        const next = await open(name);
        expect(await next.client.decide(`${failing.origin}/a`)).toMatchObject({
          kind: 'disallowed',
          reason: 'unreachable',
        });
        expect([...events, ...next.events]).not.toContain('store-failed');
      },
    );

    test('an outage whose beginning is lost begins again: the restrictive answer applies for longer', async () => {
      let time = Date.now();
      const now = (): number => time;
      status = 503;
      const decide = async (): Promise<string> => {
        // A process that has nothing in memory.
        const { client, store } = await open('ioredis', now);
        const { kind } = await client.decide(`${site.origin}/page`);
        await client.idle();
        await store.close();
        return kind;
      };
      expect(await decide()).toBe('disallowed');
      time += 11 * HOUR;
      await redis.send('FLUSHALL');
      expect(await decide()).toBe('disallowed');
      time += 11 * HOUR;
      expect(await decide()).toBe('disallowed');
      const { store } = await open('ioredis', now);
      expect(await store.get(site.origin)).toMatchObject({ outage: { since: time - 11 * HOUR } });
    });

    test('a standby that takes over without the last writes: the site is fetched again, and stays disallowed', async () => {
      const standby = await startRedis('--replicaof', `127.0.0.1 ${redis.port}`);
      ends.push(() => standby.close());
      await expect
        .poll(async () => String(await standby.send('INFO', 'replication')))
        .toContain('master_link_status:up');
      const first = await open('ioredis');
      // A store of a server that cannot be written to is an error with a code, and decides nothing.
      const { store: readOnly } = await open('redis', Date.now, standby.url);
      await expect(readOnly.check()).rejects.toMatchObject({ code: 'database-read-only' });
      const owner = 'owner';
      expect(await first.store.lease(site.origin, owner, 60_000)).toBe(true);
      await expect.poll(async () => (await standby.send('DBSIZE')) as number).toBe(1);
      await redis.kill();
      await standby.send('REPLICAOF', 'NO', 'ONE');
      try {
        const second = await open('ioredis', Date.now, standby.url);
        // The lease was copied: no other client takes it. A client whose owner died waits for its end.
        expect(await second.store.lease(site.origin, 'another', 60_000)).toBe(false);
        await second.store.release(site.origin, owner);
        expect((await second.client.decide(`${site.origin}/private`)).kind).toBe('disallowed');
        expect(await second.store.get(site.origin)).toMatchObject({ response: { kind: 'successful' } });
        expect(site.requests.length).toBe(1);
      } finally {
        await redis.start();
      }
    });

    test('a server that does not respond delays a decision by no more than the deadline of a client', async () => {
      const { client, events } = await open('ioredis');
      await redis.send('CLIENT', 'PAUSE', '20000', 'ALL');
      expect((await client.decide(`${site.origin}/private`)).kind).toBe('disallowed');
      expect(events).toContain('store-failed');
      await redis.kill();
      await redis.start();
    });
  },
);
