import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { rawSql, sql } from '@maycrawl/client/internal';
import { expect, test } from 'vitest';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { pruneTwice } from '../support/prune-twice.ts';
import { createFile, createSettings, DAY, recordCheck } from '../support/recorded-checks.ts';
import { describeKinds } from '../support/watch-databases.ts';

const SCRIPT = new URL('../support/pruning-process.mjs', import.meta.url);
const START = Date.UTC(2026, 0, 1);
const SITE = 'https://h.example';

describeKinds((withDatabase) => {
  test(
    'more rows than one batch of deletions are deleted',
    () =>
      withDatabase(async (database) => {
        const repository = new SiteRepository(database);
        const origins = Array.from({ length: 700 }, (_, index) => `https://s${index}.example`);
        await repository.addSites(origins, createSettings([]), () => START);
        for (const [index, origin] of origins.entries())
          for (let day = 0; day < 2; day++)
            await recordCheck(database, origin, START + day * DAY, createFile(2 * index + day));
        const now = START + 100 * DAY;
        const pruned = await pruneTwice(database, { before: now, now });
        expect(pruned).toMatchObject({ events: 1_400, versions: 700, contents: 700 });
        expect((await repository.sites(1_000)).every(({ version }) => version === 2)).toBe(true);
      }),
    60_000,
  );

  test('no row remains of a site that is removed while its check is recorded', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      const tables = ['watch_sites', 'watch_versions', 'watch_events', 'watch_outbox'] as const;
      let seen = 0;
      for (let round = 0; round < 40; round++) {
        await repository.addSites([SITE], createSettings(['log']), () => START);
        await recordCheck(database, SITE, START, createFile(1));
        const check = recordCheck(database, SITE, START + DAY, createFile(2)).then(
          (event) => (event === undefined ? 0 : 1),
          // The site was removed before it was claimed.
          ({ message }: Error) => {
            expect(message).toMatch(/could not be claimed/);
            return 0;
          },
        );
        await setTimeout((round * 3) % 10);
        await repository.removeSites([SITE]);
        seen += await check;
        for (const table of tables)
          expect(await database.db.all(sql`select * from ${rawSql(table)}`)).toEqual([]);
      }
      expect(seen).toBeGreaterThan(0);
    }));

  test(
    'a file that a site sends again while the file is deleted is not lost',
    () =>
      withDatabase(async (database, path) => {
        const repository = new SiteRepository(database);
        const origins = Array.from({ length: 8 }, (_, index) => `https://s${index}.example`);
        await repository.addSites(origins, createSettings([]), () => START);
        const deleting = fork(SCRIPT, [path], { execArgv: [] });
        await once(deleting, 'message');
        let now = START;
        let lost = 0;
        // Two files alternate every two days: each is old and without references when it is stored again, at varying times of the deletion.
        for (let round = 0; round < 60; round++) {
          now += 2 * DAY;
          deleting.send(now);
          await setTimeout((round * 7) % 20);
          await Promise.all(
            origins.map((origin, index) =>
              recordCheck(database, origin, now, createFile(2 * (index % 4) + (round % 2))),
            ),
          );
          for (const origin of origins) {
            const [newest] = await repository.versions(origin);
            if ((await repository.content(newest?.hash as string)) === undefined) lost++;
          }
        }
        deleting.send('end');
        const [deleted] = await once(deleting, 'message');
        expect(deleted).toBeGreaterThan(10);
        expect(lost).toBe(0);
      }),
    60_000,
  );
});
