import { expect, test } from 'vitest';
import { refetchRobotsTxt } from '../../../client/src/robots/fetch.ts';
import { serve } from '../../../client/test/support/server.ts';
import type { Activity } from '../../src/watch/activity.ts';
import type { Receipt } from '../../src/watch/notifications/delivery/receipt.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { createSettings, DAY } from '../support/recorded-checks.ts';
import { openTestDatabase } from '../support/watch-databases.ts';
import { workOnce } from '../support/work-once.ts';

const NOW = Date.UTC(2026, 0, 1);
const PASS: Activity = { kind: 'pass' };

test('a worker reports each check, each attempt of a delivery and each pass', async () => {
  const database = await openTestDatabase();
  let status = 200;
  const site = await serve((_request, response) => {
    response.statusCode = status;
    response.end('User-agent: *\nDisallow: /a\n');
  });
  const repository = new SiteRepository(database);
  const settings = { ...createSettings(['log']), confirm: 60_000 };
  await repository.addSites([site.origin], settings, () => NOW);
  const work = async (options: Partial<Parameters<typeof workOnce>[1]> = {}): Promise<Activity[]> => {
    let time = NOW;
    const activities: Activity[] = [];
    await workOnce(database, {
      now: () => time++,
      onActivity: (activity) => activities.push(activity),
      ...options,
    });
    return activities;
  };
  const check = (result: string): unknown => ({
    ...{ kind: 'check', result },
    milliseconds: expect.any(Number),
  });
  const receipt: Receipt = {
    ...({ kind: 'failed', code: 'network', reason: 'refused' } as const),
    ...{ retryAt: NOW + DAY, isFinal: false },
  };
  const makeDue = (): Promise<number> => repository.recheckSites([site.origin], NOW);

  expect(await work({ deliver: async () => receipt, onError: () => {} })).toEqual([
    check('changed'),
    { kind: 'delivery', result: 'postponed' },
    PASS,
    PASS,
  ]);
  await makeDue();
  expect(await work()).toEqual([check('unchanged'), PASS, PASS]);
  await makeDue();
  status = 503;
  const controller = new AbortController();
  const unconfirmed = await work({ signal: controller.signal, onUnconfirmed: () => controller.abort() });
  expect(unconfirmed[0]).toEqual(check('unconfirmed'));
  await makeDue();
  const failed = await work({ onError: () => {}, fetcher: () => Promise.reject(new Error('a failure')) });
  expect(failed).toEqual([check('failed'), PASS, PASS]);
  expect(await work({ fetcher: refetchRobotsTxt })).toEqual([PASS]);
  await site.close();
});
