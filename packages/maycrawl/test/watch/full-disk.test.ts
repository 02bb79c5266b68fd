import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refetchRobotsTxt } from '../../../client/src/robots/fetch.ts';
import { serve } from '../../../client/test/support/server.ts';
import { openWatchDatabase } from '../../src/watch/storage/database.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { work } from '../../src/watch/worker.ts';
import { analyseHere } from '../support/analysis.ts';

test('when the disk is full, the monitor reports it, loses no data, and continues when there is space again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-full-'));
  const site = await serve((_request, response) =>
    response.end(`User-agent: *\n${'# long\n'.repeat(50_000)}`),
  );
  const database = await openWatchDatabase(join(folder, 'watch.sqlite'));
  const repository = new SiteRepository(database);
  await repository.addSites([site.origin], { every: 3_600_000, agents: [], notify: [] }, () => 1);
  let now = Date.UTC(2026, 0, 1);
  const run = async (): Promise<string[]> => {
    const errors: string[] = [];
    await work({
      ...{ repository, outbox: new Outbox(database), fetcher: refetchRobotsTxt, analyse: analyseHere },
      ...{
        userAgent: 'test',
        allowPrivateAddresses: true,
        timeout: 5_000,
        signal: new AbortController().signal,
      },
      ...{ now: () => now, random: () => 0, sleep: async () => {}, once: true },
      deliver: async () => ({ kind: 'delivered' }),
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
  await database.db.close();
  await site.close();
  rmSync(folder, { recursive: true });
});
