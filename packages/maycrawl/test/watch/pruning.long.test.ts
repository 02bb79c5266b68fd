import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { rawSql, sql } from '@maycrawl/client/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WatchDatabase } from '../../src/watch/storage/database.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { type PruneOptions, prune } from '../../src/watch/storage/pruning.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { DAY, fileOf, see, settingsFor } from '../support/seen.ts';
import { KINDS, startKind, type TestedKind, withDatabase } from '../support/watch-databases.ts';

const SCRIPT = new URL('../support/pruning-process.mjs', import.meta.url);
const START = Date.UTC(2026, 0, 1);
const SITE = 'https://h.example';
const NOTHING = { messages: 0, events: 0, versions: 0, contents: 0, bytes: 0 };

describe.each(KINDS)('%s', (name) => {
  let kind: TestedKind;
  beforeAll(async () => {
    kind = await startKind(name);
  }, 60_000);
  afterAll(() => kind.end());

  const numbersOf = async (repository: SiteRepository, origin: string): Promise<number[]> =>
    (await repository.versions(origin)).map(({ number }) => number);

  /** What a dry run counts is what is deleted then, and afterwards there is nothing more to delete. */
  async function prunedBy(database: WatchDatabase, options: PruneOptions) {
    const counted = await prune(database, { ...options, isDryRun: true });
    const pruned = await prune(database, options);
    expect(counted).toEqual(pruned);
    expect(await prune(database, options)).toEqual(NOTHING);
    return pruned;
  }

  test('versions, events, messages and contents that are old', () =>
    withDatabase(kind, async (database) => {
      const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
      await repository.addSites([SITE], settingsFor(['log']), () => START);
      for (let day = 0; day < 10; day++) {
        await see(database, SITE, START + day * DAY, fileOf(day));
        await tellAll(outbox, START + day * DAY);
      }
      const now = START + 10 * DAY;
      // Days 0 to 4 have ended before day 6; the version of day 5 was replaced on it.
      const before = START + 5.5 * DAY;
      expect(await prunedBy(database, { before, now })).toEqual({
        ...{ messages: 6, events: 6, versions: 5, contents: 5 },
        bytes: [0, 1, 2, 3, 4].reduce((sum, day) => sum + fileOf(day).length, 0),
      });
      expect(await numbersOf(repository, SITE)).toEqual([10, 9, 8, 7, 6]);
      // With each event that is kept there are the version that it is of and the one before.
      for (const { version } of await repository.events(100, SITE))
        expect(await numbersOf(repository, SITE)).toEqual(expect.arrayContaining([version - 1, version]));
      for (const { hash } of await repository.versions(SITE))
        expect(await repository.content(hash as string)).toBeDefined();
      // However old it is, what is there now stays, and numbers go on.
      await prunedBy(database, { before: now + 1_000 * DAY, now: now + 1_000 * DAY });
      expect(await numbersOf(repository, SITE)).toEqual([10]);
      await see(database, SITE, now + 1_001 * DAY, fileOf(0));
      expect(await numbersOf(repository, SITE)).toEqual([11, 10]);
    }));

  test('the last file of a site that has none any more, or does not answer', () =>
    withDatabase(kind, async (database) => {
      const repository = new SiteRepository(database);
      const gone = 'https://gone.example';
      const down = 'https://down.example';
      await repository.addSites([gone, down], settingsFor([]), () => START);
      for (const origin of [gone, down]) {
        await see(database, origin, START, fileOf(1));
        await see(database, origin, START + DAY, fileOf(2));
      }
      await see(database, gone, START + 2 * DAY, null);
      for (const [day, answer] of [
        [2, null],
        [3, 'down'],
        [4, null],
        [5, 'down'],
      ] as const)
        await see(database, down, START + day * DAY, answer);
      const now = START + 900 * DAY;
      await prunedBy(database, { before: now, now });
      expect((await repository.versions(gone)).map(({ kind: what }) => what)).toEqual(['absent', 'found']);
      expect((await repository.versions(down)).map(({ number }) => number)).toEqual([6, 2]);
      for (const origin of [gone, down]) {
        const { hash } = (await repository.versions(origin))[1] as { hash: string };
        expect(Buffer.from((await repository.content(hash)) as Uint8Array)).toEqual(fileOf(2));
      }
    }));

  test('what a message that is still to be told speaks of stays', () =>
    withDatabase(kind, async (database) => {
      const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
      await repository.addSites([SITE], settingsFor(['log', 'feed:x']), () => START);
      for (let day = 0; day < 6; day++) {
        await see(database, SITE, START + day * DAY, fileOf(day));
        // The one of the fourth day does not arrive at one of the two.
        await tellAll(outbox, START + day * DAY, (target) => day !== 3 || target !== 'log');
      }
      const now = START + 400 * DAY;
      expect(await prunedBy(database, { before: now, now })).toMatchObject({
        messages: 11,
        events: 5,
        versions: 3,
      });
      expect(await numbersOf(repository, SITE)).toEqual([6, 4, 3]);
      const told: string[] = [];
      await tellAll(outbox, now, (_target, title) => told.push(title) > 0);
      expect(told).toEqual([`${SITE}: change 4`]);
      expect(await prunedBy(database, { before: now + 1, now })).toMatchObject({
        messages: 1,
        events: 1,
        versions: 2,
      });
    }));

  test('contents that nothing refers to, but those that were kept just now', () =>
    withDatabase(kind, async (database) => {
      const repository = new SiteRepository(database);
      const urls = await repository.storeText('urls.txt', '/a\n', START);
      const tests = await repository.storeText('tests.yaml', '[]\n', START);
      await repository.addSites([SITE], { ...settingsFor([]), urls, tests }, () => START);
      await see(database, SITE, START, fileOf(1));
      await repository.addSites(['https://b.example'], settingsFor([]), () => START);
      await see(database, 'https://b.example', START, fileOf(1));
      await see(database, 'https://b.example', START, fileOf(2));
      const never = await repository.storeText('never.txt', 'never used', START);
      expect(await prune(database, { before: 0, now: START + DAY / 2 })).toEqual(NOTHING);
      const now = START + 2 * DAY;
      expect(await prunedBy(database, { before: 0, now })).toEqual({ ...NOTHING, contents: 1, bytes: 10 });
      expect(await repository.content(never.hash)).toBeUndefined();
      // What two sites have goes with the second of them.
      await repository.removeSites(['https://b.example']);
      expect(await prunedBy(database, { before: 0, now })).toMatchObject({
        contents: 1,
        bytes: fileOf(2).length,
      });
      expect(await repository.content(urls.hash)).toBeDefined();
      expect(await repository.content(tests.hash)).toBeDefined();
      await repository.removeSites([SITE]);
      expect(await prunedBy(database, { before: 0, now })).toMatchObject({ contents: 3 });
      expect(await database.db.all(sql`select * from watch_contents`)).toEqual([]);
    }));

  test(
    'more rows than are deleted at a time',
    () =>
      withDatabase(kind, async (database) => {
        const repository = new SiteRepository(database);
        const origins = Array.from({ length: 700 }, (_, index) => `https://s${index}.example`);
        await repository.addSites(origins, settingsFor([]), () => START);
        for (const [index, origin] of origins.entries())
          for (let day = 0; day < 2; day++)
            await see(database, origin, START + day * DAY, fileOf(2 * index + day));
        const now = START + 100 * DAY;
        const pruned = await prunedBy(database, { before: now, now });
        expect(pruned).toMatchObject({ events: 1_400, versions: 700, contents: 700 });
        expect((await repository.sites(1_000)).every(({ version }) => version === 2)).toBe(true);
      }),
    60_000,
  );

  test('a site that is removed while a check of it is written down leaves nothing behind', () =>
    withDatabase(kind, async (database) => {
      const repository = new SiteRepository(database);
      const tables = ['watch_sites', 'watch_versions', 'watch_events', 'watch_outbox'] as const;
      let seen = 0;
      for (let round = 0; round < 40; round++) {
        await repository.addSites([SITE], settingsFor(['log']), () => START);
        await see(database, SITE, START, fileOf(1));
        const check = see(database, SITE, START + DAY, fileOf(2)).then(
          (event) => (event === undefined ? 0 : 1),
          // It was gone before it was taken on.
          ({ message }: Error) => {
            expect(message).toMatch(/could not be taken on/);
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
    'a file that comes back while it is deleted is not lost',
    () =>
      withDatabase(kind, async (database, path) => {
        const repository = new SiteRepository(database);
        const origins = Array.from({ length: 8 }, (_, index) => `https://s${index}.example`);
        await repository.addSites(origins, settingsFor([]), () => START);
        const deleting = fork(SCRIPT, [path], { execArgv: [] });
        await once(deleting, 'message');
        let now = START;
        let lost = 0;
        // Two files by turns, two days apart: each is old, and nobody's, when it comes back; at no particular moment of deleting.
        for (let round = 0; round < 60; round++) {
          now += 2 * DAY;
          deleting.send(now);
          await setTimeout((round * 7) % 20);
          await Promise.all(
            origins.map((origin, index) => see(database, origin, now, fileOf(2 * (index % 4) + (round % 2)))),
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

/** Delivers what is to be told at a time; what is not delivered is told again the next day. */
async function tellAll(
  outbox: Outbox,
  now: number,
  arrives: (target: string, title: string) => boolean = () => true,
): Promise<void> {
  const owner = randomUUID();
  for (const pending of await outbox.claim(owner, now, 1_000)) {
    const isTold = arrives(pending.target, pending.message.alerts[0]?.title ?? '');
    const until = START + 400 * DAY;
    await outbox.settle(
      owner,
      pending,
      isTold ? { kind: 'delivered' } : { kind: 'postponed', until, reason: 'x' },
      now,
    );
  }
}
