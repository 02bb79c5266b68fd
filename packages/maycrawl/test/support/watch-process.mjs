// A worker that does what is due at a given time, tells a webhook, and ends.
import { refetchRobotsTxt } from '../../dist/fetch/fetch.js';
import { openWatchDatabase } from '../../dist/watch/database.js';
import { Ledger } from '../../dist/watch/ledger.js';
import { Outbox } from '../../dist/watch/outbox.js';
import { deliver } from '../../dist/watch/telling/deliver.js';
import { parseTarget } from '../../dist/watch/telling/target.js';
import { work } from '../../dist/watch/worker.js';

const [name, time, timeout = '100'] = process.argv.slice(2);
const database = await openWatchDatabase(name);
const { signal } = new AbortController();
process.send?.('begun');
await work({
  ...{ ledger: new Ledger(database), outbox: new Outbox(database), fetcher: refetchRobotsTxt, signal },
  ...{ userAgent: 'test', allowPrivate: true, timeout: Number(timeout), once: true, concurrency: 16 },
  now: () => Number(time),
  random: () => 0,
  sleep: async () => {},
  deliver: (target, message) => deliver(parseTarget(target), message, { environment: {}, signal }),
  onChecked: (origin) => process.send?.(origin),
});
await database.db.destroy();
process.disconnect?.();
