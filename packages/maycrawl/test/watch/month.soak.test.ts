/** A month of a site with real sockets and a clock of its own: every event, read as its owner reads it. */
import { sql } from '@maycrawl/client/internal';
import { expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import type { SiteSettings } from '../../src/watch/site.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { describeKinds } from '../support/watch-databases.ts';
import { HOUR, MONTH, type MonthState, START, sendMonth, URLS } from '../support/watched-month.ts';
import { workOnce } from '../support/work-once.ts';

describeKinds((withDatabase) => {
  test('a month of a site has the expected events, messages and versions', () =>
    withDatabase(async (database) => {
      let current = MONTH[0] as MonthState;
      let count = 0;
      const site = await serve(({ url }, reply) => {
        const other = site.origin.replace('127.0.0.1', 'localhost');
        if (url === '/robots.txt') count++;
        sendMonth(current.response, { url, count, other }, reply);
      });
      const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
      let now = START;
      const urls = await repository.storeText('urls.txt', URLS);
      const settings: SiteSettings = {
        ...{ every: 3 * HOUR, agents: ['Googlebot', 'bingbot', 'GPTBot'], urls, notify: ['log', 'feed:x'] },
      };
      await repository.addSites([site.origin], settings, () => START);
      const delivered: { target: string; title: string }[] = [];
      const run = (): Promise<void> =>
        workOnce(database, {
          now: () => now,
          sleep: async (milliseconds) => {
            now += milliseconds;
          },
          deliver: async (target, { alerts }) => {
            delivered.push(...alerts.map(({ title }) => ({ target, title })));
            return { kind: 'delivered' };
          },
        });
      let known = 0;
      const month: object[] = [];
      for (const each of MONTH) {
        [current, count] = [each, 0];
        // The first check in each state is the next one that is due.
        const end = now + each.lasts;
        while (now < end) {
          await run();
          now = Math.max(now, (await repository.nextDue()) ?? now);
        }
        const events = (await repository.events(1_000, site.origin)).reverse().slice(known);
        known += events.length;
        const anonymize = (text: string): string =>
          text
            .replace(`${site.origin}: `, '')
            .replaceAll(site.origin, 'SITE')
            .replaceAll(site.origin.replace('127.0.0.1', 'localhost'), 'OTHER')
            // The times of checks depend on the port.
            .replace(/as before [A-Z][a-z]+ \d+(?:, \d{4})?/, 'as before DAY')
            .replace(/(after|for) \d+ hours/, '$1 N hours');
        for (const { title, text } of events) expect(text, title).not.toBe('');
        const read = events.map(({ severity, title }) => [severity, anonymize(title)]);
        month.push({
          name: each.name,
          // The number of checks depends on the port.
          events: read.filter((event, index) => event.join() !== read[index - 1]?.join()),
        });
      }
      expect(month).toEqual(MONTH.map(({ name: title, events }) => ({ name: title, events })));
      // Each event is delivered once to each target, in order, except those of formatting only.
      const stored = (await repository.events(1_000)).reverse();
      const titles = stored.filter(({ kind }) => kind !== 'formatting').map(({ title }) => title);
      expect(titles.length).toBeLessThan(stored.length - 12);
      for (const target of ['log', 'feed:x'])
        expect(delivered.filter((each) => each.target === target).map(({ title }) => title)).toEqual(titles);
      expect(await outbox.counts()).toEqual({ waiting: 0, dropped: 0 });
      // The same content is stored once, and versions with the same file refer to the first one.
      const versions = (await repository.versions(site.origin)).reverse();
      expect(versions.map(({ number }) => number)).toEqual(versions.map((_, index) => index + 1));
      const { length } = await database.db.all(sql`select hash from watch_contents`);
      expect(length).toBe(new Set(versions.flatMap(({ hash }) => hash ?? [])).size + 1);
      for (const { hash, same_as } of versions)
        expect(same_as).toBe(hash === null ? null : versions.find((each) => each.hash === hash)?.number);
      await site.close();
    }));
});
