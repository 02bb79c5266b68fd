// A worker that reads an access log again and again, each time an interval later, until its parent has no further reading for it.
import { sql } from '../../../client/dist/internal.js';
import { LogRepository } from '../../dist/watch/logs/log-repository.js';
import { workLogs } from '../../dist/watch/logs/log-worker.js';
import { openWatchDatabase } from '../../dist/watch/storage/database.js';
import { readTimeline } from '../../dist/watch/storage/timeline.js';

const [name, start, every, readings] = process.argv.slice(2);
let time = Number(start);
const opened = await openWatchDatabase(name);
// Leases expire with the same time.
const database = { ...opened, leaseTime: () => sql`cast(${time} as bigint)` };
process.send?.('begun');
for (let each = 0; each < Number(readings); each++) {
  time += Number(every);
  await workLogs({
    repository: new LogRepository(database),
    readTimeline: (origin) => readTimeline(database, origin),
    now: () => time,
    ...{ signal: new AbortController().signal, once: true, sleep: async () => {} },
    onRead: () => process.send?.('read'),
  });
}
await opened.db.close();
process.disconnect?.();
