import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refetchRobotsTxt } from '../../../client/src/robots/fetch.ts';
import { createAnalysisThreads } from '../../dist/watch/analysis/analysis-threads.js';
import { openWatchDatabase, type WatchDatabase } from '../../dist/watch/storage/database.js';
import { Outbox } from '../../dist/watch/storage/outbox.js';
import { SiteRepository } from '../../dist/watch/storage/site-repository.js';
import { work } from '../../dist/watch/worker.js';

/** A monitor with a database of its own, and a clock that the test sets. */
export interface TestMonitor {
  readonly database: WatchDatabase;
  readonly repository: SiteRepository;
  now: number;
  /** Checks the due sites. Each delivery fails, so that the messages stay in the outbox. */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a monitor. @param url - the URL of its database (default: a new SQLite file). */
export async function startMonitor(now: number, url?: string): Promise<TestMonitor> {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-watch-'));
  const database = await openWatchDatabase(url ?? join(folder, 'watch.sqlite'));
  const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
  const threads = createAnalysisThreads({
    onError: (error) => {
      throw error;
    },
  });
  const monitor: TestMonitor = {
    ...{ database, repository, now },
    check: () =>
      work({
        ...{ repository, outbox, userAgent: 'test', allowPrivateAddresses: true, timeout: 20_000 },
        fetcher: refetchRobotsTxt,
        analyse: threads.analyse,
        signal: new AbortController().signal,
        now: () => monitor.now,
        sleep: async () => {},
        once: true,
        random: () => 0.5,
        deliver: async () => ({
          ...{ kind: 'failed', code: 'network', reason: 'connection refused' },
          ...{ retryAt: null, isFinal: false },
        }),
      }),
    close: async () => {
      await threads.close();
      await database.db.close();
      rmSync(folder, { recursive: true });
    },
  };
  return monitor;
}
