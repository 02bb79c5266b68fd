// The client on many sites: one request for each robots.txt, and decisions for five URLs of the site. The sites are loopback
// addresses of one server in a separate process. For comparison: the same requests without a client.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MemoryStore, openSqliteStore, RobotsClient } from '@maycrawl/client';
import { Agent, request } from 'undici';
import { readCorpus } from './corpus.mjs';
import { quantile } from './measure.mjs';

const ORIGINS = Number(process.env.BENCH_ORIGINS ?? 10_000);
const URLS = 5;
const CONCURRENCY = 64;
const ROUNDS = 3;

/** Responds for all sites, and counts the requests of each. */
async function serve() {
  const { files } = readCorpus();
  let counts = new Map();
  const server = createServer(({ headers }, response) => {
    const requested = counts.get(headers.host) ?? 0;
    counts.set(headers.host, requested + 1);
    response.end(files[Number(headers.host.split(/[.:]/)[3]) % files.length]);
  });
  server.listen(0, '0.0.0.0', () => process.send(server.address().port));
  process.on('message', () => {
    process.send([...counts.values()]);
    counts = new Map();
  });
}

async function measure() {
  const child = fork(fileURLToPath(import.meta.url), ['serve']);
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-bench-'));
  try {
    const [port] = await once(child, 'message');
    const origins = Array.from(
      { length: ORIGINS },
      (_, index) => `http://127.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}:${port}`,
    );
    const programs = {
      'only requests, with one connection each': () => requestAll(origins),
      'decideAll, store in memory': () => decideAll(origins, new MemoryStore()),
      'decideAll, store in a SQLite file': async (round) =>
        decideAll(origins, await openSqliteStore(join(folder, `${round}.sqlite`))),
    };
    const rates = new Map(Object.keys(programs).map((name) => [name, []]));
    let peak = 0;
    const sampling = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, run] of Object.entries(programs)) {
        const start = performance.now();
        await run(round);
        rates.get(name).push((ORIGINS * 1000) / (performance.now() - start));
        child.send('counts');
        const [counts] = await once(child, 'message');
        if (counts.length !== ORIGINS || counts.some((count) => count !== 1))
          throw new Error(
            `${name}: ${counts.length} sites were requested, up to ${Math.max(...counts)} times`,
          );
      }
    }
    clearInterval(sampling);
    console.log(
      `${ORIGINS} sites, ${URLS} URLs each, ${CONCURRENCY} at a time, one request each; ${ROUNDS} rounds\n`,
    );
    for (const [name, each] of rates) {
      const [low, median, high] = [0, 0.5, 1].map((q) =>
        Math.round(quantile(each, q)).toLocaleString('en-US'),
      );
      console.log(`${name}: ${median} sites a second (${low} to ${high})`);
    }
    console.log(`memory at most ${Math.round(peak / 1e6)} MB`);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
}

async function decideAll(origins, store) {
  const client = new RobotsClient({ agent: 'Googlebot', userAgent: 'Googlebot', store });
  const urls = origins.flatMap((origin) =>
    Array.from({ length: URLS }, (_, index) => `${origin}/a/${index}.html`),
  );
  let decided = 0;
  for await (const { verdict } of client.decideAll(urls, { concurrency: CONCURRENCY }))
    if (verdict) decided++;
  if (decided !== urls.length) throw new Error(`${decided} of ${urls.length} URLs were decided`);
  await store.close();
}

async function requestAll(origins) {
  const dispatcher = new Agent({ pipelining: 0 });
  const waiting = origins.values();
  const work = async () => {
    for (const origin of waiting) {
      const { body } = await request(`${origin}/robots.txt`, { dispatcher });
      await body.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  await dispatcher.destroy();
}

if (process.argv[2] === 'serve') await serve();
else await measure();
