// Processes that share a store and begin with the same origins, none of which is in it: one, two and four processes, with SQLite and
// with PostgreSQL. Each origin must get exactly one request. The origins are loopback addresses of a server in a separate process.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPostgresStore, openSqliteStore, RobotsClient } from '@maycrawl/client';
import { quantile } from './measure.mjs';
import { findPostgres, startPostgres } from './postgres.mjs';

const ORIGINS = Number(process.env.BENCH_ORIGINS ?? 500);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CONCURRENCY = 64;
/** Milliseconds until the server responds. */
const DELAY = 20;
const PROCESSES = [1, 2, 4];

const openStore = (place) =>
  place.startsWith('postgres:') ? openPostgresStore(place) : openSqliteStore(place);

/** Responds for all origins, and counts the requests of each. */
function serve() {
  const counts = new Map();
  const server = createServer(({ headers }, response) => {
    counts.set(headers.host, (counts.get(headers.host) ?? 0) + 1);
    setTimeout(() => response.end('User-agent: *\nDisallow: /private\n'.repeat(20)), DELAY);
  });
  server.listen(0, '0.0.0.0', () => process.send(server.address().port));
  process.on('message', () => {
    process.send([...counts.values()]);
    counts.clear();
  });
}

/** Decides one URL of each origin, and sends how long that took in milliseconds. */
async function work(place, port) {
  const store = await openStore(place);
  const client = new RobotsClient({ agent: 'Googlebot', userAgent: 'Googlebot', store });
  process.send('ready');
  await once(process, 'message');
  const start = performance.now();
  let decided = 0;
  const urls = Array.from(
    { length: ORIGINS },
    (_, index) => `http://127.1.${index >> 8}.${index & 255}:${port}/private/x`,
  );
  for await (const { verdict } of client.decideAll(urls, { concurrency: CONCURRENCY }))
    if (verdict?.kind === 'disallowed') decided++;
  if (decided !== ORIGINS) throw new Error(`${decided} of ${ORIGINS} URLs were decided`);
  const took = performance.now() - start;
  await client.idle();
  await store.close();
  process.send(took, () => process.disconnect());
}

async function measure() {
  const file = fileURLToPath(import.meta.url);
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-bench-'));
  const server = fork(file, ['serve']);
  const [port] = await once(server, 'message');
  const programs = findPostgres();
  const database = programs && (await startPostgres(programs));
  const run = async (place, processes) => {
    await (await openStore(place)).close();
    const children = Array.from({ length: processes }, () => fork(file, ['work', place, String(port)]));
    await Promise.all(children.map((child) => once(child, 'message')));
    const results = children.map((child) => once(child, 'message'));
    for (const child of children) child.send('start');
    const times = (await Promise.all(results)).map(([time]) => time);
    server.send('counts');
    const [counts] = await once(server, 'message');
    const extra = counts.reduce((sum, count) => sum + count - 1, 0);
    if (counts.length !== ORIGINS) throw new Error(`${counts.length} origins got a request`);
    return { time: Math.max(...times), extra };
  };
  console.log(`${ORIGINS} origins, ${CONCURRENCY} at a time, responses after ${DELAY} ms, ${ROUNDS} rounds`);
  try {
    for (const kind of database === undefined ? ['SQLite'] : ['SQLite', 'PostgreSQL']) {
      for (const processes of PROCESSES) {
        const results = [];
        for (let round = 0; round < ROUNDS; round++) {
          const path = join(folder, `${processes}-${round}.sqlite`);
          const store = kind === 'SQLite' ? path : database.url;
          results.push(await run(store, processes));
          if (kind === 'PostgreSQL') {
            const emptied = await openStore(store);
            await emptied.delete();
            await emptied.close();
          }
        }
        const seconds = (q) =>
          (
            quantile(
              results.map(({ time }) => time),
              q,
            ) / 1000
          ).toFixed(2);
        const extra = Math.max(...results.map((result) => result.extra));
        console.log(
          `${kind}, ${processes} ${processes === 1 ? 'process' : 'processes'}: ${seconds(0.5)} s (${seconds(0)} to ${seconds(1)}), ${extra} requests too many`,
        );
      }
    }
  } finally {
    server.kill();
    await database?.end();
    rmSync(folder, { recursive: true });
  }
}

const [task, ...args] = process.argv.slice(2);
if (task === 'serve') serve();
else if (task === 'work') await work(...args);
else await measure();
