import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, on, once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@maycrawl/client/internal';
import { expect, test } from 'vitest';
import { findPostgres, startPostgres } from '../../../client/test/support/postgres.ts';
import { serve } from '../../../client/test/support/server.ts';
import { deliver } from '../../src/watch/notifications/delivery/deliver.ts';
import { parseTarget } from '../../src/watch/notifications/targets/target.ts';
import { openWatchDatabase } from '../../src/watch/storage/database.ts';
import { LEASE_TIME } from '../../src/watch/storage/rows.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { withLeaseTime } from '../support/watch-databases.ts';
import { HOUR, MONTH, type MonthState, START, sendMonth } from '../support/watched-month.ts';
import { workOnce } from '../support/work-once.ts';

/** How many times a worker is killed; the soak run sets a higher number. */
const CRASHES = Number(process.env['CRASHES'] ?? 50);
const SCRIPT = new URL('../support/watch-process.mjs', import.meta.url);
/** The time after which another worker can claim the sites of a killed worker, in milliseconds. */
const LEASE = LEASE_TIME + 10_000;

/**
 * Starts a worker, and kills it some milliseconds later: from before its check to after the delivery.
 *
 * @returns `false` if it was complete before.
 */
async function isKilledByForce(path: string, now: number, delay: number): Promise<boolean> {
  const child = fork(SCRIPT, [path, String(now)], { execArgv: [] });
  child.once('message', () => setTimeout(() => child.kill('SIGKILL'), delay));
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  if (signal !== 'SIGKILL') expect(code).toBe(0);
  return signal === 'SIGKILL';
}

/**
 * Runs all steps of the script, and kills workers.
 *
 * @param crashes - the number of kills
 * @returns the events, the versions and the delivered alerts
 */
async function runScript(
  crashes: number,
): Promise<{ events: string[]; versions: string[]; delivered: string[]; sent: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-watch-'));
  const path = join(folder, 'watch.sqlite');
  // Twenty states, and the outage.
  const states = [...MONTH.slice(0, 20), ...MONTH.slice(-2)];
  let current = states[0] as MonthState;
  const site = await serve(({ url }, reply) =>
    sendMonth(current.response, { url, count: 2, other: site.origin }, reply),
  );
  const delivered: string[] = [];
  const receiver = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      for (const { id } of JSON.parse(body).alerts) delivered.push(id);
      response.end();
    });
  });
  const database = await openWatchDatabase(path);
  const repository = new SiteRepository(database);
  const urls = await repository.storeText('urls.txt', '/shop/a\n/shop/b\n/about\n');
  const notify = [`${receiver.origin}/hook`];
  await repository.addSites(
    [site.origin],
    { every: HOUR, confirm: 0, agents: [], urls, notify },
    () => START,
  );
  // One check of each state is enough for this test, and five of the long outage.
  const countChecks = ({ lasts }: MonthState): number => (lasts > 24 * HOUR ? 5 : 1);
  const total = states.reduce((sum, each) => sum + countChecks(each), 0);
  const work = (time: number): Promise<void> =>
    workOnce(
      withLeaseTime(database, () => time),
      {
        now: () => time,
        deliver: (target, message) =>
          deliver(parseTarget(target), message, { environment: {}, signal: new AbortController().signal }),
      },
    );
  let killed = 0;
  let checks = 0;
  let now = START;
  for (const each of states) {
    current = each;
    for (let count = 0; count < countChecks(each); count++, checks++, now += 8 * HOUR) {
      // The kills are distributed over the run; a check may have several.
      const goal = Math.floor((crashes * (checks + 1)) / total);
      for (let tries = 0; ; tries++) {
        const acknowledged = new Set(await getDeliveredIds(path));
        const before = delivered.length;
        const time = now + tries * LEASE;
        const isKilled = killed < goal && (await isKilledByForce(path, time, (killed * 7) % 60));
        if (!isKilled) await work(time);
        for (const id of delivered.slice(before)) expect(acknowledged.has(id)).toBe(false);
        if (!isKilled) break;
        killed++;
        // Two kills during one analysis would set the site aside.
        await database.db.run(sql`update watch_sites set attempts = 0`);
      }
    }
  }
  // The last worker delivers the alerts whose worker was killed, after the lease has expired.
  await work(now);
  // After a kill the check is repeated some seconds later.
  const maskTimes = (text: string): string =>
    text
      .replaceAll(site.origin, 'SITE')
      .replace(/\d+ hours\b/g, 'N hours')
      .replace(/:\d\d:\d\d\.\d{3}Z/g, ':MM:SSZ');
  const rows = (await repository.events(1_000)).reverse();
  const events = rows.map(({ kind, severity, title }) => maskTimes(`${kind} ${severity} ${title}`));
  const versions = (await repository.versions(site.origin))
    .map(({ kind, hash }) => `${kind} ${hash}`)
    .reverse();
  // Changes of formatting only are stored, and not sent.
  const sent = rows.filter(({ kind }) => kind !== 'formatting');
  expect(new Set(delivered)).toEqual(new Set(sent.map(({ id }) => id)));
  expect(killed).toBeGreaterThanOrEqual(crashes);
  await database.db.close();
  await site.close();
  await receiver.close();
  rmSync(folder, { recursive: true });
  return { events, versions, delivered, sent: sent.length };
}

async function getDeliveredIds(path: string): Promise<string[]> {
  const { db } = await openWatchDatabase(path);
  const rows = await db.all<{ event: string }>(
    sql`select event from watch_outbox where delivered_at is not null`,
  );
  await db.close();
  return rows.map(({ event }) => event);
}

test('a worker that is killed repeatedly loses no event, and delivers no acknowledged alert again', async () => {
  const undisturbed = await runScript(0);
  expect(undisturbed.delivered.length).toBe(undisturbed.sent);
  expect(undisturbed.sent).toBeLessThan(undisturbed.events.length);
  const disturbed = await runScript(CRASHES);
  expect(disturbed.events).toEqual(undisturbed.events);
  expect(disturbed.versions).toEqual(undisturbed.versions);
}, 900_000);

test('a paused worker does not overwrite the result of the worker that took over its site', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-watch-'));
  const path = join(folder, 'watch.sqlite');
  const pending: ServerResponse[] = [];
  const requested = new EventEmitter();
  const site = await serve((_request, response) => {
    if (pending.length > 0) return void response.end('User-agent: *\nDisallow: /new\n');
    pending.push(response);
    requested.emit('request');
  });
  const database = await openWatchDatabase(path);
  const repository = new SiteRepository(database);
  await repository.addSites([site.origin], { every: HOUR, agents: [], notify: [] }, () => START);
  const first = once(requested, 'request');
  const paused = fork(SCRIPT, [path, String(START), '60000'], { execArgv: [] });
  await first;
  paused.kill('SIGSTOP');
  const other = fork(SCRIPT, [path, String(START + LEASE_TIME), '60000'], { execArgv: [] });
  await once(other, 'exit');
  paused.kill('SIGCONT');
  pending[0]?.end('User-agent: *\nDisallow: /old\n');
  await once(paused, 'exit');
  const [version, ...others] = await repository.versions(site.origin);
  expect(others).toEqual([]);
  expect(Buffer.from((await repository.content(version?.hash ?? '')) ?? []).toString()).toContain('/new');
  expect(await repository.site(site.origin)).toMatchObject({ checks: 1, lease_owner: null });
  await database.db.close();
  await site.close();
  rmSync(folder, { recursive: true });
});

const postgres = await findPostgres();
/** Several batches of each worker. */
const SITES = 800;

/** Waits for a message of a process. */
async function receive(child: ChildProcess, pattern: RegExp): Promise<void> {
  for await (const [message] of on(child, 'message')) if (pattern.test(String(message))) return;
}

test.skipIf(postgres === undefined)(
  'four workers on one PostgreSQL database check each site once, although two of them are killed',
  async () => {
    const server = await startPostgres(postgres as string);
    const url = await server.create('watch');
    const requests = new Map<string, number>();
    const sites = await serve(({ headers }, response) => {
      requests.set(headers.host ?? '', (requests.get(headers.host ?? '') ?? 0) + 1);
      response.end('User-agent: *\nDisallow: /a\n');
    }, '0.0.0.0');
    const { port } = new URL(sites.origin);
    const origins = Array.from(
      { length: SITES },
      (_, index) => `http://127.0.${1 + (index >> 8)}.${index & 255}:${port}`,
    );
    const database = await openWatchDatabase(url);
    const repository = new SiteRepository(database);
    await repository.addSites(origins, { every: HOUR, agents: [], notify: [] }, () => START);
    // Without a time limit in reach: on a busy machine, requests that fail would be repeated like those of a killed worker.
    const start = (now: number, checksBeforeKill = ''): ChildProcess =>
      fork(SCRIPT, [url, String(now), '300000', '', checksBeforeKill], { execArgv: [] });
    // Each has claimed two hundred sites when the others start, which may be faster.
    const killed = [start(START, '50'), start(START, '100')];
    const signals = killed.map(async (child) => (await once(child, 'exit'))[1]);
    await Promise.all(killed.map((child) => receive(child, /^http/)));
    const others = [start(START), start(START)];
    await Promise.all(others.map((child) => once(child, 'exit')));
    expect(await Promise.all(signals)).toEqual(['SIGKILL', 'SIGKILL']);
    const left = await repository.counts(START);
    // What the killed workers had claimed, without the 150 results that they reported, and those that they had only recorded.
    expect(left.due).toBeGreaterThanOrEqual(400 - 150 - 2 * 15);
    expect(left.due).toBeLessThanOrEqual(400 - 150);
    await once(start(START + 20 * 60_000), 'exit');
    expect((await repository.counts(START + 1)).due).toBe(0);
    const rows = await repository.sites(SITES + 1);
    expect(rows.every(({ checks, version }) => checks === 1 && version === 1)).toBe(true);
    // Only the sites that a worker was fetching when it was killed are fetched twice.
    expect([...requests.values()].filter((count) => count > 1).length).toBeLessThanOrEqual(2 * 16);
    expect(requests.size).toBe(SITES);
    await database.db.close();
    await sites.close();
    await server.destroy();
  },
  600_000,
);
