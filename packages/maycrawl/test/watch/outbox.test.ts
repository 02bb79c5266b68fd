import { sql } from '@maycrawl/client/internal';
import { expect, test } from 'vitest';
import type { Message } from '../../src/watch/message.ts';
import type { Receipt } from '../../src/watch/notifications/delivery/receipt.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { LEASE_TIME } from '../../src/watch/storage/rows.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { createFile, createSettings, recordCheck } from '../support/recorded-checks.ts';
import { describeKinds, withLeaseTime } from '../support/watch-databases.ts';
import { workOnce } from '../support/work-once.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const SITES = ['https://a.example', 'https://b.example', 'https://c.example', 'https://d.example'] as const;
const REFUSED = { kind: 'failed', code: 'http-status', reason: 'no', retryAt: null, isFinal: false } as const;

describeKinds((withDatabase) => {
  test('a message that is sent again has the same alerts, although new alerts were recorded meanwhile', () =>
    withDatabase(async (database) => {
      const [a, b, c, d] = SITES;
      const repository = new SiteRepository(database);
      await repository.addSites(SITES, createSettings(['exec:one', 'exec:two']), () => START);
      const tried: (Message & { target: string })[] = [];
      const receipts: Record<string, Receipt> = { 'exec:one': REFUSED, 'exec:two': REFUSED };
      const deliverAll = async (now: number): Promise<typeof tried> => {
        tried.length = 0;
        await deliverDue(database, {
          now: () => now,
          deliver: async (target, message) => {
            tried.push({ target, ...message });
            return receipts[target] as Receipt;
          },
        });
        return [...tried].sort((x, y) => (x.target < y.target ? -1 : 1));
      };
      await recordCheck(database, a, START, createFile(1));
      await recordCheck(database, b, START + 1, createFile(1));
      const first = await deliverAll(START + 1);
      expect(first.map(({ target, alerts }) => [target, alerts.length])).toEqual([
        ['exec:one', 2],
        ['exec:two', 2],
      ]);
      // These are of the same minute, but the message exists already.
      await recordCheck(database, c, START + 2, createFile(1));
      await recordCheck(database, d, START + 3, createFile(1));
      receipts['exec:two'] = { kind: 'delivered' };
      const second = await deliverAll(START + MINUTE);
      const again = second.filter(({ id }) => id === first[0]?.id);
      expect(again).toEqual(first);
      const late = second.filter(({ id }) => id !== first[0]?.id);
      expect(late.map(({ target, alerts }) => [target, alerts.map(({ origin }) => origin)])).toEqual([
        ['exec:one', [c, d]],
        ['exec:two', [c, d]],
      ]);
      // Both are sent again to one of the two targets, still as two messages.
      receipts['exec:one'] = { kind: 'delivered' };
      const third = await deliverAll(START + 10 * MINUTE);
      expect(third.sort((x, y) => x.alerts.length - y.alerts.length || (x.id < y.id ? -1 : 1))).toEqual(
        second.filter(({ target }) => target === 'exec:one').sort((x, y) => (x.id < y.id ? -1 : 1)),
      );
      expect(await new Outbox(database).counts()).toEqual({ waiting: 0, dropped: 0 });
    }));

  test('all alerts of a message are claimed together, also by concurrent workers', () =>
    withDatabase(async (database) => {
      let time = START;
      const timed = withLeaseTime(database, () => time);
      const [repository, outbox] = [new SiteRepository(database), new Outbox(timed)];
      await repository.addSites(SITES, createSettings(['exec:one']), () => START);
      for (const origin of SITES) await recordCheck(database, origin, START, createFile(1));
      const [pending, ...others] = await outbox.claim('first', START, 10);
      expect([pending?.message.alerts.length, others.length]).toEqual([4, 0]);
      if (pending === undefined) return;
      // No other worker gets it until the lease has expired. Then the first worker gets all alerts, although its limit is one.
      expect(await outbox.claim('second', START, 10)).toEqual([]);
      time += LEASE_TIME;
      const claims = ['second', 'third', 'fourth'].map((owner) =>
        new Outbox(timed).claim(owner, START + 1, 1),
      );
      expect((await Promise.all(claims)).flat()).toEqual([pending]);
      // The result of the first worker is too late.
      await outbox.settle('first', pending, { kind: 'delivered' }, START + 1);
      expect(await outbox.counts()).toEqual({ waiting: 4, dropped: 0 });
    }));

  test('a delivery that is aborted because the program stops does not count as an attempt', () =>
    withDatabase(async (database) => {
      const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
      await repository.addSites(SITES.slice(0, 1), createSettings(['exec:one']), () => START);
      await recordCheck(database, SITES[0], START, createFile(1));
      const controller = new AbortController();
      await deliverDue(database, {
        ...{ signal: controller.signal, now: () => START, once: false },
        deliver: async () => {
          controller.abort(new Error('stopped'));
          return { ...REFUSED, code: 'aborted', reason: 'the delivery was aborted' };
        },
      });
      // The next worker can claim it immediately, as if it had never been claimed.
      const [row] = await database.db.all(sql`select * from watch_outbox`);
      expect(row).toMatchObject({ attempts: 0, next_at: START, error: null, lease_owner: null });
      const [next] = await outbox.claim('next', START, 10);
      expect(next?.attempts).toBe(0);
    }));

  test('messages behind a slow delivery are delivered in the next round', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      await repository.addSites(SITES.slice(0, 1), createSettings(['exec:slow']), () => START);
      // The alerts of three minutes are three messages.
      for (const minute of [0, 1, 2])
        await recordCheck(database, SITES[0], START + minute * MINUTE, createFile(minute));
      let now = START + 10 * MINUTE;
      let delivered = 0;
      await deliverDue(database, {
        now: () => now,
        deliver: async () => {
          now += 6_000;
          delivered++;
          return { kind: 'delivered' };
        },
      });
      expect(delivered).toBe(3);
      expect(now).toBe(START + 10 * MINUTE + 18_000);
    }));

  test('messages behind a slow failure wait as long as the one that failed', () =>
    withDatabase(async (database) => {
      await new SiteRepository(database).addSites(
        SITES.slice(0, 1),
        createSettings(['exec:slow']),
        () => START,
      );
      for (const minute of [0, 1, 2])
        await recordCheck(database, SITES[0], START + minute * MINUTE, createFile(minute));
      let now = START + 10 * MINUTE;
      let receipt: Receipt = REFUSED;
      const tried: string[] = [];
      const deliverAll = (): Promise<void> =>
        deliverDue(database, {
          now: () => now,
          deliver: async (_target, { alerts }) => {
            tried.push(...alerts.map(({ title }) => title));
            if (receipt === REFUSED) now += 6_000;
            return receipt;
          },
        });
      await deliverAll();
      expect(tried.length).toBe(1);
      const next = (await new Outbox(database).nextAt()) ?? 0;
      expect(next).toBeGreaterThan(now);
      [now, receipt] = [next, { kind: 'delivered' }];
      await deliverAll();
      expect(tried.length).toBe(4);
    }));

  test('missing or damaged rows of events do not prevent the delivery of other messages', () =>
    withDatabase(async (database) => {
      const [a, b, c] = SITES;
      const outbox = new Outbox(database);
      await new SiteRepository(database).addSites(SITES, createSettings(['exec:one']), () => START);
      const lost = await recordCheck(database, a, START, createFile(1));
      const damaged = await recordCheck(database, b, START, createFile(1));
      const good = await recordCheck(database, c, START, createFile(1));
      await database.db.run(sql`delete from watch_events where id = ${lost?.id ?? ''}`);
      await database.db.run(sql`update watch_events set details = '{' where id = ${damaged?.id ?? ''}`);
      const [pending] = await outbox.claim('first', START, 10);
      expect(pending?.message.alerts.map(({ id }) => id).sort()).toEqual([damaged?.id, good?.id].sort());
      // Otherwise it would be due forever.
      expect(await outbox.counts()).toEqual({ waiting: 2, dropped: 0 });
    }));

  test('messages that another worker has claimed do not determine the time of the next delivery', () =>
    withDatabase(async (database) => {
      let time = START;
      const outbox = new Outbox(withLeaseTime(database, () => time));
      await new SiteRepository(database).addSites(
        SITES.slice(0, 1),
        createSettings(['exec:one']),
        () => START,
      );
      await recordCheck(database, SITES[0], START, createFile(1));
      expect(await outbox.nextAt()).toBe(START);
      await outbox.claim('first', START, 10);
      expect(await outbox.nextAt()).toBe(null);
      time += LEASE_TIME;
      expect(await outbox.nextAt()).toBe(START);
    }));
});

/** Runs a worker while no site is due. */
const deliverDue = (...[database, options]: Parameters<typeof workOnce>): Promise<void> =>
  workOnce(database, {
    fetcher: () => Promise.reject(new Error('no site is due')),
    onError: () => {},
    ...options,
  });
