import { refetchRobotsTxt } from '../../../client/src/robots/fetch.ts';
import type { WatchDatabase } from '../../src/watch/storage/database.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { type WorkerOptions, work } from '../../src/watch/worker.ts';
import { analyseHere } from './analysis.ts';

/**
 * Runs a worker until nothing is due, as `watch run --once`. By default it fetches the sites, each delivery succeeds, no pause takes time,
 * and an error ends the test.
 */
export async function workOnce(
  database: WatchDatabase,
  options: Pick<WorkerOptions, 'now'> & Partial<WorkerOptions>,
): Promise<void> {
  await work({
    ...{ repository: new SiteRepository(database), outbox: new Outbox(database) },
    ...{ fetcher: refetchRobotsTxt, userAgent: 'test', allowPrivateAddresses: true, timeout: 20_000 },
    ...{ analyse: analyseHere, random: () => 0, sleep: async () => {}, once: true },
    ...{ signal: new AbortController().signal, deliver: async () => ({ kind: 'delivered' }) },
    onError: (what, error) => {
      throw new Error(what, { cause: error });
    },
    ...options,
  });
}
