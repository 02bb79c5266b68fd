import { MAX_FILE_BYTES } from '@maycrawl/core';
import { expect, test } from 'vitest';
import type { CachedResponse } from '../../src/robots/history.ts';
import { MAX_EVENTS } from '../../src/robots/store-event.ts';
import { ENTRY_BYTES, EVENT_BYTES, type StoreOptions } from '../../src/store/limits.ts';
import type { FullStore, RobotsStore } from '../../src/store/store.ts';
import { createFailure, createResponse } from '../support/histories.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ORIGIN = 'https://example.com';

type Test<Store> = (name: string, work: (store: Store) => Promise<void>) => void;

/** Registers tests of a store that is empty at first and closed at the end. */
function createTest<Store extends RobotsStore>(open: () => Promise<Store>): Test<Store> {
  return (name, work) => {
    test(name, async () => {
      const store = await open();
      try {
        await work(store);
      } finally {
        await store.close?.();
      }
    });
  };
}

/** What also a store of a caller does, which has the three methods that a store must have. `open` gives an empty one. */
export function testOwnStore(open: () => Promise<RobotsStore>): void {
  const withStore = createTest(open);

  withStore('has no history at first, and none after it is deleted', async (store) => {
    expect(await store.get(ORIGIN)).toBeUndefined();
    expect(await store.delete(ORIGIN)).toBe(0);
    await store.record(ORIGIN, { response: createResponse(NOON) });
    await store.record('http://b.example', { response: createResponse(NOON) });
    expect(await store.delete(ORIGIN)).toBe(1);
    expect(await store.get(ORIGIN)).toBeUndefined();
    expect(await store.delete()).toBe(1);
    expect(await store.get('http://b.example')).toBeUndefined();
  });

  withStore('keeps a good response, byte for byte', async (store) => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    const response = createResponse(NOON, {
      bytes,
      headers: {
        ...createResponse(NOON).headers,
        etag: 'W/"é\u2603"',
        lastModified: 'Sat, 21 Nov 2026 12:00:00 GMT',
      },
    });
    const expected = { response, outage: null };
    expect(await store.record(ORIGIN, { response })).toEqual(expected);
    expect(await store.get(ORIGIN)).toEqual(expected);
    expect(await store.get(`${ORIGIN}:8080`)).toBeUndefined();
  });

  withStore('keeps that there is no file, and an empty one', async (store) => {
    const absent = createResponse(NOON, {
      kind: 'unavailable',
      bytes: new Uint8Array(0),
      status: 404,
      code: 'http-status',
      message: 'status 404',
    });
    const empty = createResponse(NOON, { bytes: new Uint8Array(0) });
    await store.record(ORIGIN, { response: absent });
    await store.record('http://empty.example', { response: empty });
    expect(await store.get(ORIGIN)).toEqual({ response: absent, outage: null });
    expect(await store.get('http://empty.example')).toEqual({ response: empty, outage: null });
  });

  withStore('counts failures, beside the last good response', async (store) => {
    const response = createResponse(NOON);
    await store.record(ORIGIN, { response });
    await store.record(ORIGIN, { failure: createFailure(NOON + 1) });
    const last = createFailure(NOON + 5, {
      status: null,
      code: 'timeout',
      message: 'late',
      retryAt: NOON + 99,
    });
    const history = await store.record(ORIGIN, { failure: last });
    const { at: _at, ...rest } = last;
    expect(history).toEqual({
      response,
      outage: { ...rest, since: NOON + 1, lastAt: NOON + 5, failures: 2, startsAfter: {} },
    });
    expect(await store.get(ORIGIN)).toEqual(history);
  });

  withStore('a good response ends an outage', async (store) => {
    await store.record(ORIGIN, { failure: createFailure(NOON) });
    expect(await store.get(ORIGIN)).toMatchObject({ response: null, outage: { failures: 1 } });
    expect(await store.record(ORIGIN, { response: createResponse(NOON + 1) })).toMatchObject({
      outage: null,
    });
    expect(await store.record(ORIGIN, { failure: createFailure(NOON + 2) })).toMatchObject({
      outage: { since: NOON + 2, failures: 1 },
    });
  });

  withStore('what a clock that was wrong wrote is replaced', async (store) => {
    const year = 365 * 86_400_000;
    await store.record(ORIGIN, { response: createResponse(NOON + year) });
    expect(await store.record(ORIGIN, { response: createResponse(NOON) })).toMatchObject({
      response: { fetchedAt: NOON },
    });
    expect(await store.get(ORIGIN)).toMatchObject({ response: { fetchedAt: NOON } });
  });

  withStore(
    'many origins with the same file, changed and deleted concurrently: none loses it',
    async (store) => {
      const [same, other] = ['same', 'other'].map((text) => ({ bytes: new TextEncoder().encode(text) }));
      const origins = Array.from({ length: 12 }, (_, index) => `http://${index}.example`);
      for (let round = 0; round < 5; round++) {
        const at = NOON + round * 10;
        await Promise.all(
          origins.map((origin) => store.record(origin, { response: createResponse(at, same) })),
        );
        await Promise.all(
          origins.map((origin, index) =>
            index % 3 === 0
              ? store.delete(origin)
              : store.record(origin, { response: createResponse(at + 1, index % 3 === 1 ? same : other) }),
          ),
        );
        for (const [index, origin] of origins.entries()) {
          const bytes = (await store.get(origin))?.response?.bytes;
          const expected = index % 3 === 0 ? undefined : (index % 3 === 1 ? same : other)?.bytes;
          expect(bytes).toEqual(expected);
        }
      }
    },
  );

  withStore('two failures at the same time both count', async (store) => {
    await Promise.all(
      Array.from({ length: 20 }, () => store.record(ORIGIN, { failure: createFailure(NOON) })),
    );
    expect(await store.get(ORIGIN)).toMatchObject({ outage: { failures: 20 } });
  });

  withStore('what servers sent is bounded, part by part', async (store) => {
    const long = 'x'.repeat(100_000);
    const history = await store.record(ORIGIN, {
      response: createResponse(NOON, {
        bytes: new Uint8Array(2_000_000),
        message: long,
        headers: {
          ...{ cacheControl: `max-age=60, ${long}`, expires: long, date: long, age: long },
          ...{ etag: long, lastModified: long, retryAfter: long },
        },
        hops: Array.from({ length: 1000 }, () => ({ url: long, status: 301, location: long })),
      }),
    });
    const { bytes, headers, ...rest } = history.response as CachedResponse;
    expect(bytes.length).toBe(MAX_FILE_BYTES + 1);
    // A validator is whole or absent.
    expect(headers).toMatchObject({ cacheControl: 'max-age=60', etag: null, lastModified: null });
    expect(JSON.stringify({ headers, ...rest }).length).toBeLessThan(50_000);
    expect(await store.get(ORIGIN)).toEqual(history);
    const failed = await store.record(ORIGIN, {
      failure: createFailure(NOON + 1, { message: long, hops: [{ url: long, status: 503 }] }),
    });
    expect(JSON.stringify(failed.outage).length).toBeLessThan(5_000);
    expect(await store.get(ORIGIN)).toEqual(failed);
  });

  withStore('no response stops being fresh before it was fetched, or stays fresh for ever', async (store) => {
    const day = 86_400_000;
    for (const [staleAt, expected] of [
      [NOON - day, NOON],
      [NOON + 1000 * day, NOON + 7 * day],
    ] as const) {
      await store.delete();
      const stored = await store.record(ORIGIN, { response: createResponse(NOON, { staleAt }) });
      expect(stored.response?.staleAt).toBe(expected);
    }
  });

  withStore('an outage never began in the future, whichever way the clock was set', async (store) => {
    const day = 86_400_000;
    let time = NOON;
    for (const step of [0, 10 * day, -10 * day, -60_000, -20 * 60_000, 400 * day, -800 * day, 1, -1]) {
      time += step;
      const { outage } = await store.record(ORIGIN, { failure: createFailure(time) });
      expect(outage?.since).toBeLessThanOrEqual(time);
      expect((outage?.lastAt ?? Infinity) - time).toBeLessThanOrEqual(5 * 60_000);
    }
  });

  withStore(
    'an response from a clock that was minutes ahead is replaced, and so are failures after it',
    async (store) => {
      const later = NOON + 30 * 60_000;
      await store.record(ORIGIN, { response: createResponse(later) });
      expect(await store.record(ORIGIN, { failure: createFailure(NOON) })).toMatchObject({
        outage: { failures: 1 },
      });
      expect(await store.record(ORIGIN, { response: createResponse(NOON + 1) })).toMatchObject({
        response: { fetchedAt: NOON + 1 },
        outage: null,
      });
    },
  );
}

/** What every store of this package does. `open` gives an empty one. */
export function testStore(open: (options?: StoreOptions) => Promise<FullStore>): void {
  testOwnStore(open);
  const withStore = createTest(open);

  withStore('knows nothing at first', async (store) => {
    expect(await store.get(ORIGIN)).toBeUndefined();
    expect(await store.list(10)).toEqual([]);
    expect(await store.events(ORIGIN)).toEqual([]);
    expect(await store.delete(ORIGIN)).toBe(0);
  });

  withStore('what comes late changes nothing', async (store) => {
    await store.record(ORIGIN, { response: createResponse(NOON + 10) });
    expect(await store.record(ORIGIN, { response: createResponse(NOON) })).toMatchObject({
      response: { fetchedAt: NOON + 10 },
    });
    expect(await store.record(ORIGIN, { failure: createFailure(NOON + 5) })).toMatchObject({ outage: null });
    expect((await store.events(ORIGIN)).length).toBe(1);
  });

  withStore('times beyond 32 bits, texts of any kind, origins of any length', async (store) => {
    const origin = `https://${'a'.repeat(20_000)}.example`;
    const message = `NUL \0, quote ' " \\, \u{1f916}, ${'x'.repeat(900)}`;
    const retryAt = Number.MAX_SAFE_INTEGER;
    await store.record(origin, { failure: createFailure(NOON, { message, retryAt }) });
    expect(await store.get(origin)).toMatchObject({ outage: { message, retryAt, since: NOON } });
    expect(await store.list(10)).toEqual([origin]);
    expect(await store.delete(origin)).toBe(1);
  });

  withStore('lists origins in order, a part at a time', async (store) => {
    const origins = ['http://b.example', 'https://a.example', 'http://a.example', 'http://a.example:81'];
    for (const origin of origins) await store.record(origin, { response: createResponse(NOON) });
    const sorted = [...origins].sort();
    expect(await store.list(10)).toEqual(sorted);
    expect(await store.list(2)).toEqual(sorted.slice(0, 2));
    expect(await store.list(10, sorted[1])).toEqual(sorted.slice(2));
    expect(await store.list(10, sorted[3])).toEqual([]);
  });

  withStore('lists the last events, the newest first', async (store) => {
    for (let at = 0; at < MAX_EVENTS; at++) await store.record(ORIGIN, { failure: createFailure(NOON + at) });
    await store.record(ORIGIN, {
      response: createResponse(NOON + 1000, { bytes: new TextEncoder().encode('abc') }),
    });
    await store.record(ORIGIN, {
      response: createResponse(NOON + 2000, { kind: 'unavailable', bytes: new Uint8Array(0), status: 404 }),
    });
    const events = await store.events(ORIGIN);
    expect(events.length).toBe(MAX_EVENTS);
    expect(events.slice(0, 3)).toEqual([
      { at: NOON + 2000, kind: 'unavailable', status: 404, code: null, hash: null, bytes: 0 },
      {
        at: NOON + 1000,
        kind: 'successful',
        status: 200,
        code: null,
        // echo -n abc | sha256sum
        hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        bytes: 3,
      },
      {
        at: NOON + MAX_EVENTS - 1,
        kind: 'unreachable',
        status: 503,
        code: 'http-status',
        hash: null,
        bytes: 0,
      },
    ]);
  });

  withStore('the size of an entry counts the events that it has, at most fifty', async (store) => {
    const sizes: number[] = [];
    for (let at = 0; at < MAX_EVENTS + 5; at++) {
      await store.record(ORIGIN, { response: createResponse(NOON + at, { bytes: new Uint8Array(2000) }) });
      sizes.push((await store.getUsage(ORIGIN))?.bytes ?? 0);
    }
    expect(sizes[0]).toBeGreaterThan(ENTRY_BYTES + 2000 + EVENT_BYTES);
    expect(sizes[0]).toBeLessThan(ENTRY_BYTES + 2000 + 2 * EVENT_BYTES + 1000);
    const growth = sizes.map((size) => (size - (sizes[0] ?? 0)) / EVENT_BYTES);
    expect(growth).toEqual(sizes.map((_, index) => Math.min(index, MAX_EVENTS - 1)));
    expect((await store.stats()).bytes).toBe(sizes.at(-1));
  });

  withStore('forgets one origin, or all; a file that another origin has stays', async (store) => {
    const shared = createResponse(NOON);
    await store.record(ORIGIN, { response: shared });
    await store.record('http://b.example', { response: shared });
    expect(await store.delete(ORIGIN)).toBe(1);
    expect(await store.get(ORIGIN)).toBeUndefined();
    expect(await store.events(ORIGIN)).toEqual([]);
    expect(await store.get('http://b.example')).toEqual({ response: shared, outage: null });
    await store.record(ORIGIN, { response: createResponse(NOON + 1) });
    expect(await store.delete()).toBe(2);
    expect(await store.list(10)).toEqual([]);
  });

  withStore('lets one at a time fetch an origin', async (store) => {
    expect(await store.lease(ORIGIN, 'a', MINUTE)).toBe(true);
    expect(await store.lease(ORIGIN, 'b', MINUTE)).toBe(false);
    expect(await store.lease('http://b.example', 'b', MINUTE)).toBe(true);
    // Its owner may take it again.
    expect(await store.lease(ORIGIN, 'a', MINUTE)).toBe(true);
    // A client cannot release the lease of another.
    await store.release(ORIGIN, 'b');
    expect(await store.lease(ORIGIN, 'b', MINUTE)).toBe(false);
    await store.release(ORIGIN, 'a');
    expect(await store.lease(ORIGIN, 'b', MINUTE)).toBe(true);
  });

  withStore('a lease expires unless its owner renews it', async (store) => {
    await store.lease(ORIGIN, 'a', 1);
    await store.lease('http://b.example', 'a', 1);
    await store.renew([{ origin: 'http://b.example', owner: 'a' }], MINUTE);
    await expect.poll(() => store.lease(ORIGIN, 'b', MINUTE)).toBe(true);
    expect(await store.lease('http://b.example', 'b', MINUTE)).toBe(false);
    // What another owner has taken cannot be renewed.
    await store.renew([{ origin: ORIGIN, owner: 'a' }], MINUTE);
    await store.release(ORIGIN, 'b');
    expect(await store.lease(ORIGIN, 'c', MINUTE)).toBe(true);
  });

  withStore('one of several concurrent clients gets the lease', async (store) => {
    const owners = Array.from({ length: 30 }, (_, index) => `owner ${index}`);
    const got = await Promise.all(owners.map((owner) => store.lease(ORIGIN, owner, MINUTE)));
    expect(got.filter(Boolean).length).toBe(1);
  });

  withStore('what the owner of a lease stores ends the lease', async (store) => {
    await store.lease(ORIGIN, 'a', MINUTE);
    await store.record(ORIGIN, { response: createResponse(NOON) }, 'a');
    expect(await store.lease(ORIGIN, 'b', MINUTE)).toBe(true);
    expect(await store.record(ORIGIN, { failure: createFailure(NOON + 1) }, 'b')).toMatchObject({
      outage: { failures: 1 },
    });
    expect(await store.lease(ORIGIN, 'c', MINUTE)).toBe(true);
  });

  withStore('an owner that has lost its lease does not overwrite what came after it', async (store) => {
    await store.lease(ORIGIN, 'paused', 1);
    await expect.poll(() => store.lease(ORIGIN, 'next', MINUTE)).toBe(true);
    // While the next owner fetches, and after it has stored a response.
    await store.record(ORIGIN, { response: createResponse(NOON + 20) }, 'paused');
    expect(await store.get(ORIGIN)).toBeUndefined();
    const stored = await store.record(ORIGIN, { response: createResponse(NOON + 10) }, 'next');
    expect(await store.record(ORIGIN, { response: createResponse(NOON + 30) }, 'paused')).toEqual(stored);
    expect(await store.record(ORIGIN, { failure: createFailure(NOON + 30) }, 'paused')).toEqual(stored);
    expect(await store.get(ORIGIN)).toEqual(stored);
  });

  withStore(
    'an owner that was paused and that no other client followed stores what it fetched',
    async (store) => {
      await store.lease(ORIGIN, 'paused', 1);
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await store.record(ORIGIN, { response: createResponse(NOON) }, 'paused')).toMatchObject({
        response: { kind: 'successful' },
      });
      expect(await store.get(ORIGIN)).toMatchObject({ response: { kind: 'successful' } });
    },
  );

  withStore('the lease decides what is newest, not a clock that was set back', async (store) => {
    await store.record(ORIGIN, { response: createResponse(NOON) });
    await store.lease(ORIGIN, 'a', MINUTE);
    expect(await store.record(ORIGIN, { response: createResponse(NOON - MINUTE) }, 'a')).toMatchObject({
      response: { fetchedAt: NOON - MINUTE },
    });
  });

  test('a store over its limits evicts what was not used for longest, in an outage last', async () => {
    let now = NOON;
    const store = await open({ maxOrigins: 10, now: () => now });
    const next = (): number => {
      now += 2 * HOUR;
      return now;
    };
    const name = (index: number): string => `http://${index}.example`;
    await store.record(name(0), { failure: createFailure(next()) });
    for (let index = 1; index <= 9; index++)
      await store.record(name(index), { response: createResponse(next()) });
    // An eviction that still runs in the background would not know of the use that follows.
    await store.prune();
    next();
    await store.get(name(1));
    for (let index = 10; index <= 14; index++)
      await store.record(name(index), { response: createResponse(next()) });
    await store.prune();
    const names = new Set(await store.list(100));
    expect(names.size).toBe(10);
    for (const index of [0, 1, 10, 14]) expect(names).toContain(name(index));
    for (const index of [2, 3, 4, 5, 6]) expect(names).not.toContain(name(index));
    expect(await store.events(name(2))).toEqual([]);
    expect(await store.stats()).toMatchObject({ origins: 10, evictions: 5, failures: 0 });
    await store.close();
  });

  test('origins that fail cannot fill the store', async () => {
    let now = NOON;
    const store = await open({ maxOrigins: 10, now: () => now });
    for (let index = 0; index < 30; index++) {
      now += 2 * HOUR;
      await store.record(`http://failing-${index}.example`, { failure: createFailure(now) });
      await store.record(`http://good-${index}.example`, { response: createResponse(now) });
      await store.prune();
    }
    const names = await store.list(100);
    expect(names.filter((name) => name.includes('failing')).length).toBe(5);
    expect(names).toContain('http://failing-29.example');
    expect(names.filter((name) => name.includes('good')).length).toBe(5);
    await store.close();
  });

  test('a store is bounded in bytes', async () => {
    const store = await open({ maxBytes: 300_000 });
    const bytes = new Uint8Array(20_000);
    for (let index = 0; index < 60; index++)
      await store.record(`http://${index}.example`, { response: createResponse(NOON + index, { bytes }) });
    const { removed, ...left } = await store.prune();
    expect(left.bytes).toBeLessThanOrEqual(300_000);
    expect(left.origins).toBeGreaterThanOrEqual(8);
    expect(await store.stats()).toMatchObject({ origins: left.origins, bytes: left.bytes });
    expect((await store.stats()).evictions).toBe(60 - left.origins);
    // Limits of a call take the place of those of the store.
    expect(await store.prune({ maxOrigins: 3 })).toMatchObject({ origins: 3, removed: left.origins - 3 });
    expect(removed).toBeLessThanOrEqual(60);
    await store.close();
  });

  test('what no caller has used for long is evicted, but not because the clock was set', async () => {
    let now = NOON;
    const store = await open({ now: () => now });
    await store.record('http://old.example', { response: createResponse(now) });
    now += 40 * 24 * HOUR;
    await store.record('http://new.example', { response: createResponse(now) });
    // Forty days have passed by the wall clock, and no time by the clock that counts.
    expect(await store.prune()).toMatchObject({ removed: 0 });
    now += 4000 * 24 * HOUR;
    expect(await store.prune()).toMatchObject({ removed: 0 });
    now -= 4000 * 24 * HOUR;
    expect(await store.prune({ maxAge: 30 * 24 * HOUR })).toMatchObject({ removed: 1, origins: 1 });
    expect(await store.list(10)).toEqual(['http://new.example']);
    await store.close();
  });

  test('reading counts as use, unless the caller only looks', async () => {
    for (const countsReads of [true, false]) {
      let now = NOON;
      const store = await open({ countsReads, now: () => now });
      await store.record(ORIGIN, { response: createResponse(now) });
      expect(await store.getUsage(ORIGIN)).toMatchObject({ usedAt: NOON, bytes: expect.any(Number) });
      now += 2 * 24 * HOUR;
      await store.get(ORIGIN);
      await store.prune();
      await store.record('http://b.example', { response: createResponse(now) });
      const { removed } = await store.prune({ maxAge: 24 * HOUR });
      expect(removed).toBe(countsReads ? 0 : 1);
      await store.delete();
      await store.close();
    }
  });

  withStore('a store that can be used passes its check', async (store) => {
    await expect(store.check()).resolves.toBeUndefined();
    expect(await store.getUsage(ORIGIN)).toBeUndefined();
  });

  test('a limit that is not a positive number is an error', async () => {
    for (const limits of [{ maxBytes: 0 }, { maxOrigins: -1 }, { maxAge: Number.NaN }])
      await expect((async () => open(limits))()).rejects.toThrow(RangeError);
  });
}
