// The monitor with several workers on one PostgreSQL, under a compressed clock: all sites once, all again, and all again while two of
// the workers are killed midway, whose sites become due when their leases have expired. Workers and sites are separate processes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sql } from '@maycrawl/client/internal';
import { refetchRobotsTxt } from '../packages/client/dist/robots/fetch.js';
import { createAnalysisThreads } from '../packages/maycrawl/dist/watch/analysis/analysis-threads.js';
import { openWatchDatabase } from '../packages/maycrawl/dist/watch/storage/database.js';
import { Outbox } from '../packages/maycrawl/dist/watch/storage/outbox.js';
import { LEASE_TIME } from '../packages/maycrawl/dist/watch/storage/rows.js';
import { SiteRepository } from '../packages/maycrawl/dist/watch/storage/site-repository.js';
import { work } from '../packages/maycrawl/dist/watch/worker.js';
import { quantile } from './measure.mjs';
import { findPostgres, startPostgres } from './postgres.mjs';
import { startSites } from './watched-sites.mjs';

const SITES = Number(process.env.BENCH_SITES ?? 20_000);
const WORKERS = 4;
const KILLED = 2;
const HOUR = 3_600_000;

/** One worker: checks the due sites, sends their number, and exits. */
async function runWorker(url, now) {
  const database = await openWatchDatabase(url);
  const repository = new SiteRepository(database);
  const claims = [];
  const { claimDue } = repository;
  repository.claimDue = async (...args) => {
    const start = performance.now();
    const claimed = await claimDue.apply(repository, args);
    if (claimed.length > 0) claims.push(performance.now() - start);
    return claimed;
  };
  let checked = 0;
  const { analyse, close } = createAnalysisThreads({
    onError: (error) => {
      throw error;
    },
  });
  await work({
    ...{ repository, outbox: new Outbox(database), fetcher: refetchRobotsTxt, userAgent: 'bench', analyse },
    ...{ allowPrivateAddresses: true, timeout: 30_000, signal: new AbortController().signal, once: true },
    ...{ now: () => now, random: Math.random, sleep: async () => {} },
    deliver: async () => ({ kind: 'delivered' }),
    onChecked: () => {
      if (++checked % 100 === 0) process.send({ checked });
    },
    onError: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  process.send({ checked, claims });
  await close();
  await database.db.close();
  process.disconnect();
}

/** Lets workers check the due sites; some are killed after a number of checks. */
async function runWorkers(url, now, count, killed = 0, killAfter = 0) {
  const claims = [];
  const start = performance.now();
  let checked = 0;
  await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const child = fork(fileURLToPath(import.meta.url), ['worker', url, String(now)]);
      let own = 0;
      child.on('message', (message) => {
        own = message.checked;
        claims.push(...(message.claims ?? []));
        if (index < killed && own >= killAfter) child.kill('SIGKILL');
      });
      const [code, signal] = await once(child, 'exit');
      if (code !== 0 && signal !== 'SIGKILL') throw new Error(`a worker ended with ${code ?? signal}`);
      checked += own;
    }),
  );
  return { seconds: (performance.now() - start) / 1000, claims, checked };
}

async function measure() {
  const programs = findPostgres();
  if (programs === undefined) return console.log('there is no PostgreSQL here');
  const sites = await startSites(SITES);
  const server = await startPostgres(programs);
  console.log(`${server.version}, ${WORKERS} workers, ${SITES} sites`);
  const database = await openWatchDatabase(server.url);
  try {
    await goThrough(new SiteRepository(database), database.db, sites, server.url);
  } finally {
    await database.db.close();
    await server.end();
    sites.end();
  }
}

async function goThrough(repository, db, sites, url) {
  let now = Date.UTC(2026, 0, 1);
  await repository.addSites(sites.origins, { every: HOUR, agents: ['Googlebot'], notify: [] }, () => now);
  const readSize = async () => {
    const row = await db.get(sql`select pg_database_size(current_database()) as size`);
    return row.size;
  };
  const checksDone = async () => {
    const row = await db.get(sql`select sum(checks) as sum from watch_sites`);
    return Number(row.sum);
  };
  const empty = await readSize();
  const report = async (hour, { seconds, claims }, before) => {
    const [done, requested, size] = [
      (await checksDone()) - before,
      await sites.requested(),
      await readSize(),
    ];
    const at = (q) => quantile(claims, q).toFixed(1);
    console.log(
      [
        `${hour}: ${done} checks in ${seconds.toFixed(0)} s, ${(done / seconds).toFixed(0)}/s`,
        `claiming 200 sites: median ${at(0.5)} ms, 99 % ${at(0.99)} ms (${claims.length})`,
        `${requested.sites} sites requested, ${requested.twice} of them twice`,
        `database ${(size / 2 ** 20).toFixed(0)} MiB, ${((size - empty) / SITES).toFixed(0)} bytes a site more than at first`,
      ].join('; '),
    );
    return done;
  };
  for (const hour of [0, 1]) {
    await sites.setHour(hour);
    const before = await checksDone();
    const done = await report(`hour ${hour}`, await runWorkers(url, now, WORKERS), before);
    if (done !== SITES) throw new Error(`${done} checks were done, not ${SITES}`);
    // After the jitter of all sites.
    now += 1.1 * HOUR;
  }
  await sites.setHour(2);
  const before = await checksDone();
  // After half of the checks of each.
  const first = await runWorkers(url, now, WORKERS, KILLED, SITES / WORKERS / 2);
  const { due } = await repository.counts(now);
  const { sites: requested, twice } = await sites.requested();
  console.log(
    `hour 2, ${KILLED} workers killed midway: ${(await checksDone()) - before} checks in ${first.seconds.toFixed(0)} s; ${requested} sites requested, ${twice} twice; ${due} sites are still due`,
  );
  // The leases of the killed workers expire by the clock of the database.
  await sleep(LEASE_TIME);
  await runWorkers(url, now, WORKERS);
  const wrong = await db.all(
    sql`select origin from watch_sites where checks <> 3 or lease_owner is not null`,
  );
  if (wrong.length > 0) throw new Error(`${wrong.length} sites were not checked exactly three times`);
  console.log('each site was checked exactly once an hour');
}

if (process.argv[2] === 'worker') await runWorker(process.argv[3], Number(process.argv[4]));
else await measure();
