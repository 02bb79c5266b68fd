/** Leases of sites and notifications: other workers take over within seconds, independent of the clocks of the workers. */
import { rawSql, sql } from '@maycrawl/client/internal';
import { expect, test } from 'vitest';
import { refetchRobotsTxt } from '../../../client/src/robots/fetch.ts';
import { serve } from '../../../client/test/support/server.ts';
import { postpone } from '../../src/watch/storage/attempts.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { LEASE_TIME } from '../../src/watch/storage/rows.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { createFile, createSettings, recordCheck } from '../support/recorded-checks.ts';
import { describeKinds, withLeaseTime } from '../support/watch-databases.ts';
import { workOnce } from '../support/work-once.ts';

const NOW = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const SITE = 'https://a.example';

describeKinds((withDatabase) => {
  test('the sites and notifications of a crashed worker are claimed again after 15 seconds at most', () =>
    withDatabase(async (database) => {
      let time = NOW;
      const timed = withLeaseTime(database, () => time);
      const [repository, outbox] = [new SiteRepository(timed), new Outbox(timed)];
      await repository.addSites([SITE], createSettings(['log']), () => NOW);
      await recordCheck(database, SITE, NOW, createFile(1));
      const later = NOW + 10 * 86_400_000;
      const claim = async (owner: string): Promise<number[]> => [
        (await repository.claimDue(owner, later, 10)).length,
        (await outbox.claim(owner, later, 10)).length,
      ];
      expect(await claim('crashed')).toEqual([1, 1]);
      time += LEASE_TIME - 1;
      expect(await claim('other')).toEqual([0, 0]);
      time++;
      expect(await claim('other')).toEqual([1, 1]);
      expect(LEASE_TIME).toBeLessThanOrEqual(15_000);
    }));

  test('a site whose check failed is fetched again after five minutes, not when the lease expires', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      await repository.addSites([SITE], { every: 60 * MINUTE, agents: [], notify: [] }, () => NOW);
      const errors: unknown[] = [];
      await workOnce(database, {
        now: () => NOW,
        fetcher: () => Promise.reject(new Error('a failure')),
        onError: (_what, error) => errors.push(error),
      });
      expect(errors).toEqual([new Error('a failure')]);
      expect(await repository.claimDue('other', NOW + 4 * MINUTE, 10)).toEqual([]);
      expect((await repository.claimDue('other', NOW + 5 * MINUTE, 10)).length).toBe(1);
    }));

  test('a paused worker neither renews nor records sites and messages that another worker has claimed meanwhile', () =>
    withDatabase(async (database) => {
      let time = NOW;
      const timed = withLeaseTime(database, () => time);
      const [repository, outbox] = [new SiteRepository(timed), new Outbox(timed)];
      await repository.addSites([SITE], createSettings(['log']), () => NOW);
      await recordCheck(database, SITE, NOW, createFile(1));
      const later = NOW + 10 * 86_400_000;
      const sites = await repository.claimDue('paused', later, 10);
      const pending = await outbox.claim('paused', later, 10);
      time += LEASE_TIME / 2;
      await repository.renew('paused', sites);
      await outbox.renew('paused', pending);
      time += LEASE_TIME / 2;
      expect(await repository.claimDue('other', later, 10)).toEqual([]);
      expect(await outbox.claim('other', later, 10)).toEqual([]);
      time += LEASE_TIME / 2;
      const [site] = await repository.claimDue('other', later, 10);
      const [message] = await outbox.claim('other', later, 10);
      await repository.renew('paused', sites);
      await outbox.renew('paused', pending);
      const [own, current] = [sites[0], await repository.site(SITE)];
      if (!own || !site || !message) throw new Error('nothing was claimed');
      const { history, policy } = own;
      const result = { at: later, history, policy, impact: undefined, siteCheck: null, dueAt: later };
      await repository.record({ ...result, site: own });
      await postpone(timed, [own], later + MINUTE);
      await outbox.settle('paused', message, { kind: 'delivered' }, later);
      expect(await repository.site(SITE)).toEqual(current);
      expect(await outbox.counts()).toEqual({ waiting: 1, dropped: 0 });
      await repository.record({ ...result, site });
      await outbox.settle('other', message, { kind: 'delivered' }, later);
      expect(await repository.site(SITE)).toMatchObject({ checks: 2, lease_owner: null });
      expect(await outbox.counts()).toEqual({ waiting: 0, dropped: 0 });
    }));

  test.each([
    ['behind', -10 * MINUTE],
    ['ahead', 10 * MINUTE],
  ])('a worker whose clock is ten minutes %s keeps its lease while it checks a site', (_name, skew) =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      const server = await serve((_request, response) => response.end('User-agent: *\nDisallow: /a\n'));
      await repository.addSites([server.origin], createSettings([]), () => NOW - 60 * MINUTE);
      let [skewed, other] = [0, 0];
      const run = (now: number, fetch: () => Promise<void>): Promise<void> =>
        workOnce(database, {
          now: () => now,
          fetcher: async (...request) => {
            await fetch();
            return refetchRobotsTxt(...request);
          },
        });
      await run(NOW + skew, async () => {
        skewed++;
        await run(NOW, async () => void other++);
        expect(other).toBe(0);
        // Simulates that the worker crashed and its lease has expired.
        const passed = rawSql(`lease_until = lease_until - ${LEASE_TIME}`);
        await database.db.run(sql`update watch_sites set ${passed}`);
        await run(NOW, async () => void other++);
      });
      await server.close();
      expect({ skewed, other }).toEqual({ skewed: 1, other: 1 });
      expect(await repository.site(server.origin)).toMatchObject({ checks: 1, checked_at: NOW });
    }),
  );
});
