import { expect, test } from 'vitest';
import { readEarlierVersions } from '../../src/watch/storage/earlier-versions.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { createFile, createSettings, DAY, recordCheck } from '../support/recorded-checks.ts';
import { describeKinds } from '../support/watch-databases.ts';

const START = Date.UTC(2026, 0, 1);
const SITE = 'https://a.example';

describeKinds((withDatabase) => {
  test('an earlier version was in force until it was replaced last, also if it was not checked until then', () =>
    withDatabase(async (database) => {
      await new SiteRepository(database).addSites([SITE], createSettings([]), () => START);
      // The file of the first day is back on the seventh, and is replaced on the tenth.
      for (const [day, file] of [
        [0, 0],
        [4, 1],
        [7, 0],
        [10, 2],
      ] as const)
        await recordCheck(database, SITE, START + day * DAY, createFile(file));
      const read = async (file: number) => (await readEarlierVersions(database, SITE, createFile(file))).same;
      expect(await read(0)).toMatchObject({ number: 1, until: START + 10 * DAY });
      expect(await read(1)).toMatchObject({ number: 2, until: START + 7 * DAY });
      expect(await read(3)).toBeNull();
    }));
});
