import { randomUUID } from 'node:crypto';
import { sql } from '@maycrawl/client/internal';
import { expect, test } from 'vitest';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { prune } from '../../src/watch/storage/pruning.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { NOTHING, pruneTwice } from '../support/prune-twice.ts';
import { createFile, createSettings, DAY, recordCheck } from '../support/recorded-checks.ts';
import { describeKinds } from '../support/watch-databases.ts';

const START = Date.UTC(2026, 0, 1);
const SITE = 'https://h.example';

describeKinds((withDatabase) => {
  const getNumbers = async (repository: SiteRepository, origin: string): Promise<number[]> =>
    (await repository.versions(origin)).map(({ number }) => number);

  test('old versions, events, messages and contents are deleted', () =>
    withDatabase(async (database) => {
      const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
      await repository.addSites([SITE], createSettings(['log']), () => START);
      for (let day = 0; day < 10; day++) {
        await recordCheck(database, SITE, START + day * DAY, createFile(day));
        await deliverAll(outbox, START + day * DAY);
      }
      const now = START + 10 * DAY;
      // The versions of days 0 to 4 were replaced before day 5.5; the version of day 5 was replaced on day 6.
      const before = START + 5.5 * DAY;
      expect(await pruneTwice(database, { before, now })).toEqual({
        ...{ messages: 6, events: 6, versions: 5, contents: 5 },
        bytes: [0, 1, 2, 3, 4].reduce((sum, day) => sum + createFile(day).length, 0),
      });
      expect(await getNumbers(repository, SITE)).toEqual([10, 9, 8, 7, 6]);
      // Each remaining event has its version and the version before it.
      for (const { version } of await repository.events(100, SITE))
        expect(await getNumbers(repository, SITE)).toEqual(expect.arrayContaining([version - 1, version]));
      for (const { hash } of await repository.versions(SITE))
        expect(await repository.content(hash as string)).toBeDefined();
      // The current version stays, however old it is, and the numbers continue.
      await pruneTwice(database, { before: now + 1_000 * DAY, now: now + 1_000 * DAY });
      expect(await getNumbers(repository, SITE)).toEqual([10]);
      await recordCheck(database, SITE, now + 1_001 * DAY, createFile(0));
      expect(await getNumbers(repository, SITE)).toEqual([11, 10]);
    }));

  test('the last file of a site stays if the site has no file any more or is unreachable', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      const gone = 'https://gone.example';
      const down = 'https://down.example';
      await repository.addSites([gone, down], createSettings([]), () => START);
      for (const origin of [gone, down]) {
        await recordCheck(database, origin, START, createFile(1));
        await recordCheck(database, origin, START + DAY, createFile(2));
      }
      await recordCheck(database, gone, START + 2 * DAY, null);
      for (const [day, answer] of [
        [2, null],
        [3, 'down'],
        [4, null],
        [5, 'down'],
      ] as const)
        await recordCheck(database, down, START + day * DAY, answer);
      const now = START + 900 * DAY;
      await pruneTwice(database, { before: now, now });
      expect((await repository.versions(gone)).map(({ kind: what }) => what)).toEqual([
        'unavailable',
        'successful',
      ]);
      expect((await repository.versions(down)).map(({ number }) => number)).toEqual([6, 2]);
      for (const origin of [gone, down]) {
        const { hash } = (await repository.versions(origin))[1] as { hash: string };
        expect(Buffer.from((await repository.content(hash)) as Uint8Array)).toEqual(createFile(2));
      }
    }));

  test('the event and versions of a message that is not delivered yet stay', () =>
    withDatabase(async (database) => {
      const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
      await repository.addSites([SITE], createSettings(['log', 'feed:x']), () => START);
      for (let day = 0; day < 6; day++) {
        await recordCheck(database, SITE, START + day * DAY, createFile(day));
        // The message of the fourth day is not delivered to one of the two targets.
        await deliverAll(outbox, START + day * DAY, (target) => day !== 3 || target !== 'log');
      }
      const now = START + 400 * DAY;
      expect(await pruneTwice(database, { before: now, now })).toMatchObject({
        messages: 11,
        events: 5,
        versions: 3,
      });
      expect(await getNumbers(repository, SITE)).toEqual([6, 4, 3]);
      const delivered: string[] = [];
      await deliverAll(outbox, now, (_target, title) => delivered.push(title) > 0);
      expect(delivered).toEqual([`${SITE}: change 4`]);
      expect(await pruneTwice(database, { before: now + 1, now })).toMatchObject({
        messages: 1,
        events: 1,
        versions: 2,
      });
    }));

  test('contents without references are deleted, except for those that were stored recently', () =>
    withDatabase(async (database) => {
      const repository = new SiteRepository(database);
      const urls = await repository.storeText('urls.txt', '/a\n', START);
      const tests = await repository.storeText('tests.yaml', '[]\n', START);
      await repository.addSites([SITE], { ...createSettings([]), urls, tests }, () => START);
      await recordCheck(database, SITE, START, createFile(1));
      await repository.addSites(['https://b.example'], createSettings([]), () => START);
      await recordCheck(database, 'https://b.example', START, createFile(1));
      await recordCheck(database, 'https://b.example', START, createFile(2));
      const never = await repository.storeText('never.txt', 'never used', START);
      expect(await prune(database, { before: 0, now: START + DAY / 2 })).toEqual(NOTHING);
      const now = START + 2 * DAY;
      expect(await pruneTwice(database, { before: 0, now })).toEqual({ ...NOTHING, contents: 1, bytes: 10 });
      expect(await repository.content(never.hash)).toBeUndefined();
      // A content of two sites is deleted with the second site.
      await repository.removeSites(['https://b.example']);
      expect(await pruneTwice(database, { before: 0, now })).toMatchObject({
        contents: 1,
        bytes: createFile(2).length,
      });
      expect(await repository.content(urls.hash)).toBeDefined();
      expect(await repository.content(tests.hash)).toBeDefined();
      await repository.removeSites([SITE]);
      expect(await pruneTwice(database, { before: 0, now })).toMatchObject({ contents: 3 });
      expect(await database.db.all(sql`select * from watch_contents`)).toEqual([]);
    }));
});

/** Delivers all due messages; those that the function refuses are postponed. */
async function deliverAll(
  outbox: Outbox,
  now: number,
  arrives: (target: string, title: string) => boolean = () => true,
): Promise<void> {
  const owner = randomUUID();
  for (const pending of await outbox.claim(owner, now, 1_000)) {
    const isDelivered = arrives(pending.target, pending.message.alerts[0]?.title ?? '');
    const until = START + 400 * DAY;
    await outbox.settle(
      owner,
      pending,
      isDelivered ? { kind: 'delivered' } : { kind: 'postponed', until, reason: 'x' },
      now,
    );
  }
}
