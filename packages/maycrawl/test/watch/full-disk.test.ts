import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { refetchRobotsTxt } from '../../../client/src/robots/fetch.ts';
import { serve } from '../../../client/test/support/server.ts';
import { openWatchDatabase } from '../../src/watch/database.ts';
import { Ledger } from '../../src/watch/ledger.ts';
import { Outbox } from '../../src/watch/outbox.ts';
import { work } from '../../src/watch/worker.ts';
import { analyseHere } from '../support/analysing.ts';

test('when the disk is full the monitor says so, loses nothing, and goes on when there is space again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-full-'));
  const site = await serve((_request, response) =>
    response.end(`User-agent: *\n${'# long\n'.repeat(50_000)}`),
  );
  const database = await openWatchDatabase(join(folder, 'watch.sqlite'));
  const ledger = new Ledger(database);
  await ledger.addSites([site.origin], { every: 3_600_000, agents: [], notify: [] }, () => 1);
  let now = Date.UTC(2026, 0, 1);
  const run = async (): Promise<string[]> => {
    const errors: string[] = [];
    await work({
      ...{ ledger, outbox: new Outbox(database), fetcher: refetchRobotsTxt, analyse: analyseHere },
      ...{ userAgent: 'test', allowPrivate: true, timeout: 5_000, signal: new AbortController().signal },
      ...{ now: () => now, random: () => 0, sleep: async () => {}, once: true },
      deliver: async () => ({ kind: 'delivered' }),
      onError: (what, error) => errors.push(`${what}: ${(error as Error).message}`),
    });
    return errors;
  };
  // SQLite reports a file that may not grow as it reports a disk without space.
  await sql`pragma max_page_count = 1`.execute(database.db);
  expect(await run()).toEqual([`${site.origin} was not checked: database or disk is full`]);
  expect(await ledger.events(10)).toEqual([]);
  await sql`pragma max_page_count = 100000`.execute(database.db);
  now += 3_600_000;
  expect(await run()).toEqual([]);
  expect((await ledger.events(10)).map(({ kind }) => kind)).toEqual(['first']);
  await database.db.destroy();
  await site.close();
  rmSync(folder, { recursive: true });
});
