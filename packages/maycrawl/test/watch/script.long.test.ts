import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@maycrawl/client/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refetchRobotsTxt } from '../../../client/src/robots/fetch.ts';
import { findPostgres, startPostgres, type TestDatabase } from '../../../client/test/support/postgres.ts';
import { serve } from '../../../client/test/support/server.ts';
import type { SiteSettings } from '../../src/watch/site.ts';
import { openWatchDatabase, type WatchDatabase } from '../../src/watch/storage/database.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { work } from '../../src/watch/worker.ts';
import { analyseHere } from '../support/analysis.ts';
import { answerWith, HOUR, START, STEPS, type Step } from '../support/watched-site.ts';

const postgres = await findPostgres();

describe.each(['SQLite', 'PostgreSQL'])('%s', (kind) => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-watch-'));
  let server: TestDatabase | undefined;
  let database: WatchDatabase;
  beforeAll(async () => {
    if (kind === 'PostgreSQL' && postgres !== undefined) server = await startPostgres(postgres);
    database = await openWatchDatabase((await server?.create('watch')) ?? join(folder, 'watch.sqlite'));
  }, 60_000);
  afterAll(async () => {
    await database.db.close();
    await server?.destroy();
    rmSync(folder, { recursive: true });
  });

  test.skipIf(kind === 'PostgreSQL' && postgres === undefined)(
    'a site with twenty states has the expected versions, events, severities and messages',
    async () => {
      let step = STEPS[0] as Step;
      const site = await serve(({ url = '' }, response) => answerWith(step.answer, url, response));
      const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
      let now = START;
      const urls = await repository.storeText('urls.txt', '/shop/a\n/shop/b\n# comment\n/about\n');
      const settings: SiteSettings = { every: HOUR, agents: [], urls, notify: ['log', 'feed:x'] };
      await repository.addSites([site.origin], settings, () => START);
      const delivered: { target: string; title: string }[] = [];
      const run = (): Promise<void> =>
        work({
          ...{
            repository,
            outbox,
            userAgent: 'test',
            allowPrivate: true,
            timeout: 2_000,
            fetcher: refetchRobotsTxt,
            analyse: analyseHere,
          },
          signal: new AbortController().signal,
          now: () => now,
          sleep: async () => {},
          once: true,
          random: () => 0,
          deliver: async (target, { alerts }) => {
            delivered.push(...alerts.map(({ title }) => ({ target, title })));
            return { kind: 'delivered' };
          },
          onError: (what, error) => {
            throw new Error(what, { cause: error });
          },
        });
      let eventCount = 0;
      for (const each of STEPS) {
        step = each;
        for (let hour = 0; hour < each.hours; hour++) {
          await run();
          // More than the interval and its jitter, so that the site is due.
          now += 1.1 * HOUR;
        }
        const events = (await repository.events(1_000, site.origin)).reverse().slice(eventCount);
        eventCount += events.length;
        expect(events.map((event) => [event.kind, event.severity])).toEqual(
          each.events.map(([name, severity]) => [name, severity]),
        );
        for (const [index, event] of events.entries())
          expect(`${event.title}\n${event.text}`).toMatch(each.events[index]?.[2] as RegExp);
      }
      const versions = (await repository.versions(site.origin)).reverse();
      expect(versions.map(({ number }) => number)).toEqual(versions.map((_, index) => index + 1));
      expect(versions.map((version) => version.kind)).toEqual([
        ...['found', 'found', 'found', 'found', 'found', 'found', 'absent', 'found', 'unreachable', 'found'],
        ...[
          'unreachable',
          'found',
          'unreachable',
          'found',
          'unreachable',
          'found',
          'absent',
          'found',
          'found',
          'absent',
        ],
      ]);
      // The same content is stored once.
      const { length } = await database.db.all(sql`select hash from watch_contents`);
      expect(length).toBe(new Set(versions.flatMap(({ hash }) => hash ?? [])).size + 1);
      const checks = versions.reduce((sum, version) => sum + Number(version.checks), 0);
      expect(checks).toBe(STEPS.reduce((sum, { hours }) => sum + hours, 0));
      // Each event is delivered once to each target, in order.
      const titles = (await repository.events(1_000)).reverse().map(({ title }) => title);
      for (const target of ['log', 'feed:x'])
        expect(delivered.filter((each) => each.target === target).map(({ title }) => title)).toEqual(titles);
      expect(await outbox.counts()).toEqual({ waiting: 0, dropped: 0 });
      await site.close();
    },
    120_000,
  );
});
