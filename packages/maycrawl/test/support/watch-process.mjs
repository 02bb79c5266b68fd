// A worker that does what is due at a given time, tells a webhook, and ends.
import { refetchRobotsTxt } from '../../../client/dist/robots/fetch.js';
import { createAnalysisThreads } from '../../dist/watch/analysis-threads.js';
import { openWatchDatabase } from '../../dist/watch/database.js';
import { Outbox } from '../../dist/watch/outbox.js';
import { SiteRepository } from '../../dist/watch/site-repository.js';
import { deliver } from '../../dist/watch/telling/deliver.js';
import { parseTarget } from '../../dist/watch/telling/target.js';
import { work } from '../../dist/watch/worker.js';

const [name, time, timeout = '2000', analysis] = process.argv.slice(2);
const database = await openWatchDatabase(name);
const { signal } = new AbortController();
const { analyse, close } = createAnalysisThreads({
  ...(analysis && { file: new URL(analysis) }),
  onError: (error) => {
    throw error;
  },
});
process.send?.('begun');
await work({
  ...{
    repository: new SiteRepository(database),
    outbox: new Outbox(database),
    fetcher: refetchRobotsTxt,
    signal,
    analyse,
  },
  ...{ userAgent: 'test', allowPrivate: true, timeout: Number(timeout), once: true, concurrency: 16 },
  now: () => Number(time),
  random: () => 0,
  sleep: async () => {},
  deliver: (target, message) => deliver(parseTarget(target), message, { environment: {}, signal }),
  onChecked: (origin) => process.send?.(origin),
});
await close();
await database.db.close();
process.disconnect?.();
