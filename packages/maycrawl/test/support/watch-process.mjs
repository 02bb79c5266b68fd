// A worker that checks the sites that are due at a given time, delivers the messages to a webhook, and exits; or kills itself after a number of
// checks.

import { sql } from '../../../client/dist/internal.js';
import { refetchRobotsTxt } from '../../../client/dist/robots/fetch.js';
import { createAnalysisThreads } from '../../dist/watch/analysis/analysis-threads.js';
import { deliver } from '../../dist/watch/notifications/delivery/deliver.js';
import { parseTarget } from '../../dist/watch/notifications/targets/target.js';
import { openWatchDatabase } from '../../dist/watch/storage/database.js';
import { Outbox } from '../../dist/watch/storage/outbox.js';
import { SiteRepository } from '../../dist/watch/storage/site-repository.js';
import { work } from '../../dist/watch/worker.js';

const [name, time, timeout = '2000', analysis, checksBeforeKill] = process.argv.slice(2);
const opened = await openWatchDatabase(name);
// Leases expire with the given time, too.
const database = { ...opened, leaseTime: () => sql`cast(${Number(time)} as bigint)` };
const { signal } = new AbortController();
const { analyse, close } = createAnalysisThreads({
  ...(analysis && { file: new URL(analysis) }),
  onError: (error) => {
    throw error;
  },
});
let checks = 0;
process.send?.('begun');
await work({
  ...{
    repository: new SiteRepository(database),
    outbox: new Outbox(database),
    fetcher: refetchRobotsTxt,
    signal,
    analyse,
  },
  ...{
    userAgent: 'test',
    allowPrivateAddresses: true,
    timeout: Number(timeout),
    once: true,
    concurrency: 16,
  },
  now: () => Number(time),
  random: () => 0,
  sleep: async () => {},
  deliver: (target, message) => deliver(parseTarget(target), message, { environment: {}, signal }),
  onChecked: (origin) => {
    process.send?.(origin);
    if (++checks === Number(checksBeforeKill)) process.kill(process.pid, 'SIGKILL');
  },
});
await close();
await database.db.close();
process.disconnect?.();
