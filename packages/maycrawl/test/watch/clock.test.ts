/** A clock that was ahead and is set back: the monitor continues immediately, without waiting until the wrong times. */
import { sql } from '@maycrawl/client/internal';
import { expect, test } from 'vitest';
import { AuditRepository, type ClaimedAudit } from '../../src/watch/audits/audit-repository.ts';
import { correctTimes } from '../../src/watch/storage/database.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { createFile, createSettings, DAY, recordCheck } from '../support/recorded-checks.ts';
import { describeKinds } from '../support/watch-databases.ts';
import { workOnce } from '../support/work-once.ts';

const NOW = Date.UTC(2026, 0, 1);
const WRONG = NOW + 5_000 * DAY;
const SITE = 'https://a.example';

describeKinds((withDatabase) => {
  test('after its clock is set back, a worker checks sites whose last check, claim or delivery time is in the future', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      await repository.addSites([SITE], createSettings(['log']), () => NOW);
      await recordCheck(database, SITE, WRONG, createFile(1));
      await database.db.run(sql`update watch_sites set lease_owner = 'killed', lease_until = ${WRONG}`);
      await database.db.run(
        sql`update watch_outbox set lease_owner = 'killed', lease_until = ${WRONG}, next_at = ${WRONG}`,
      );
      let [fetched, delivered] = [0, 0];
      await workOnce(database, {
        now: () => NOW,
        onError: () => {},
        fetcher: async () => {
          fetched++;
          throw new Error('no network');
        },
        deliver: async () => {
          delivered++;
          return { kind: 'delivered' };
        },
      });
      expect({ fetched, delivered }).toEqual({ fetched: 1, delivered: 1 });
    }));

  test('an audit that was recorded with a time in the future is due', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      await repository.addSites([SITE], createSettings([]), () => NOW);
      const audits = new AuditRepository(database);
      const plan = { agents: ['Googlebot'] };
      const settings = { every: DAY, start: `${SITE}/`, plan, alertUrls: 1, errorShare: 5, keepRuns: 2 };
      await audits.schedule([SITE], () => settings, NOW);
      const audit = (await audits.claim('worker', WRONG)) as ClaimedAudit;
      const result = { run: 'run', failure: null, impacts: [] };
      await audits.record(audit, { ...result, at: WRONG, dueAt: WRONG + DAY });
      expect(await audits.claim('worker', NOW)).toBe(undefined);
      await correctTimes(database, NOW);
      expect((await audits.claim('worker', NOW))?.origin).toBe(SITE);
    }));

  test('changes that were recorded with a time in the future do not throttle later ones', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      await repository.addSites([SITE], createSettings([]), () => NOW);
      for (let i = 0; i < 7; i++) await recordCheck(database, SITE, WRONG + i, createFile(i));
      expect((await recordCheck(database, SITE, NOW, createFile(8)))?.throttled).toBe(0);
    }));

  test('check times slightly in the future and current leases are not corrected', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      await repository.addSites([SITE], createSettings([]), () => NOW);
      await recordCheck(database, SITE, NOW + 60_000, createFile(1));
      await correctTimes(database, NOW);
      expect(await repository.claimDue('worker', NOW, 10)).toEqual([]);
      const later = NOW + 2 * DAY;
      expect((await repository.claimDue('worker', later, 10)).length).toBe(1);
      await correctTimes(database, later);
      expect(await repository.claimDue('other', later, 10)).toEqual([]);
    }));
});
