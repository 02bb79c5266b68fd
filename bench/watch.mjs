// The monitor on many sites under a compressed clock: an hour passes as soon as all checks of the hour are done. One in a hundred
// sites changes each hour. The worker is this process, with a SQLite file; watch-fleet.mjs has several, with PostgreSQL.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refetchRobotsTxt } from '../packages/client/dist/robots/fetch.js';
import { createAnalysisThreads } from '../packages/maycrawl/dist/watch/analysis/analysis-threads.js';
import { openWatchDatabase } from '../packages/maycrawl/dist/watch/storage/database.js';
import { Outbox } from '../packages/maycrawl/dist/watch/storage/outbox.js';
import { SiteRepository } from '../packages/maycrawl/dist/watch/storage/site-repository.js';
import { work } from '../packages/maycrawl/dist/watch/worker.js';
import { quantile } from './measure.mjs';
import { startSites } from './watched-sites.mjs';

const SITES = Number(process.env.BENCH_SITES ?? 20_000);
const HOURS = Number(process.env.BENCH_HOURS ?? 4);
const HOUR = 3_600_000;
const MEBIBYTE = 2 ** 20;

async function measure() {
  const sites = await startSites(SITES);
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-bench-'));
  const path = join(folder, 'watch.sqlite');
  const database = await openWatchDatabase(path);
  const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
  const threads = createAnalysisThreads({
    onError: (error) => {
      throw error;
    },
  });
  let now = Date.UTC(2026, 0, 1);
  const begun = performance.now();
  await repository.addSites(sites.origins, { every: HOUR, agents: ['Googlebot'], notify: [] }, () => now);
  console.log(`${SITES} sites added in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  const claims = [];
  const { claimDue } = repository;
  repository.claimDue = async (...args) => {
    const start = performance.now();
    const claimed = await claimDue.apply(repository, args);
    if (claimed.length > 0) claims.push(performance.now() - start);
    return claimed;
  };
  let events = 0;
  let size = 0;
  for (let hour = 0; hour < HOURS; hour++) {
    await sites.setHour(hour);
    const start = performance.now();
    const cpu = process.cpuUsage();
    let checked = 0;
    const before = events;
    await work({
      ...{
        repository,
        outbox,
        fetcher: refetchRobotsTxt,
        analyse: threads.analyse,
        userAgent: 'bench',
        allowPrivateAddresses: true,
        timeout: 30_000,
      },
      signal: new AbortController().signal,
      ...{ now: () => now, random: Math.random, once: true, sleep: async () => {} },
      deliver: async () => ({ kind: 'delivered' }),
      onChecked: (_origin, event) => {
        checked++;
        if (event !== undefined) events++;
      },
      onError: (what, error) => {
        throw new Error(what, { cause: error });
      },
    });
    const seconds = (performance.now() - start) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const grown = statSync(path).size - size;
    size += grown;
    const line = [
      `hour ${hour}: ${checked} checks in ${seconds.toFixed(0)} s, ${(checked / seconds).toFixed(0)}/s`,
      `${((100 * (user + system)) / 1e6 / 3600).toFixed(1)} % of a core's hour`,
      `${events - before} events, memory ${(process.memoryUsage().rss / MEBIBYTE).toFixed(0)} MiB`,
      `file ${(size / MEBIBYTE).toFixed(1)} MiB (${(grown / checked).toFixed(0)} bytes a check)`,
    ];
    console.log(line.join('; '));
    // After the jitter of all sites.
    now += 1.1 * HOUR;
  }
  await threads.close();
  const at = (q) => quantile(claims, q).toFixed(1);
  console.log(`taking on 200 sites: median ${at(0.5)} ms, 99 % ${at(0.99)} ms`);
  await database.db.close();
  rmSync(folder, { recursive: true });
  sites.end();
}

await measure();
