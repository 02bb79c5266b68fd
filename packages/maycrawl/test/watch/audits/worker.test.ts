/** Interruptions of scheduled audits: Ctrl-C, killed and paused processes, errors, several workers. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqlite } from '@maycrawl/client/internal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { readRunPoints } from '../../../src/audit/report/trend/read-trend.ts';
import { AuditRepository } from '../../../src/watch/audits/audit-repository.ts';
import type { AuditSettings } from '../../../src/watch/audits/audit-settings.ts';
import { type AuditWorkerOptions, workAudits } from '../../../src/watch/audits/audit-worker.ts';
import { RunFolder } from '../../../src/watch/audits/run-folder.ts';
import type { WatchDatabase } from '../../../src/watch/storage/database.ts';
import { LEASE_TIME } from '../../../src/watch/storage/rows.ts';
import { SiteRepository } from '../../../src/watch/storage/site-repository.ts';
import { html } from '../../support/audit-runs.ts';
import { createTestFolder } from '../../support/folder.ts';
import { describeKinds, openTestDatabase, withLeaseTime } from '../../support/watch-databases.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 1, 3);
const PAGES = Array.from({ length: 30 }, (_, index) => `/${index}`);

let site: TestServer;
let onRequest: (path: string) => void = () => {};
let robots = '';
const root = createTestFolder('worker');
let folders = 0;
beforeAll(async () => {
  site = await serve(({ url = '' }, reply) => {
    onRequest(url);
    if (url === '/robots.txt') reply.end(robots);
    else
      reply
        .writeHead(200, { 'content-type': 'text/html' })
        .end(html(`Page ${url}`, url === '/' ? PAGES : []));
  });
});
afterAll(() => site.close());

const createSettings = (more: Partial<AuditSettings> = {}): AuditSettings => ({
  ...{
    every: DAY,
    start: `${site.origin}/`,
    plan: { concurrency: 1 },
    alertUrls: 1,
    errorShare: 10,
    keepRuns: 4,
  },
  ...more,
});

/** What tests get. */
interface AuditParts {
  readonly database: WatchDatabase;
  readonly audits: AuditRepository;
  readonly path: string;
  readonly run: (options?: Partial<AuditWorkerOptions>) => Promise<string[]>;
  readonly getTitles: () => Promise<string[]>;
}

/** Runs work with a scheduled audit, and a worker of it. */
async function auditSite(database: WatchDatabase, work: (parts: AuditParts) => Promise<void>): Promise<void> {
  const path = join(root, String(folders++));
  onRequest = () => {};
  robots = '';
  const repository = new SiteRepository(database);
  await repository.addSites([site.origin], { every: DAY, agents: [], notify: ['log'] }, () => START);
  const audits = new AuditRepository(database);
  await audits.schedule([site.origin], () => createSettings(), START);
  const run = async (options: Partial<AuditWorkerOptions> = {}): Promise<string[]> => {
    const started: string[] = [];
    await workAudits({
      ...{ repository: audits, folder: new RunFolder(path), userAgent: 'test', timeout: 300_000 },
      ...{ signal: new AbortController().signal, now: () => START, once: true, sleep: async () => {} },
      onStarted: (_origin, each) => started.push(each),
      ...options,
    });
    return started;
  };
  const getTitles = async (): Promise<string[]> =>
    (await repository.events(100, site.origin)).map(({ title }) => title.replace(`${site.origin}: `, ''));
  await work({ database, audits, path, run, getTitles });
}

/** Aborts after some requests. */
function createStop(requests: number): AbortSignal {
  const controller = new AbortController();
  let count = 0;
  onRequest = () => {
    if (++count === requests) controller.abort(new Error('stopped'));
  };
  return controller.signal;
}

describeKinds((withDatabase) => {
  const withAudit = (work: (parts: AuditParts) => Promise<void>): Promise<void> =>
    withDatabase((database) => auditSite(database, work));

  test('a stopped audit continues in the same run, and requests no page twice', () =>
    withAudit(async ({ audits, path, run, getTitles }) => {
      const before = site.requests.length;
      const first = await run({ signal: createStop(12) });
      expect(await getTitles()).toEqual([]);
      expect(await audits.find(site.origin)).toMatchObject({
        run: first[0],
        attempts: 0,
        lease_owner: null,
        due_at: START,
      });
      onRequest = () => {};
      expect(await run({ now: () => START + 3_600_000 })).toEqual(first);
      expect(await getTitles()).toEqual(['audited from now on: 31 of 31 URLs are indexable for Googlebot']);
      const pages = site.requests
        .slice(before)
        .filter((each) => each !== '/robots.txt' && each !== '/sitemap.xml');
      // The page that was in flight is requested again.
      expect(pages.length - new Set(pages).size).toBeLessThanOrEqual(1);
      expect((await readRunPoints(path)).map(({ state }) => state)).toEqual(['complete']);
      expect(await audits.find(site.origin)).toMatchObject({
        run: null,
        last_run: first[0],
        due_at: START + DAY,
      });
    }));

  test('the audit of a killed worker is continued by another one when the lease has expired', () =>
    withAudit(async ({ database, audits, run, getTitles }) => {
      let time = START;
      const timed = new AuditRepository(withLeaseTime(database, () => time));
      const claimed = await timed.claim('killed', START);
      if (claimed === undefined) throw new Error('nothing was claimed');
      expect(await timed.recordAttempt(claimed, 'a-20261101T030000Z', START, 1)).toBe(true);
      time += LEASE_TIME - 1;
      expect(await run({ repository: timed })).toEqual([]);
      time++;
      expect(await run({ repository: timed })).toEqual(['a-20261101T030000Z']);
      expect(await getTitles()).toHaveLength(1);
      // The other worker, which was only paused, records nothing.
      expect(await timed.recordAttempt(claimed, 'b', START, 1)).toBe(false);
      const result = { at: START, run: 'b', failure: null, impacts: [], dueAt: 0 };
      expect(await timed.record(claimed, result)).toEqual([]);
      await timed.postpone(claimed, 0, 1);
      expect(await audits.find(site.origin)).toMatchObject({
        last_run: 'a-20261101T030000Z',
        due_at: START + DAY,
      });
    }));

  test('two workers do not audit the same site', () =>
    withAudit(async ({ run }) => {
      const all = await Promise.all([run(), run()]);
      expect(all.map((each) => each.length).sort()).toEqual([0, 1]);
    }));

  test('the event about a run that is given up names its last error', () =>
    withAudit(async ({ getTitles, run }) => {
      let now = START;
      const stop = new AbortController();
      await run({
        ...{ once: false, now: () => now, signal: stop.signal },
        run: async () => {
          throw new Error('database or disk is full\nat line 1');
        },
        onEnded: () => stop.abort(),
        sleep: async (milliseconds) => {
          now += milliseconds;
        },
      });
      expect(await getTitles()).toEqual([
        'the audit could not finish: 3 attempts failed, the last one with the error "database or disk is full"',
      ]);
    }));

  test('damaged settings do not stop the worker, and a removed site has no audit', () =>
    withAudit(async ({ database, audits, run }) => {
      const { sql } = await import('@maycrawl/client/internal');
      await database.db.run(sql`update watch_audits set settings = ${'{"every":0}'}`);
      await expect(run()).rejects.toThrow(/settings of its audits/);
      expect(await run()).toEqual([]);
      await new SiteRepository(database).removeSites([site.origin]);
      expect(await audits.list()).toEqual([]);
    }));

  test('changed settings are no changes of the site, and each run has a report', () =>
    withAudit(async ({ audits, path, run, getTitles }) => {
      await run();
      await audits.schedule([site.origin], () => createSettings({ plan: { exclude: ['/1'] } }), START);
      // Other settings of the run: what is missing has no cause on the site.
      await run({ now: () => START + DAY });
      expect(await getTitles()).toHaveLength(1);
      const [, second] = await readRunPoints(path);
      expect(readFileSync(join(path, second?.name ?? '', 'report.html'), 'utf8')).toContain('<title>');
    }));
});

// These tests are about the worker: their queries are those of the tests above.
const withAudit = async (work: (parts: AuditParts) => Promise<void>): Promise<void> =>
  auditSite(await openTestDatabase(), work);

test('a run that does not end gives way to another audit that is due, and continues after it', () =>
  withAudit(async ({ database, audits, run }) => {
    const other = 'https://other.example';
    await new SiteRepository(database).addSites([other], { every: DAY, agents: [], notify: [] }, () => START);
    await audits.schedule([other], () => createSettings({ start: `${other}/` }), START + 1);
    const turns: string[] = [];
    const started = await run({
      ...{ turnTime: 1, now: () => START + turns.length + 1 },
      run: async ({ origin }, _name, _startedAt, { signal }) => {
        turns.push(origin);
        if (origin === site.origin && turns.length === 1)
          await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        if (signal.aborted) return { kind: 'interrupted' };
        return { kind: 'ended', failure: null, impacts: [] };
      },
    });
    expect(turns).toEqual([site.origin, other, site.origin]);
    // The same run, without a failed attempt.
    expect(started[2]).toBe(started[0]);
  }));

test('a run that was stopped for longer than the interval is not continued, and nothing is reported as lost', () =>
  withAudit(async ({ path, run, getTitles }) => {
    await run();
    const second = await run({ now: () => START + DAY, signal: createStop(12) });
    onRequest = () => {};
    const third = await run({ now: () => START + 2 * DAY });
    expect(third).not.toEqual(second);
    expect(await getTitles()).toEqual(['audited from now on: 31 of 31 URLs are indexable for Googlebot']);
    const points = await readRunPoints(path);
    expect(points.map(({ comparedWith }) => comparedWith)).toEqual([null, points[0]?.name]);
  }));

test('an audit that fails three times is given up until the next interval, and that is reported once', () =>
  withAudit(async ({ audits, path, run, getTitles }) => {
    writeFileSync(path, 'not a folder');
    const errors: string[] = [];
    let now = START;
    for (let attempt = 0; attempt < 4; attempt++) {
      await run({ now: () => now, onError: (what) => errors.push(what) });
      now = (await audits.find(site.origin))?.due_at ?? 0;
    }
    expect(errors).toEqual([
      ...Array(3).fill(`the audit of ${site.origin} failed`),
      `old runs of ${site.origin} were not deleted`,
    ]);
    expect(now).toBe(START + DAY);
    const [title = ''] = await getTitles();
    // Each call of the test is another worker.
    expect(title).toBe(
      'the audit could not finish: 3 attempts ended with the process or with an error; the log of the monitor names it',
    );
    rmSync(path);
    await run({ now: () => now });
    expect(await getTitles()).toEqual(
      expect.arrayContaining([title, 'audited from now on: 31 of 31 URLs are indexable for Googlebot']),
    );
  }));

test('a run that another process has open is not given up', () =>
  withAudit(async ({ audits, getTitles, run }) => {
    let now = START;
    for (let attempt = 0; attempt < 5; attempt++) {
      await run({ now: () => now, run: async () => ({ kind: 'busy' }) });
      now = (await audits.find(site.origin))?.due_at ?? 0;
    }
    await run({ now: () => now });
    expect(await getTitles()).toEqual(['audited from now on: 31 of 31 URLs are indexable for Googlebot']);
  }));

test('a run without verdicts is evaluated before it is compared; one that cannot be opened is not', () =>
  withAudit(async ({ path, run, getTitles }) => {
    await run();
    const [first] = await readRunPoints(path);
    const file = join(path, first?.name ?? '', 'run.sqlite');
    const old = await openSqlite(file);
    old.exec(
      "delete from verdicts; delete from findings; update run set value = 'null' where name = 'judged'",
    );
    old.close();
    robots = 'User-agent: *\nDisallow: /1';
    await run({ now: () => START + DAY });
    expect(await getTitles()).toContain(
      '11 URLs on / are not indexable for Googlebot since November 1: robots.txt, line 2 (Disallow: /1)',
    );
    const [, second] = await readRunPoints(path);
    writeFileSync(join(path, second?.name ?? '', 'run.sqlite'), 'damaged');
    const texts: string[] = [];
    await run({
      now: () => START + 2 * DAY,
      onEnded: (_origin, _run, events) => texts.push(...events.map(({ title, text }) => `${title}\n${text}`)),
    });
    // The run before it can be compared: no change is lost.
    expect(texts).toEqual([expect.stringContaining(`It cannot be compared with ${second?.name}: `)]);
    expect(texts[0]).toContain('11 URLs on / are not indexable for Googlebot since November 1: robots.txt');
    const [, , third] = await readRunPoints(path);
    expect(third?.comparedWith).toBe(first?.name);
    for (const each of await readRunPoints(path))
      writeFileSync(join(path, each.name, 'run.sqlite'), 'damaged');
    await run({
      now: () => START + 3 * DAY,
      onEnded: (_origin, _run, [event]) => texts.push(`${event?.title}\n${event?.text}`),
    });
    expect(texts[1]).toContain(`It cannot be compared with ${third?.name}: `);
    expect(texts[1]).toContain('audited from now on: 20 of 31 URLs are indexable for Googlebot');
  }));
