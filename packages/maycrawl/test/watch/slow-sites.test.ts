/** Sites that respond slowly, or not at all, do not keep a worker from checking others. The clock and the responses are those of the test. */
import type { Fetcher } from '@maycrawl/client/internal';
import { beforeEach, expect, test } from 'vitest';
import type { WatchDatabase } from '../../src/watch/storage/database.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import type { WorkerOptions } from '../../src/watch/worker.ts';
import { createSettings } from '../support/recorded-checks.ts';
import { openTestDatabase } from '../support/watch-databases.ts';
import { workOnce } from '../support/work-once.ts';

const START = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

let database: WatchDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
});

/** Works until nothing is due. @param respond - may wait. Returns the checked origins in their order. */
async function checkAll(
  respond: (origin: string, checked: readonly string[]) => Promise<void>,
  options: Partial<WorkerOptions> = {},
): Promise<string[]> {
  const checked: string[] = [];
  const fetcher: Fetcher = async (url) => {
    await respond(new URL(url).origin, checked);
    return {
      ...{ kind: 'unavailable', code: 'http-status', message: 'status 404', headers: null },
      ...{ hops: [{ url, status: 404 }], timings: { total: 1 } },
    } as unknown as Awaited<ReturnType<Fetcher>>;
  };
  await workOnce(database, {
    ...{ fetcher, now: () => START, onChecked: (origin) => checked.push(origin) },
    ...options,
  });
  return checked;
}

const add = (origins: readonly string[], dueAt: number): Promise<void> =>
  new SiteRepository(database).addSites(
    origins,
    { ...createSettings([]), every: HOUR },
    (index) => dueAt + index,
  );

test('a host with 300 sites that respond slowly does not keep another host waiting', async () => {
  const slow = Array.from({ length: 300 }, (_, index) => `http://slow.example:${index + 1}`);
  await add(slow, START - 2 * HOUR);
  await add(['https://quick.example'], START - HOUR);
  let now = START;
  let quickAt = Number.POSITIVE_INFINITY;
  const checked = await checkAll(
    async (origin, done) => {
      if (!origin.startsWith('http://slow')) quickAt = Math.min(quickAt, now);
      // The slow host responds faster in the end, so that the test ends.
      else if (done.length < 250) now += 30_000;
    },
    { now: () => now },
  );
  expect(quickAt - START).toBeLessThanOrEqual(120_000);
  expect(new Set(checked).size).toBe(301);
});

test('a site that does not respond does not keep sites waiting that are claimed later', async () => {
  const others = Array.from({ length: 1_000 }, (_, index) => `https://site-${index}.example`);
  await add(['https://silent.example'], START - 2 * HOUR);
  await add(others, START - HOUR);
  let respond = (): void => {};
  const silence = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const checked = await checkAll(async (origin, done) => {
    if (origin === 'https://silent.example') await silence;
    // The silent site responds only after all others were checked.
    else if (done.length >= others.length - 64) setImmediate(respond);
  });
  // On a busy machine the claim of the silent site can expire, and it is checked again.
  expect(new Set(checked).size).toBe(1_001);
  expect(checked.indexOf('https://silent.example')).toBeGreaterThan(900);
});

test('sites of one host are checked one after another, also those that become due meanwhile', async () => {
  const sites = Array.from({ length: 500 }, (_, index) => `http://one.example:${index + 1}`);
  await add(sites, START - HOUR);
  let underWay = 0;
  const checked = await checkAll(async () => {
    expect(++underWay).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
  });
  expect(new Set(checked).size).toBe(500);
});

test('a message about one site does not wait for a site that does not respond', async () => {
  const repository = new SiteRepository(database);
  const settings = { ...createSettings(['log']), every: HOUR };
  await repository.addSites(['https://silent.example', 'https://quick.example'], settings, () => START);
  let respond = (): void => {};
  const silence = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const order: string[] = [];
  await checkAll(
    async (origin) => {
      // It responds only after the first message was delivered.
      if (origin === 'https://silent.example') await silence;
    },
    {
      onChecked: (origin) => order.push(`checked ${origin}`),
      deliver: async (_target, { alerts }) => {
        order.push(...alerts.map(({ origin }) => `delivered ${origin}`));
        respond();
        return { kind: 'delivered' };
      },
    },
  );
  expect(order).toEqual(
    ['quick', 'silent'].flatMap((name) => [
      `checked https://${name}.example`,
      `delivered https://${name}.example`,
    ]),
  );
});
