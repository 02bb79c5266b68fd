import { sql } from '@maycrawl/client/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Receipt } from '../../src/watch/notifications/delivery/receipt.ts';
import type { Message } from '../../src/watch/notifications/messages/message.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { LEASE_TIME } from '../../src/watch/storage/rows.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { work } from '../../src/watch/worker.ts';
import { analyseHere } from '../support/analysing.ts';
import { fileOf, see, settingsFor } from '../support/seen.ts';
import {
  KINDS,
  startKind,
  type TestedKind,
  withDatabase,
  withLeaseTime,
} from '../support/watch-databases.ts';

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const SITES = ['https://a.example', 'https://b.example', 'https://c.example', 'https://d.example'] as const;
const REFUSED = { kind: 'failed', code: 'http-status', reason: 'no', retryAt: null, isFinal: false } as const;

describe.each(KINDS)('%s', (name) => {
  let kind: TestedKind;
  beforeAll(async () => {
    kind = await startKind(name);
  }, 60_000);
  afterAll(() => kind.end());

  test('a message that is told again is the same, whatever has come meanwhile', () =>
    withDatabase(kind, async (database) => {
      const [a, b, c, d] = SITES;
      const repository = new SiteRepository(database);
      await repository.addSites(SITES, settingsFor(['exec:one', 'exec:two']), () => START);
      const tried: (Message & { target: string })[] = [];
      const answers: Record<string, Receipt> = { 'exec:one': REFUSED, 'exec:two': REFUSED };
      const tell = async (now: number): Promise<typeof tried> => {
        tried.length = 0;
        await work({
          ...{
            repository,
            outbox: new Outbox(database),
            fetcher: neverAsked,
            analyse: analyseHere,
            userAgent: '',
            timeout: 1,
          },
          ...{ allowPrivate: true, signal: new AbortController().signal, now: () => now, random: () => 0 },
          ...{ once: true, sleep: async () => {} },
          deliver: async (target, message) => {
            tried.push({ target, ...message });
            return answers[target] as Receipt;
          },
        });
        return [...tried].sort((x, y) => (x.target < y.target ? -1 : 1));
      };
      await see(database, a, START, fileOf(1));
      await see(database, b, START + 1, fileOf(1));
      const first = await tell(START + 1);
      expect(first.map(({ target, alerts }) => [target, alerts.length])).toEqual([
        ['exec:one', 2],
        ['exec:two', 2],
      ]);
      // Of the same minute, but too late.
      await see(database, c, START + 2, fileOf(1));
      await see(database, d, START + 3, fileOf(1));
      answers['exec:two'] = { kind: 'delivered' };
      const second = await tell(START + MINUTE);
      const again = second.filter(({ id }) => id === first[0]?.id);
      expect(again).toEqual(first);
      const late = second.filter(({ id }) => id !== first[0]?.id);
      expect(late.map(({ target, alerts }) => [target, alerts.map(({ origin }) => origin)])).toEqual([
        ['exec:one', [c, d]],
        ['exec:two', [c, d]],
      ]);
      // Both are tried again at one of the two targets: as two messages still.
      answers['exec:one'] = { kind: 'delivered' };
      const third = await tell(START + 10 * MINUTE);
      expect(third.sort((x, y) => x.alerts.length - y.alerts.length || (x.id < y.id ? -1 : 1))).toEqual(
        second.filter(({ target }) => target === 'exec:one').sort((x, y) => (x.id < y.id ? -1 : 1)),
      );
      expect(await new Outbox(database).counts()).toEqual({ waiting: 0, dropped: 0 });
    }));

  test('all alerts of a message are taken on together, also by several workers', () =>
    withDatabase(kind, async (database) => {
      let time = START;
      const timed = withLeaseTime(database, () => time);
      const [repository, outbox] = [new SiteRepository(database), new Outbox(timed)];
      await repository.addSites(SITES, settingsFor(['exec:one']), () => START);
      for (const origin of SITES) await see(database, origin, START, fileOf(1));
      const [pending, ...others] = await outbox.claim('first', START, 10);
      expect([pending?.message.alerts.length, others.length]).toEqual([4, 0]);
      if (pending === undefined) return;
      // Nobody else gets it until the lease has run out, and then whoever is first gets all of it, however little was asked for.
      expect(await outbox.claim('second', START, 10)).toEqual([]);
      time += LEASE_TIME;
      const claims = ['second', 'third', 'fourth'].map((owner) =>
        new Outbox(timed).claim(owner, START + 1, 1),
      );
      expect((await Promise.all(claims)).flat()).toEqual([pending]);
      // What the first has to say comes too late.
      await outbox.settle('first', pending, { kind: 'delivered' }, START + 1);
      expect(await outbox.counts()).toEqual({ waiting: 4, dropped: 0 });
    }));

  test('a delivery that is broken off because the program stops is no try', () =>
    withDatabase(kind, async (database) => {
      const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
      await repository.addSites(SITES.slice(0, 1), settingsFor(['exec:one']), () => START);
      await see(database, SITES[0], START, fileOf(1));
      const controller = new AbortController();
      await work({
        ...{
          repository,
          outbox,
          fetcher: neverAsked,
          analyse: analyseHere,
          userAgent: '',
          timeout: 1,
          allowPrivate: true,
        },
        ...{ signal: controller.signal, now: () => START, random: () => 0, sleep: async () => {} },
        deliver: async () => {
          controller.abort(new Error('stopped'));
          return { ...REFUSED, code: 'aborted', reason: 'the delivery was broken off' };
        },
      });
      // It is there at once for whoever comes next, as if nothing had been.
      const [row] = await database.db.all(sql`select * from watch_outbox`);
      expect(row).toMatchObject({ attempts: 0, next_at: START, error: null, lease_owner: null });
      const [next] = await outbox.claim('next', START, 10);
      expect(next?.attempts).toBe(0);
    }));

  test('messages behind a slow target are delivered in the next turn', () =>
    withDatabase(kind, async (database) => {
      const repository = new SiteRepository(database);
      await repository.addSites(SITES.slice(0, 1), settingsFor(['exec:slow']), () => START);
      // Of three minutes, so they are three messages.
      for (const minute of [0, 1, 2]) await see(database, SITES[0], START + minute * MINUTE, fileOf(minute));
      let now = START + 10 * MINUTE;
      let delivered = 0;
      await work({
        ...{
          repository,
          outbox: new Outbox(database),
          fetcher: neverAsked,
          analyse: analyseHere,
          userAgent: '',
          timeout: 1,
          allowPrivate: true,
        },
        ...{ signal: new AbortController().signal, now: () => now, random: () => 0 },
        ...{ once: true, sleep: async () => {} },
        deliver: async () => {
          now += 6_000;
          delivered++;
          return { kind: 'delivered' };
        },
      });
      expect(delivered).toBe(3);
      expect(now).toBe(START + 10 * MINUTE + 18_000);
    }));

  test('rows of events that are lost or damaged keep no other message from being delivered', () =>
    withDatabase(kind, async (database) => {
      const [a, b, c] = SITES;
      const outbox = new Outbox(database);
      await new SiteRepository(database).addSites(SITES, settingsFor(['exec:one']), () => START);
      const lost = await see(database, a, START, fileOf(1));
      const damaged = await see(database, b, START, fileOf(1));
      const good = await see(database, c, START, fileOf(1));
      await database.db.run(sql`delete from watch_events where id = ${lost?.id ?? ''}`);
      await database.db.run(sql`update watch_events set details = '{' where id = ${damaged?.id ?? ''}`);
      const [pending] = await outbox.claim('first', START, 10);
      expect(pending?.message.alerts.map(({ id }) => id).sort()).toEqual([damaged?.id, good?.id].sort());
      // Else it would be due for ever.
      expect(await outbox.counts()).toEqual({ waiting: 2, dropped: 0 });
    }));

  test('what somebody else tells is not waited for', () =>
    withDatabase(kind, async (database) => {
      let time = START;
      const outbox = new Outbox(withLeaseTime(database, () => time));
      await new SiteRepository(database).addSites(SITES.slice(0, 1), settingsFor(['exec:one']), () => START);
      await see(database, SITES[0], START, fileOf(1));
      expect(await outbox.nextAt()).toBe(START);
      await outbox.claim('first', START, 10);
      expect(await outbox.nextAt()).toBe(null);
      time += LEASE_TIME;
      expect(await outbox.nextAt()).toBe(START);
    }));
});

async function neverAsked(): Promise<never> {
  throw new Error('no site is due');
}
