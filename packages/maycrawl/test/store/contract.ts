import { expect, test } from 'vitest';
import { KEPT_EVENTS } from '../../src/store/events.ts';
import type { Failure, GoodAnswer } from '../../src/store/history.ts';
import type { RobotsStore } from '../../src/store/store.ts';
import { TOLD } from '../support/told.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const ORIGIN = 'https://example.com';

const answerAt = (fetchedAt: number, more: Partial<GoodAnswer> = {}): GoodAnswer => ({
  kind: 'found',
  fetchedAt,
  freshUntil: fetchedAt + 1000,
  bytes: new TextEncoder().encode(`# ${fetchedAt}`),
  status: 200,
  code: null,
  reason: null,
  ...TOLD,
  ...more,
});
const failureAt = (at: number, more: Partial<Failure> = {}): Failure => ({
  at,
  code: 'http-status',
  status: 503,
  reason: 'status 503',
  retryAt: null,
  saysNotFound: false,
  hops: [],
  timings: { total: 1 },
  ...more,
});

/** What every store does. `open` gives an empty one. */
export function testStore(open: () => Promise<RobotsStore>): void {
  const withStore = (name: string, work: (store: RobotsStore) => Promise<void>): void => {
    test(name, async () => {
      const store = await open();
      try {
        await work(store);
      } finally {
        await store.close();
      }
    });
  };

  withStore('knows nothing at first', async (store) => {
    expect(await store.get(ORIGIN)).toBeUndefined();
    expect(await store.list(10)).toEqual([]);
    expect(await store.events(ORIGIN)).toEqual([]);
    expect(await store.delete(ORIGIN)).toBe(0);
  });

  withStore('keeps a good answer, byte for byte', async (store) => {
    const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
    const answer = answerAt(NOON, {
      bytes,
      headers: {
        ...answerAt(NOON).headers,
        etag: 'W/"é\u2603"',
        lastModified: 'Sat, 21 Nov 2026 12:00:00 GMT',
      },
    });
    const expected = { answer, outage: null };
    expect(await store.putAnswer(ORIGIN, answer)).toEqual(expected);
    expect(await store.get(ORIGIN)).toEqual(expected);
    expect(await store.get(`${ORIGIN}:8080`)).toBeUndefined();
  });

  withStore('keeps that there is no file, and an empty one', async (store) => {
    const absent = answerAt(NOON, {
      kind: 'absent',
      bytes: new Uint8Array(0),
      status: 404,
      code: 'http-status',
      reason: 'status 404',
    });
    const empty = answerAt(NOON, { bytes: new Uint8Array(0) });
    await store.putAnswer(ORIGIN, absent);
    await store.putAnswer('http://empty.example', empty);
    expect(await store.get(ORIGIN)).toEqual({ answer: absent, outage: null });
    expect(await store.get('http://empty.example')).toEqual({ answer: empty, outage: null });
  });

  withStore('counts failures, beside the last good answer', async (store) => {
    const answer = answerAt(NOON);
    await store.putAnswer(ORIGIN, answer);
    await store.recordFailure(ORIGIN, failureAt(NOON + 1));
    const last = failureAt(NOON + 5, { status: null, code: 'timeout', reason: 'late', retryAt: NOON + 99 });
    const history = await store.recordFailure(ORIGIN, last);
    const { at: _at, ...rest } = last;
    expect(history).toEqual({ answer, outage: { ...rest, since: NOON + 1, lastAt: NOON + 5, failures: 2 } });
    expect(await store.get(ORIGIN)).toEqual(history);
  });

  withStore('a good answer ends an outage', async (store) => {
    await store.recordFailure(ORIGIN, failureAt(NOON));
    expect(await store.get(ORIGIN)).toMatchObject({ answer: null, outage: { failures: 1 } });
    expect(await store.putAnswer(ORIGIN, answerAt(NOON + 1))).toMatchObject({ outage: null });
    expect(await store.recordFailure(ORIGIN, failureAt(NOON + 2))).toMatchObject({
      outage: { since: NOON + 2, failures: 1 },
    });
  });

  withStore('what comes late changes nothing', async (store) => {
    await store.putAnswer(ORIGIN, answerAt(NOON + 10));
    expect(await store.putAnswer(ORIGIN, answerAt(NOON))).toMatchObject({ answer: { fetchedAt: NOON + 10 } });
    expect(await store.recordFailure(ORIGIN, failureAt(NOON + 5))).toMatchObject({ outage: null });
    expect((await store.events(ORIGIN)).length).toBe(1);
  });

  withStore('what a clock that was wrong wrote is replaced', async (store) => {
    const year = 365 * 86_400_000;
    await store.putAnswer(ORIGIN, answerAt(NOON + year));
    expect(await store.putAnswer(ORIGIN, answerAt(NOON))).toMatchObject({ answer: { fetchedAt: NOON } });
    expect(await store.get(ORIGIN)).toMatchObject({ answer: { fetchedAt: NOON } });
  });

  withStore('many origins with the same file, changed and deleted at once: none loses it', async (store) => {
    const [same, other] = ['same', 'other'].map((text) => ({ bytes: new TextEncoder().encode(text) }));
    const origins = Array.from({ length: 12 }, (_, index) => `http://${index}.example`);
    for (let round = 0; round < 5; round++) {
      const at = NOON + round * 10;
      await Promise.all(origins.map((origin) => store.putAnswer(origin, answerAt(at, same))));
      await Promise.all(
        origins.map((origin, index) =>
          index % 3 === 0
            ? store.delete(origin)
            : store.putAnswer(origin, answerAt(at + 1, index % 3 === 1 ? same : other)),
        ),
      );
      for (const [index, origin] of origins.entries()) {
        const bytes = (await store.get(origin))?.answer?.bytes;
        const expected = index % 3 === 0 ? undefined : (index % 3 === 1 ? same : other)?.bytes;
        expect(bytes).toEqual(expected);
      }
    }
  });

  withStore('two failures at the same time both count', async (store) => {
    await Promise.all(Array.from({ length: 20 }, () => store.recordFailure(ORIGIN, failureAt(NOON))));
    expect(await store.get(ORIGIN)).toMatchObject({ outage: { failures: 20 } });
  });

  withStore('times beyond 32 bits, texts of any kind, origins of any length', async (store) => {
    const origin = `https://${'a'.repeat(20_000)}.example`;
    const reason = `NUL \0, quote ' " \\, \u{1f916}, ${'x'.repeat(10_000)}`;
    const retryAt = Number.MAX_SAFE_INTEGER;
    await store.recordFailure(origin, failureAt(NOON, { reason, retryAt }));
    expect(await store.get(origin)).toMatchObject({ outage: { reason, retryAt, since: NOON } });
    expect(await store.list(10)).toEqual([origin]);
    expect(await store.delete(origin)).toBe(1);
  });

  withStore('lists origins in order, a part at a time', async (store) => {
    const origins = ['http://b.example', 'https://a.example', 'http://a.example', 'http://a.example:81'];
    for (const origin of origins) await store.putAnswer(origin, answerAt(NOON));
    const sorted = [...origins].sort();
    expect(await store.list(10)).toEqual(sorted);
    expect(await store.list(2)).toEqual(sorted.slice(0, 2));
    expect(await store.list(10, sorted[1])).toEqual(sorted.slice(2));
    expect(await store.list(10, sorted[3])).toEqual([]);
  });

  withStore('tells what happened, the newest first, and not without end', async (store) => {
    for (let at = 0; at < KEPT_EVENTS; at++) await store.recordFailure(ORIGIN, failureAt(NOON + at));
    await store.putAnswer(ORIGIN, answerAt(NOON + 1000, { bytes: new TextEncoder().encode('abc') }));
    await store.putAnswer(
      ORIGIN,
      answerAt(NOON + 2000, { kind: 'absent', bytes: new Uint8Array(0), status: 404 }),
    );
    const events = await store.events(ORIGIN);
    expect(events.length).toBe(KEPT_EVENTS);
    expect(events.slice(0, 3)).toEqual([
      { at: NOON + 2000, kind: 'absent', status: 404, code: null, hash: null, bytes: 0 },
      {
        at: NOON + 1000,
        kind: 'found',
        status: 200,
        code: null,
        // echo -n abc | sha256sum
        hash: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
        bytes: 3,
      },
      {
        at: NOON + KEPT_EVENTS - 1,
        kind: 'unreachable',
        status: 503,
        code: 'http-status',
        hash: null,
        bytes: 0,
      },
    ]);
  });

  withStore('forgets one origin, or all; a file that another origin has stays', async (store) => {
    const shared = answerAt(NOON);
    await store.putAnswer(ORIGIN, shared);
    await store.putAnswer('http://b.example', shared);
    expect(await store.delete(ORIGIN)).toBe(1);
    expect(await store.get(ORIGIN)).toBeUndefined();
    expect(await store.events(ORIGIN)).toEqual([]);
    expect(await store.get('http://b.example')).toEqual({ answer: shared, outage: null });
    await store.putAnswer(ORIGIN, answerAt(NOON + 1));
    expect(await store.delete()).toBe(2);
    expect(await store.list(10)).toEqual([]);
  });

  withStore('lets one at a time fetch an origin', async (store) => {
    expect(await store.lease(ORIGIN, 'a', NOON + 60, NOON)).toBe(true);
    expect(await store.lease(ORIGIN, 'b', NOON + 60, NOON)).toBe(false);
    expect(await store.lease('http://b.example', 'b', NOON + 60, NOON)).toBe(true);
    // Its owner may take it for longer.
    expect(await store.lease(ORIGIN, 'a', NOON + 90, NOON + 30)).toBe(true);
    expect(await store.lease(ORIGIN, 'b', NOON + 120, NOON + 60)).toBe(false);
    // Who did not come back loses it.
    expect(await store.lease(ORIGIN, 'b', NOON + 150, NOON + 90)).toBe(true);
    // What is not one's own one cannot give back.
    await store.release(ORIGIN, 'a');
    expect(await store.lease(ORIGIN, 'c', NOON + 160, NOON + 100)).toBe(false);
    await store.release(ORIGIN, 'b');
    expect(await store.lease(ORIGIN, 'c', NOON + 160, NOON + 100)).toBe(true);
  });

  withStore('of many that want to fetch at once one may', async (store) => {
    const owners = Array.from({ length: 30 }, (_, index) => `owner ${index}`);
    const got = await Promise.all(owners.map((owner) => store.lease(ORIGIN, owner, NOON + 60, NOON)));
    expect(got.filter(Boolean).length).toBe(1);
  });
}
