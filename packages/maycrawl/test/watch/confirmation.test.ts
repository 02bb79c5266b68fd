/** A failure is checked again before it is reported; other changes are reported immediately. */
import { expect, test } from 'vitest';
import { withFailure, withResponse } from '../../../client/src/robots/history.ts';
import { createFailure, createResponse } from '../../../client/test/support/histories.ts';
import { serve } from '../../../client/test/support/server.ts';
import type { SiteState } from '../../src/watch/analysis/site-state.ts';
import { getPolicyAt } from '../../src/watch/analysis/site-state.ts';
import { getUnconfirmed } from '../../src/watch/confirmation.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { describeKinds } from '../support/watch-databases.ts';
import { workOnce } from '../support/work-once.ts';

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const FILE = 'User-agent: *\nDisallow: /a\n';

describeKinds((withDatabase) => {
  test.each([
    ['a failure that ends before it is confirmed is not reported', [503, FILE], 120_000, 2, []],
    [
      'a failure that continues is reported once, as one that began with the first',
      [503, 503],
      120_000,
      2,
      ['unreachable'],
    ],
    ['an HTML page is a failure', ['<html>', '<html>'], 120_000, 2, ['no-text']],
    ['a failure that becomes another one is confirmed', [404, 503], 120_000, 2, ['unreachable']],
    ['a changed file is reported immediately', [`${FILE}Disallow: /b\n`], 120_000, 1, ['blocked']],
    ['with 0 a failure is reported immediately', [503], 0, 1, ['unreachable']],
  ] as const)('%s', (_title, responses, confirm, requests, kinds) =>
    withDatabase(async (database) => {
      let current: readonly (string | number)[] = [FILE];
      let count = 0;
      const site = await serve((_request, reply) => {
        const response = current[Math.min(count++, current.length - 1)];
        if (typeof response === 'number') reply.writeHead(response).end();
        else reply.end(response);
      });
      const repository = new SiteRepository(database);
      await repository.addSites([site.origin], { every: HOUR, confirm, agents: [], notify: [] }, () => NOW);
      let now = NOW;
      const run = (): Promise<void> =>
        workOnce(database, {
          now: () => now,
          sleep: async (milliseconds) => {
            now += milliseconds;
          },
        });
      await run();
      now = NOW + 2 * HOUR;
      [current, count] = [responses, 0];
      await run();
      expect(count).toBe(requests);
      const events = (await repository.events(10)).reverse().slice(1);
      expect(events.map((event) => event.kind)).toEqual(kinds);
      if (kinds[0] === 'unreachable' && responses[0] === 503)
        expect(JSON.parse(events[0]?.details ?? '')).toMatchObject({
          since: NOW + 2 * HOUR,
          failures: requests,
        });
      // A check after the failure finds nothing else to report.
      now += HOUR + 1;
      await repository.recheckSites([site.origin], now);
      await run();
      expect((await repository.events(10)).length).toBe(1 + kinds.length);
      await site.close();
    }),
  );
});

test('a failure with short intervals is confirmed also by a late check, but not by one after half an hour', () => {
  const before = withResponse(createResponse(NOW - HOUR, { bytes: Buffer.from(FILE), staleAt: NOW }));
  const isUnconfirmed = (minutes: number): boolean => {
    const at = NOW + minutes * 60_000;
    const history = withFailure(before, createFailure(at, { code: 'timeout', status: null }));
    const [old, current] = [before, history].map((each) => ({
      history: each,
      policy: getPolicyAt(each, at),
    }));
    const failure = { at: NOW, failure: 'unreachable' } as const;
    return getUnconfirmed(old as SiteState, current as SiteState, at, failure, 60_000) !== undefined;
  };
  expect([1, 3, 30, 31].map(isUnconfirmed)).toEqual([false, false, false, true]);
});
