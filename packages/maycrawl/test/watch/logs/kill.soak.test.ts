/** Workers are killed while a log is written and rotated: each request is counted once. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from '@maycrawl/client/internal';
import { expect, test } from 'vitest';
import { LogRepository } from '../../../src/watch/logs/log-repository.ts';
import { readWatchedLog } from '../../../src/watch/logs/log-state.ts';
import { SiteRepository } from '../../../src/watch/storage/site-repository.ts';
import { createTestFolder } from '../../support/folder.ts';
import { createRandomIndex } from '../../support/random.ts';
import { createSettings, recordCheck } from '../../support/recorded-checks.ts';
import { describeKinds } from '../../support/watch-databases.ts';
import { WrittenLog } from '../../support/watched-log.ts';

const WORKER = fileURLToPath(new URL('../../support/watch-log-process.mjs', import.meta.url));
const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 10);
const SITE = 'https://a.example';
const CRAWLERS = ['GPTBot', 'Bytespider', 'Googlebot', 'SomeUnknownBot'];
const [KILLS, READINGS] = [8, 1_000] as const;

describeKinds((withDatabase) => {
  test('the requests of a log are counted once by workers that are killed while it is written and rotated', () =>
    withDatabase(async (database, name) => {
      const random = createRandomIndex(1);
      await new SiteRepository(database).addSites([SITE], createSettings(['log']), () => START);
      await recordCheck(database, SITE, START - DAY, Buffer.from('User-agent: *\nDisallow: /1\n'));
      const log = new WrittenLog(join(createTestFolder('killed-log'), 'access.log'));
      await new LogRepository(database).add({ origin: SITE, path: log.path }, { every: DAY }, START);
      const startWorker = (
        index: number,
        readings: number,
      ): { worker: ChildProcess; getReadings: () => number } => {
        const start = START + index * (READINGS + 1) * DAY;
        const worker = fork(WORKER, [name, String(start), String(DAY), String(readings)], {
          execArgv: [],
        });
        let count = 0;
        worker.on('message', (message) => {
          if (message === 'read') count++;
        });
        return { worker, getReadings: () => count };
      };
      const write = (): void => {
        log.append(CRAWLERS[random(CRAWLERS.length)] as string, START, 1 + random(400));
        const action = random(40);
        if (action === 0) log.rename();
        else if (action === 1) log.copyAndTruncate();
        else if (action < 4) log.compress();
      };
      let total = 0;
      for (let index = 0; index < KILLS; index++) {
        const { worker, getReadings } = startWorker(index, READINGS);
        const exited = once(worker, 'exit');
        // The first reading of all has the current file only: nothing is rotated before it.
        while (getReadings() === 0 && worker.exitCode === null) await once(worker, 'message');
        // Between two turns the worker goes on, so that it is killed in any part of a reading.
        for (let writes = 5 + random(20); writes > 0; writes--) {
          write();
          for (let turns = random(2_000); turns > 0; turns--) await nextTurn();
        }
        worker.kill('SIGKILL');
        await exited;
        total += getReadings();
      }
      const { worker } = startWorker(KILLS, 2);
      expect(await once(worker, 'exit')).toEqual([0, null]);
      const row = await database.db.get<{ state: string; failure: string | null }>(
        sql`select state, failure from watch_logs`,
      );
      const state = readWatchedLog(row?.state ?? null);
      const counts = new Map(state?.crawlers.map(([crawler, { requests }]) => [crawler, requests]));
      expect(total).toBeGreaterThan(0);
      expect([row?.failure, counts]).toEqual([null, log.counts]);
      expect(state?.lines).toBe([...log.counts.values()].reduce((sum, each) => sum + each, 0));
      // Nor is any event recorded twice.
      const events = await database.db.all<{ kind: string; count: number }>(
        sql`select kind, count(*) as count from watch_events where kind in ('log-first', 'crawler-new') group by kind`,
      );
      expect(events.find(({ kind }) => kind === 'log-first')?.count).toBe(1);
    }));
});
