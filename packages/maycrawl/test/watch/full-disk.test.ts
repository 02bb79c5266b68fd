import { expect, test } from 'vitest';
import { closeAtEnd } from '../../../client/test/support/close-at-end.ts';
import { serve } from '../../../client/test/support/server.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { openTestDatabase } from '../support/watch-databases.ts';
import { workOnce } from '../support/work-once.ts';

test('when the disk is full, the monitor reports it, loses no data, and continues when there is space again', async () => {
  const site = await closeAtEnd(
    serve((_request, response) => response.end(`User-agent: *\n${'# long\n'.repeat(50_000)}`)),
  );
  const database = await openTestDatabase();
  const repository = new SiteRepository(database);
  await repository.addSites([site.origin], { every: 3_600_000, agents: [], notify: [] }, () => 1);
  let now = Date.UTC(2026, 0, 1);
  const run = async (): Promise<string[]> => {
    const errors: string[] = [];
    await workOnce(database, {
      now: () => now,
      onError: (what, error) => errors.push(`${what}: ${(error as Error).message}`),
    });
    return errors;
  };
  // SQLite reports the same error for a file that may not grow as for a full disk.
  await database.db.exec('pragma max_page_count = 1');
  expect(await run()).toEqual([
    expect.stringMatching(`^${site.origin} was not checked: no space is left for `),
  ]);
  expect(await repository.events(10)).toEqual([]);
  await database.db.exec('pragma max_page_count = 100000');
  now += 3_600_000;
  expect(await run()).toEqual([]);
  expect((await repository.events(10)).map(({ kind }) => kind)).toEqual(['first']);
});
