// Writes to a SQLite store endlessly, with a lease, and sends what was acknowledged.
import { openSqliteStore } from '@maycrawl/client';

const [path, start] = process.argv.slice(2);
const store = await openSqliteStore(path);
await store.lease('http://leased.example', `process ${process.pid}`, 1000);
for (let number = Number(start); ; number++) {
  const bytes = new TextEncoder().encode(`# ${number}\n`.repeat(1 + (number % 200)));
  const times = { fetchedAt: number, staleAt: number + 1 };
  const trace = { hops: [], timings: { total: 1 } };
  const rest = { status: 200, code: null, message: null, headers: {}, ...trace };
  await store.record(`http://${number}.example`, {
    response: { kind: 'successful', bytes, ...times, ...rest },
  });
  await store.record('http://failing.example', {
    failure: {
      at: number,
      code: 'timeout',
      status: null,
      message: 'late',
      retryAt: null,
      saysNotFound: false,
      ...trace,
    },
  });
  process.send(number);
}
