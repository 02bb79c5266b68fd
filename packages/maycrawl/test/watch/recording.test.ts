import { sql } from '@maycrawl/client/internal';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import type { Impact } from '../../src/watch/analysis/impact/impact-types.ts';
import { AuditRepository, type ClaimedAudit } from '../../src/watch/audits/audit-repository.ts';
import type { WatchDatabase } from '../../src/watch/storage/database.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import type { WorkerOptions } from '../../src/watch/worker.ts';
import { createFile, createSettings, recordCheck } from '../support/recorded-checks.ts';
import { describeKinds } from '../support/watch-databases.ts';
import { workOnce } from '../support/work-once.ts';

const HOUR = 3_600_000;
const OPEN = 'User-agent: *\nAllow: /\n';
const CLOSED = 'User-agent: *\nDisallow: /\n';

let site: TestServer;
let file: string;
let now: number;

beforeEach(async () => {
  file = OPEN;
  now = Date.UTC(2026, 0, 1);
  site = await serve((_request, response) => response.end(file));
});
afterEach(() => site.close());

/** One run of a worker, as `watch run --once`. @returns the errors. */
async function run(database: WatchDatabase, overrides: Partial<WorkerOptions> = {}): Promise<string[]> {
  const errors: string[] = [];
  await workOnce(database, {
    now: () => now,
    onError: (what, error) => errors.push(`${what}: ${(error as Error).message}`),
    ...overrides,
  });
  now += 2 * HOUR;
  return errors;
}

describeKinds((withDatabase) => {
  test('a change is recorded if the URLs and tests of the owner contain unusual characters', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      const urls = await repository.storeText('urls.txt', `${site.origin}/a\0b\n`);
      const tests = await repository.storeText('tests.yaml', '- agent: Googlebot\n  allow: ["/c\\0d"]\n');
      await repository.addSites([site.origin], { ...createSettings([]), every: HOUR, urls, tests }, () => 1);
      expect(await run(database)).toEqual([]);
      file = CLOSED;
      expect(await run(database)).toEqual([]);
      const [event] = await repository.events(1);
      expect(event?.text).toContain(`: ${site.origin}/a\\x00b`);
      expect(event?.text).toContain('/c\\x00d');
    }));

  test('events of a scheduled audit do not throttle the next change of the file', () =>
    withDatabase(async (database) => {
      const origin = 'https://a.example';
      await new SiteRepository(database).addSites([origin], createSettings(['log']), () => now);
      await recordCheck(database, origin, now, createFile(1));
      const audits = new AuditRepository(database);
      const plan = { agents: ['Googlebot'] };
      const settings = {
        every: 24 * HOUR,
        start: `${origin}/`,
        plan,
        alertUrls: 1,
        errorShare: 5,
        keepRuns: 2,
      };
      await audits.schedule([origin], () => settings, now);
      const audit = (await audits.claim('worker', now)) as ClaimedAudit;
      const impact: Impact = {
        ...{ kind: 'not-indexable', aspects: ['not-indexable'], severity: 'warning' },
        ...{ title: 'URLs are not indexable', text: '', details: {} },
      };
      const impacts = Array.from({ length: 7 }, () => impact);
      const at = now + 2 * HOUR;
      await audits.record(audit, { at, run: 'run', failure: null, impacts, dueAt: at + 24 * HOUR });
      expect((await recordCheck(database, origin, at + 1, createFile(2)))?.throttled).toBe(0);
    }));

  test('a shorter interval applies immediately, and a longer one does not postpone the next check', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      const origin = 'https://a.example';
      const change = async (every: number): Promise<number | undefined> => {
        await repository.addSites([origin], { ...createSettings([]), every }, () => now);
        return (await repository.site(origin))?.due_at;
      };
      await change(24 * HOUR);
      await recordCheck(database, origin, now, createFile(1));
      expect(await change(48 * HOUR)).toBe(now + 24 * HOUR);
      expect(await change(HOUR)).toBe(now + HOUR);
    }));

  test('a site is not set aside if the database could not be written', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      await repository.addSites([site.origin], { ...createSettings([]), every: HOUR }, () => 1);
      expect(await run(database)).toEqual([]);
      file = CLOSED;
      const failing = new (class extends SiteRepository {
        override async record(): Promise<never> {
          throw new Error('database is locked');
        }
      })(database);
      for (let failure = 0; failure < 3; failure++) {
        expect(await run(database, { repository: failing })).toEqual([
          `${site.origin} was not checked: database is locked`,
        ]);
        // The worker was killed, and its lease has expired.
        await database.db.run(sql`update watch_sites set lease_owner = 'dead', lease_until = 1`);
      }
      expect(await run(database)).toEqual([]);
      expect((await repository.events(10)).map(({ kind }) => kind)).toEqual(['root-blocked', 'first']);
    }));

  test('a target that fails slowly does not prevent the check of sites', () =>
    withDatabase(async (database) => {
      const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
      await repository.addSites(['https://a.example'], createSettings(['exec:slow']), () => now);
      for (let at = 0; at < 5; at++) {
        await recordCheck(database, 'https://a.example', now + at, createFile(at));
        const [pending] = await outbox.claim('before', now + at, 1);
        if (pending === undefined) throw new Error('there is no message');
        const until = now + 10_000;
        await outbox.settle('before', pending, { kind: 'postponed', until, reason: '' }, now + at);
      }
      now += 10_000;
      await repository.addSites([site.origin], createSettings([]), () => now + 5_000);
      const order: string[] = [];
      await run(database, {
        deliver: async () => {
          order.push('deliver');
          now += 10_000;
          return { kind: 'failed', code: 'timeout', reason: 'slow', retryAt: null, isFinal: false };
        },
        onChecked: () => order.push('check'),
      });
      expect(order).toEqual(['deliver', 'check']);
      // No message is lost.
      expect(await outbox.counts()).toEqual({ waiting: 5, dropped: 0 });
      now += 24 * HOUR;
      await run(database);
      expect(await outbox.counts()).toEqual({ waiting: 0, dropped: 0 });
    }));

  test(
    'sites above the maximum number of SQL parameters are checked and removed',
    () =>
      withDatabase(async (database) => {
        const repository = new SiteRepository(database);
        const origins = Array.from({ length: 70_000 }, (_, at) => `https://host${at}.example`);
        await repository.addSites(
          ['https://host1.example', 'https://host69999.example'],
          createSettings([]),
          () => 1,
        );
        expect(await repository.recheckSites(origins, now)).toBe(2);
        expect(await repository.removeSites(origins)).toBe(2);
        expect(await repository.counts(now)).toEqual({ sites: 0, due: 0, nextDue: null });
      }),
    60_000,
  );
});
