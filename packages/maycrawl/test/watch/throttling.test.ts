import { expect, test } from 'vitest';
import { closeAtEnd } from '../../../client/test/support/close-at-end.ts';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import type { Receipt } from '../../src/watch/notifications/delivery/receipt.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import type { WorkerOptions } from '../../src/watch/worker.ts';
import { createSettings } from '../support/recorded-checks.ts';
import { openTestDatabase } from '../support/watch-databases.ts';
import { workOnce } from '../support/work-once.ts';

const MINUTE = 60_000;

const startSite = (getFile: () => string, address?: string): Promise<TestServer> =>
  closeAtEnd(serve((_request, response) => response.end(getFile()), address));

/** Creates a worker whose clock and deliveries the test controls. */
async function createWorker(overrides: Partial<WorkerOptions> = {}) {
  const database = await openTestDatabase();
  const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
  const clock = { now: Date.UTC(2026, 0, 1) };
  const delivered: string[] = [];
  const run = (): Promise<void> =>
    workOnce(database, {
      now: () => clock.now,
      deliver: async (_target, { alerts }) => {
        delivered.push(...alerts.map(({ title }) => title));
        return { kind: 'delivered' };
      },
      ...overrides,
    });
  return { repository, outbox, clock, delivered, run };
}

test('notifications of a site that changes all the time are throttled until it is quiet', async () => {
  let round = 0;
  const site = await startSite(() => `User-agent: *\nDisallow: /${Math.min(round, 10)}\n`);
  const { repository, clock, delivered, run } = await createWorker();
  await repository.addSites([site.origin], { ...createSettings(['log']), every: 5 * MINUTE }, () => 0);
  for (round = 0; round < 30; round++) {
    await run();
    clock.now += 6 * MINUTE;
  }
  const events = (await repository.events(100)).reverse();
  // The first check and ten changes; the first six events are delivered.
  expect(events.map(({ throttled }) => throttled)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0]);
  // Its severity is the worst one of the changes without a notification.
  expect(events.at(-1)).toMatchObject({ kind: 'settled', severity: 'warning' });
  expect(events.at(-1)?.text).toMatch(
    /^without a notification: 5 changes\nnewly blocked: \/10 for .*(?:\n.*){4}$/,
  );
  expect(delivered.length).toBe(7);
  expect(delivered.at(-1)).toMatch(/no further changes; 5 changes not reported one by one/);
  // Every change is stored nevertheless.
  expect((await repository.versions(site.origin)).length).toBe(11);
});

test('a site stays throttled until it has not changed for an hour', async () => {
  const { repository, clock, delivered, run } = await createWorker();
  const site = await startSite(() => file);
  let file = 'User-agent: *\nDisallow: /0\n';
  const settings = { ...createSettings(['log']), every: MINUTE };
  await repository.addSites([site.origin], settings, () => 0);
  const start = clock.now;
  const check = async (minutes: number, content: string): Promise<void> => {
    clock.now = start + minutes * MINUTE;
    file = content;
    await run();
  };
  for (const minute of [0, 10, 20, 30, 40, 50]) await check(minute, `User-agent: *\nDisallow: /${minute}\n`);
  await check(55, 'User-agent: *\nDisallow: /\n');
  // Fewer than six changes within the last hour.
  await check(75, 'User-agent: *\nDisallow: / # all\n');
  expect(delivered.length).toBe(6);
  await check(140, file);
  expect(delivered.length).toBe(7);
  const [last] = await repository.events(1);
  expect(last).toMatchObject({ kind: 'settled', severity: 'error', throttled: 0 });
  expect(last?.text).toContain('newly blocked: / for');
});

test('a failed delivery is repeated later, and dropped if the failure is final', async () => {
  const receipts: Receipt[] = [
    { kind: 'failed', code: 'http-status', reason: 'status 503', retryAt: null, isFinal: false },
    { kind: 'delivered' },
    { kind: 'failed', code: 'http-status', reason: 'status 410', retryAt: null, isFinal: true },
  ];
  const tried: string[] = [];
  const errors: string[] = [];
  const { repository, outbox, clock, run } = await createWorker({
    deliver: async (_target, { alerts }) => {
      tried.push(...alerts.map(({ title }) => title));
      return receipts.shift() as Receipt;
    },
    onError: (what, error) => errors.push(`${what}: ${String(error)}`),
  });
  const [first, second] = [await startSite(() => '', '127.0.0.2'), await startSite(() => '', '127.0.0.3')];
  const settings = createSettings(['log']);
  await repository.addSites([first.origin], settings, () => 0);
  await run();
  expect(await outbox.counts()).toEqual({ waiting: 1, dropped: 0 });
  // The next attempt is not due yet.
  await run();
  expect(tried.length).toBe(1);
  clock.now += MINUTE;
  await run();
  expect(await outbox.counts()).toEqual({ waiting: 0, dropped: 0 });
  await repository.addSites([second.origin], settings, () => 0);
  await run();
  expect(await outbox.counts()).toEqual({ waiting: 0, dropped: 1 });
  expect(errors).toEqual(['1 alert was not delivered: status 503', '1 alert was given up: status 410']);
  expect(tried.length).toBe(3);
});

test('the settings of the owner set the severity of an event', async () => {
  let file = 'User-agent: *\nDisallow: /a\n';
  const site = await startSite(() => file);
  const { repository, clock, run } = await createWorker();
  const severity = { blocked: 'info', allowed: 'error' } as const;
  const settings = { ...createSettings([]), every: 5 * MINUTE, agents: ['Googlebot'], severity };
  await repository.addSites([site.origin], settings, () => 0);
  for (const next of [`${file}Disallow: /b\n`, file]) {
    await run();
    file = next;
    clock.now += 6 * MINUTE;
  }
  await run();
  expect((await repository.events(10)).map(({ kind, severity: how }) => [kind, how])).toEqual([
    ['restored', 'error'],
    ['blocked', 'info'],
    ['first', 'info'],
  ]);
});
