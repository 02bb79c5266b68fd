/** `maycrawl watch run` is killed and stopped during audits: the run continues, and no URL is reported as lost. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@maycrawl/client/internal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { openWatchDatabase } from '../../../src/watch/storage/database.ts';
import { html } from '../../support/audit-runs.ts';
import { BIN, run } from '../../support/run.ts';

const PAGES = Array.from({ length: 60 }, (_, index) => `/${index}`);
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-audit-kill-'));
const database = join(folder, 'watch.sqlite');
let site: TestServer;
let onPage: (path: string) => void = () => {};
beforeAll(async () => {
  site = await serve(({ url = '' }, reply) => {
    if (url === '/robots.txt') reply.end('');
    else {
      onPage(url);
      reply.setHeader('content-type', 'text/html').end(html(`Page ${url}`, url === '/' ? PAGES : []));
    }
  });
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

/** Starts a worker. @returns its process, and its messages so far. */
function startWorker(): { readonly worker: ChildProcess; readonly messages: () => string } {
  const worker = spawn(process.execPath, [BIN, 'watch', 'run', '--database', database], { stdio: 'pipe' });
  let text = '';
  worker.stderr?.on('data', (chunk) => {
    text += String(chunk);
  });
  return { worker, messages: () => text };
}

/** Resolves after a number of pages. */
function waitForPages(count: number): Promise<void> {
  let left = count;
  return new Promise((resolve) => {
    onPage = () => {
      if (--left === 0) resolve();
    };
  });
}

test('a killed audit and a stopped one continue in the same run', async () => {
  await run(['watch', 'add', site.origin, '--database', database]);
  const schedule = [
    'watch',
    'audit',
    site.origin,
    '--database',
    database,
    '--concurrency',
    '1',
    '--delay',
    '50ms',
  ];
  expect((await run(schedule)).stdout).toBe(
    '1 site audited every 1d, first now; maycrawl watch run audits them\n',
  );
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    const pages = waitForPages(15);
    const { worker } = startWorker();
    const exited = once(worker, 'exit');
    await pages;
    worker.kill(signal);
    expect(await exited).toEqual(signal === 'SIGKILL' ? [null, 'SIGKILL'] : [0, null]);
  }
  const ended = new Promise<void>((resolve) => {
    const { worker, messages } = startWorker();
    worker.stderr?.on('data', () => {
      if (messages().includes('audited ')) worker.kill('SIGINT');
    });
    worker.on('exit', () => resolve());
  });
  await ended;
  const log = await run(['watch', 'log', site.origin, '--database', database, '--json']);
  const events = log.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.filter(({ kind }) => kind !== 'first').map(({ kind, title }) => [kind, title])).toEqual([
    ['audit-first', `${site.origin}: audited from now on: 61 of 61 URLs are indexable for Googlebot`],
  ]);
  expect(readdirSync(join(folder, 'audits'))).toHaveLength(1);
  // Of each interrupted part, only the pages of its last moments are requested again: those that were not written yet.
  const files = ['/robots.txt', '/sitemap.xml', '/.well-known/tdmrep.json'];
  const pages = site.requests.filter((path) => !files.includes(path));
  expect(pages.length).toBeLessThan(61 + 2 * 10);
  const list = await run(['watch', 'audits', '--database', database, '--json']);
  expect([list.code, JSON.parse(list.stdout)]).toMatchObject([0, { failure: null, run: null }]);
});

test('an export has the scheduled audits, and can be imported again', async () => {
  const zone = ['--at', '03:00', '--time-zone', 'Europe/Berlin', '--every', '7d', '--exclude', '/private'];
  const crawl = [
    '--agent',
    'GPTBot',
    '--max-pages',
    '500',
    '--delay',
    '2s',
    '--crawl-delay',
    '--error-share',
    '20',
  ];
  await run(['watch', 'audit', `${site.origin}/blog/`, '--database', database, ...zone, ...crawl]);
  const list = async (): Promise<object> =>
    JSON.parse((await run(['watch', 'audits', '--database', database, '--json'])).stdout).settings;
  const before = await list();
  expect(before).toMatchObject({
    start: `${site.origin}/blog/`,
    at: '03:00',
    errorShare: 20,
    plan: { delay: 2_000, maxPages: 500 },
  });
  const { stdout } = await run(['watch', 'export', '--database', database]);
  const file = join(folder, 'sites.yaml');
  writeFileSync(file, stdout);
  await run(['watch', 'audit', site.origin, '--off', '--database', database]);
  expect((await run(['watch', 'import', file, '--database', database])).stdout).toBe(
    '1 site added or updated\n',
  );
  expect(await list()).toEqual(before);
  for (const [from, to, message] of [
    ['every: 7d', 'every: 36h', 'with --at, --every must be a number of days, not 36h'],
    ['errorShare', 'errorshare', 'unknown key "errorshare" of "audit"'],
    [`${site.origin}/blog/`, 'https://other.example/', '"url" of "audit" must be a URL of'],
  ] as const) {
    writeFileSync(file, stdout.replace(from, to));
    const { code, stderr } = await run(['watch', 'import', file, '--database', database]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});

test('the status names audits that could not finish', async () => {
  const opened = await openWatchDatabase(database);
  await opened.db.run(sql`update watch_audits set failure = ${'a reason'}, last_at = ${0}`);
  await opened.db.close();
  const { code, stdout } = await run(['watch', 'status', '--database', database]);
  expect([code, stdout]).toEqual([
    1,
    expect.stringContaining(
      `the audit at 1970-01-01T00:00:00.000Z could not finish: ${site.origin}: a reason\n`,
    ),
  ]);
  const json = JSON.parse((await run(['watch', 'status', '--database', database, '--json'])).stdout);
  expect(json.audits).toEqual([{ origin: site.origin, at: '1970-01-01T00:00:00.000Z', reason: 'a reason' }]);
});

test('the command refuses what cannot be scheduled', async () => {
  const refuse = async (...options: readonly string[]): Promise<string> => {
    const { code, stderr } = await run(['watch', 'audit', ...options, '--database', database]);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refuse('https://unknown.example')).toContain('is not monitored');
  expect(await refuse(site.origin, '--at', '3am')).toContain(
    '--at must be a time of day such as 03:00, not 3am',
  );
  expect(await refuse(site.origin, '--at', '03:00', '--every', '36h')).toContain(
    '--every must be a number of days, not 36h',
  );
  expect(await refuse(site.origin, '--at', '03:00', '--time-zone', 'Mars')).toContain(
    '--time-zone must be a time zone',
  );
  expect(await refuse(site.origin, '--time-zone', 'UTC')).toContain('--time-zone requires --at');
  expect(await refuse(site.origin, `${site.origin}/a`)).toContain('is named twice');
  expect((await run(['watch', 'audit', site.origin, '--off', '--database', database])).stdout).toBe(
    '1 site no longer audited; the runs stay\n',
  );
  expect((await run(['watch', 'audits', '--database', database, '--json'])).stdout).toBe('');
});
