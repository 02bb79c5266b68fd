import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { PrivateAddressError } from '../../src/http/address-policy.ts';
import { PaceError } from '../../src/pace/pace-error.ts';
import type { PaceOptions } from '../../src/pace/pace-options.ts';
import { Pacer } from '../../src/pace/pacer.ts';
import type { Turn } from '../../src/pace/turn.ts';
import { FakeClock, settle } from '../support/fake-clock.ts';

const A = 'https://a.example';
const B = 'https://b.example';

interface World {
  readonly clock: FakeClock;
  readonly pacer: Pacer;
  /** Takes turns, each of which takes some time, and returns when they start. */
  readonly run: (origin: string, milliseconds: number, response?: unknown) => Promise<number>;
}

function newWorld(options: PaceOptions = {}): World {
  const clock = new FakeClock();
  const pacer = new Pacer(options, clock);
  const run: World['run'] = async (origin, milliseconds, response) => {
    const turn = await pacer.take(origin);
    const at = clock.now();
    clock.after(milliseconds, () => turn.end(response));
    return at;
  };
  return { clock, pacer, run };
}

/** The results of promises after some time. */
async function getAfter<T>({ clock }: World, milliseconds: number, promises: Promise<T>[]): Promise<T[]> {
  const all = Promise.all(promises);
  await clock.pass(milliseconds);
  return all;
}

describe('requests to one origin', () => {
  test('run one at a time, in the order in which they came', async () => {
    const world = newWorld();
    const runs = Array.from({ length: 4 }, () => world.run(A, 100));
    expect(await getAfter(world, 1_000, runs)).toEqual([0, 100, 200, 300]);
  });

  test('run as many at a time as the options permit', async () => {
    const world = newWorld({ concurrency: 2 });
    const runs = Array.from({ length: 4 }, () => world.run(A, 100));
    expect(await getAfter(world, 1_000, runs)).toEqual([0, 0, 100, 100]);
  });

  test('are apart by the spacing, or the crawl-delay that is longer, up to its limit', async () => {
    const world = newWorld({ spacing: 250, maxCrawlDelay: 3_000 });
    expect(await getAfter(world, 1_000, [world.run(A, 10), world.run(A, 10)])).toEqual([0, 250]);
    const take = async (crawlDelay: number): Promise<number> => {
      (await world.pacer.take(B, { crawlDelay })).end();
      return world.clock.now() - 1_000;
    };
    expect(await getAfter(world, 20_000, [take(2_000), take(2_000)])).toEqual([0, 2_000]);
    expect(await getAfter(world, 20_000, [take(60_000), take(60_000)])).toEqual([20_000, 23_000]);
  });

  test('wait for Retry-After of 429 and 503, as seconds or as a date, up to its limit', async () => {
    for (const [status, retryAfter, pause] of [
      [503, '7', 7_000],
      [429, 'Thu, 01 Jan 2026 00:00:09 GMT', 9_000],
      [503, '86400', 60_000],
      [200, '7', 0],
    ] as const) {
      const world = newWorld({ maxRetryAfter: 60_000 });
      const runs = [world.run(A, 0, { status, retryAfter }), world.run(A, 0)];
      expect(await getAfter(world, 100_000, runs)).toEqual([0, pause]);
    }
  });

  test('have growing pauses after server errors and missing responses, which a success ends', async () => {
    const pauses = await measurePauses([500, 502, 500, 500, 200, 500, 200]);
    expect(pauses).toEqual([1_000, 2_000, 4_000, 5_000, 0, 1_000, 0]);
  });

  test('wait for Retry-After also if another request has failed before, and pauses differ from process to process', async () => {
    const world = newWorld({ concurrency: 2 });
    const [one, other] = [await world.pacer.take(A), await world.pacer.take(A)];
    one.end({ status: 500 });
    other.end({ status: 503, retryAfter: '60' });
    expect(await getNextStart(world)).toBe(60_000);
    const clock = Object.assign(new FakeClock(), { random: () => 1 });
    const pacer = new Pacer({ firstPause: 1_000 }, clock);
    (await pacer.take(A)).end({ status: 500 });
    await clock.pass(800);
    expect(pacer.tryTake(A)).toBeDefined();
  });

  test('a result that cannot be read ends its turn, and is returned', async () => {
    const { pacer } = newWorld();
    const result = {
      status: 503,
      get headers(): never {
        throw new Error('closed');
      },
    };
    expect(await pacer.run(A, () => result)).toBe(result);
    const error = { response: result };
    await expect(pacer.run(A, () => Promise.reject(error))).rejects.toBe(error);
    expect(pacer.tryTake(A)).toBeDefined();
  });

  test('do not pause after an error of the program or of this machine, nor after 404', async () => {
    const world = newWorld();
    for (const end of [
      (turn: Turn) => turn.fail(new TypeError('not a function')),
      (turn: Turn) => turn.fail(Object.assign(new Error('too many files'), { code: 'EMFILE' })),
      (turn: Turn) => turn.fail(Object.assign(new Error('invalid header'), { code: 'UND_ERR_INVALID_ARG' })),
      (turn: Turn) => turn.fail(AbortSignal.abort().reason),
      (turn: Turn) => turn.fail(new Error('of a hook', { cause: new PaceError('max-wait', '', B, 0) })),
      (turn: Turn) => turn.fail(new PrivateAddressError('127.0.0.1', 'localhost')),
      (turn: Turn) => turn.cancel(),
      (turn: Turn) => turn.end({ status: 404 }),
      (turn: Turn) => turn.fail({ response: { status: 404, headers: {} } }),
    ]) {
      end(await world.pacer.take(A, { maxWait: 0 }));
    }
    expect(world.clock.timers).toBe(0);
  });
});

/** The pauses after responses with some statuses in a row. */
async function measurePauses(statuses: readonly number[]): Promise<number[]> {
  const world = newWorld({ firstPause: 1_000, longestPause: 5_000 });
  const pauses: number[] = [];
  for (const status of statuses) {
    (await world.pacer.take(A)).end({ status });
    const before = world.clock.now();
    pauses.push((await getNextStart(world)) - before);
  }
  return pauses;
}

/** Measures when the next turn can start, without sending a request. */
async function getNextStart(world: World): Promise<number> {
  for (let waited = 0; waited < 100_000; waited += 100) {
    const turn = await world.pacer.take(A, { maxWait: 0 }).catch(() => undefined);
    if (turn !== undefined) {
      turn.cancel();
      return world.clock.now();
    }
    await world.clock.pass(100);
  }
  throw new Error('no turn');
}

describe('origins', () => {
  test('do not wait for each other: of 1,000 one is slow, and none waits for it', async () => {
    const world = newWorld({ maxRequests: 2_000 });
    const slow = [world.run(A, 60_000), world.run(A, 60_000)];
    const others = Array.from({ length: 999 }, (_, index) => `https://${index}.example`);
    const runs = others.flatMap((origin) => [world.run(origin, 10), world.run(origin, 10)]);
    expect(new Set(await getAfter(world, 20, runs))).toEqual(new Set([0, 10]));
    expect(await getAfter(world, 120_000, slow)).toEqual([0, 60_000]);
  });

  test('take turns if the total limit is reached, so that one with many requests starves no other', async () => {
    const world = newWorld({ concurrency: 10, maxRequests: 2 });
    const many = Array.from({ length: 100 }, () => world.run(A, 10));
    const single = world.run(B, 10);
    const [at] = await getAfter(world, 2_000, [single]);
    expect(at).toBeLessThanOrEqual(20);
    expect(Math.max(...(await Promise.all(many)))).toBe(500);
  });

  test('are forgotten when nothing depends on them: 100,000 need no memory', async () => {
    const { pacer } = newWorld();
    for (let index = 0; index < 100_000; index++) (await pacer.take(`https://${index}.example`)).end();
    expect(pacer.origins).toBeLessThan(10);
  });

  test('that pause are remembered, up to a limit that an error names', async () => {
    const { pacer, clock } = newWorld({ maxOrigins: 100 });
    const end = async (index: number, response: unknown): Promise<void> =>
      (await pacer.take(`https://${index}.example`)).end(response);
    for (let index = 0; index < 100; index++) await end(index, { status: 503, retryAfter: '60' });
    await expect(end(100, undefined)).rejects.toMatchObject({ code: 'max-origins', temporary: true });
    expect(pacer.origins).toBe(100);
    // Those whose pause is over keep no others waiting, also if their failures would be remembered with more space.
    await clock.pass(60_000);
    for (let index = 100; index < 200; index++) await end(index, { status: 503, retryAfter: '60' });
    expect(pacer.origins).toBe(100);
    await clock.pass(2 * 3_600_000);
    await end(200, undefined);
    expect(pacer.origins).toBeLessThan(100);
  });
});

describe('what waits', () => {
  test('is bounded for each origin and for all, and the error names the limit and when to try again', async () => {
    const world = newWorld({ maxQueued: 3, maxTotalQueued: 5, spacing: 1_000 });
    const take = (origin: string): Promise<unknown> => world.pacer.take(origin);
    await take(A);
    for (let count = 0; count < 3; count++) void take(A);
    const error: unknown = await take(A).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaceError);
    expect(error).toMatchObject({ code: 'max-queued', temporary: true, origin: A });
    expect((error as PaceError).retryAt).toBe(world.clock.date() + 5_000);
    expect((error as PaceError).message).toBe(
      `${A} gets no request now: too many requests to it wait (max-queued: 3). Try again at 2026-01-01T00:00:05.000Z`,
    );
    await take(B);
    for (let count = 0; count < 2; count++) void take(B);
    await expect(take(B)).rejects.toMatchObject({ code: 'max-total-queued' });
  });

  test('is refused if it would wait too long, and when it has', async () => {
    const world = newWorld({ maxWait: 5_000 });
    const first = await world.pacer.take(A);
    const waiting = world.pacer.take(A).catch((error: unknown) => error);
    await world.clock.pass(4_999);
    first.end({ status: 503, retryAfter: '60' });
    const refused = (await waiting) as PaceError;
    expect(refused).toMatchObject({ code: 'max-wait', retryAt: world.clock.date() + 60_000 });
    await expect(world.pacer.take(A)).rejects.toMatchObject({ code: 'max-wait' });
    const slow = world.pacer.take(B);
    void (await slow);
    const late = world.pacer.take(B).catch((error: unknown) => error);
    await world.clock.pass(5_000);
    expect(await late).toMatchObject({ code: 'max-wait' });
    expect(world.clock.timers).toBe(0);
  });

  test('does not wait with a maxWait of 0', async () => {
    const { pacer, clock } = newWorld();
    await pacer.take(A, { maxWait: 0 });
    await expect(pacer.take(A, { maxWait: 0 })).rejects.toMatchObject({
      code: 'max-wait',
      retryAt: clock.date() + 100,
    });
    await expect(pacer.take(A, { maxWait: -1 })).rejects.toThrow(RangeError);
  });

  test('can be aborted, and leaves nothing behind', async () => {
    const { pacer, clock } = newWorld();
    const turn = await pacer.take(A);
    const controller = new AbortController();
    const reason = new Error('enough');
    const waiting = pacer.take(A, { signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(pacer.take(A, { signal: controller.signal })).rejects.toBe(reason);
    turn.end();
    turn.end({ status: 503 });
    expect(clock.timers).toBe(0);
    expect(pacer.tryTake(A)).toBeDefined();
  });

  test('can share a signal with others, without a warning of Node', async () => {
    const warnings: unknown[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listen);
    onTestFinished(() => void process.off('warning', listen));
    const { pacer } = newWorld();
    const controller = new AbortController();
    await pacer.take(A);
    const waiting = Array.from({ length: 20 }, () => pacer.take(A, { signal: controller.signal }));
    controller.abort(new Error('enough'));
    for (const each of await Promise.allSettled(waiting)) expect(each.status).toBe('rejected');
    await settle();
    expect(warnings).toEqual([]);
  });

  test('at an abort frees its place for the next, which starts in its place', async () => {
    const world = newWorld();
    const turn = await world.pacer.take(A);
    const controller = new AbortController();
    const aborted = world.pacer.take(A, { signal: controller.signal }).catch(() => {});
    const next = world.pacer.take(A);
    controller.abort();
    await aborted;
    turn.end();
    expect((await next).origin).toBe(A);
  });
});

describe('a pace that processes share', () => {
  /** Another process uses origin A until `free` is called. Each attempt takes a millisecond. */
  function newSharedWorld(
    options: PaceOptions,
  ): World & { readonly free: () => void; readonly ends: number[] } {
    const clock = new FakeClock();
    const ends: number[] = [];
    let free = (): void => {};
    const used = new Promise<void>((resolve) => {
      free = resolve;
    });
    const pacer = new Pacer(options, clock, {
      take: async (origin, signal) => {
        await new Promise<void>((resolve) => clock.after(1, resolve));
        if (origin === A)
          await new Promise<void>((resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
            if (signal.aborted) reject(signal.reason);
            void used.then(resolve);
          });
        return (pause) => void ends.push(pause);
      },
    });
    const run: World['run'] = async () => 0;
    return { clock, pacer, run, free, ends };
  }

  test('takes a turn that is free also if it must not wait, and refuses one that is not', async () => {
    const world = newSharedWorld({});
    const turns = [world.pacer.take(B, { maxWait: 0 }), world.pacer.take(A, { maxWait: 0 })];
    const [free, used] = await getAfter(world, 10, [Promise.allSettled(turns)]).then(([all]) => all ?? []);
    expect(free?.status).toBe('fulfilled');
    expect(used).toMatchObject({ status: 'rejected', reason: { code: 'max-wait' } });
  });

  test('counts no request that waits for another process in the total limit, and keeps that limit', async () => {
    const world = newSharedWorld({ maxRequests: 1 });
    const waiting = world.pacer.take(A);
    const aborter = new AbortController();
    const other = world.pacer.take(B);
    await world.clock.pass(10);
    const first = await other;
    let isStarted = false;
    void waiting.then(() => {
      isStarted = true;
    });
    world.free();
    await world.clock.pass(10);
    expect(isStarted).toBe(false);
    const next = world.pacer.take('https://c.example', { signal: aborter.signal });
    first.end();
    (await waiting).end();
    await world.clock.pass(10);
    (await next).end();
    expect(world.ends).toEqual([0, 0, 0]);
    expect(world.clock.timers).toBe(0);
  });

  test('frees what it took if the caller aborts meanwhile', async () => {
    const world = newSharedWorld({ maxRequests: 1 });
    const aborter = new AbortController();
    const refused = world.pacer.take(B, { signal: aborter.signal }).catch((error: unknown) => error);
    aborter.abort(new Error('enough'));
    await world.clock.pass(10);
    expect(await refused).toMatchObject({ message: 'enough' });
    expect(world.ends).toEqual([0]);
    const [turn] = await getAfter(world, 10, [world.pacer.take(B)]);
    turn?.end();
    expect(world.clock.timers).toBe(0);
  });
});

test('options are checked', async () => {
  for (const crawlDelay of [Number.NaN, -1]) {
    expect(() => new Pacer().tryTake(A, crawlDelay)).toThrow(RangeError);
    await expect(new Pacer().take(A, { crawlDelay })).rejects.toThrow(RangeError);
  }
  expect(() => new Pacer({ concurency: 2 } as PaceOptions)).toThrow('Did you mean "concurrency"?');
  for (const options of [{ concurrency: 0 }, { maxWait: -1 }, { spacing: Number.NaN }, { maxQueued: 1.5 }])
    expect(() => new Pacer(options)).toThrow(RangeError);
});

test('for any load: never too many at a time, never too close, in order, and all are served (property)', async () => {
  const request = fc.record({
    origin: fc.constantFrom('a', 'b', 'c'),
    milliseconds: fc.integer({ min: 0, max: 50 }),
    status: fc.constantFrom(200, 200, 200, 404, 500, 503),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(request, { maxLength: 40 }),
      fc.record({
        concurrency: fc.integer({ min: 1, max: 3 }),
        spacing: fc.constantFrom(0, 20),
        maxRequests: fc.integer({ min: 1, max: 5 }),
      }),
      async (requests, options) => {
        const clock = new FakeClock();
        const pacer = new Pacer({ ...options, firstPause: 10, longestPause: 40, maxWait: 1_000_000 }, clock);
        const running = new Map<string, number>();
        const starts = new Map<string, number[]>();
        const order = new Map<string, number[]>();
        let total = 0;
        requests.forEach(({ origin, milliseconds, status }, index) => {
          void pacer.take(origin).then((turn) => {
            running.set(origin, (running.get(origin) ?? 0) + 1);
            total++;
            expect(running.get(origin)).toBeLessThanOrEqual(options.concurrency);
            expect(total).toBeLessThanOrEqual(options.maxRequests);
            const times = starts.get(origin) ?? [];
            const last = times.at(-1);
            if (last !== undefined) expect(clock.now() - last).toBeGreaterThanOrEqual(options.spacing);
            starts.set(origin, [...times, clock.now()]);
            order.set(origin, [...(order.get(origin) ?? []), index]);
            clock.after(milliseconds, () => {
              running.set(origin, (running.get(origin) ?? 0) - 1);
              total--;
              turn.end({ status });
            });
          });
        });
        await clock.pass(100_000);
        expect([...order.values()].flat().length).toBe(requests.length);
        for (const indexes of order.values()) expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
        expect(clock.timers).toBe(0);
      },
    ),
    { numRuns: 100 },
  );
  await settle();
});
