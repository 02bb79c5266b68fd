/** Audits in a thread, from the built modules. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { openRun } from '../../../dist/audit/run/open-run.js';
import type { ClaimedAudit } from '../../../dist/watch/audits/audit-repository.js';
import type { RunOutcome } from '../../../dist/watch/audits/run-audit.js';
import { RunFolder } from '../../../dist/watch/audits/run-folder.js';
import { runInThread } from '../../../dist/watch/audits/run-in-thread.js';
import { html } from '../../support/audit-runs.ts';

const PAGES = Array.from({ length: 30 }, (_, index) => `/${index}`);
const root = mkdtempSync(join(tmpdir(), 'maycrawl-thread-'));
let site: TestServer;
let onRequest: () => void = () => {};

beforeAll(async () => {
  site = await serve(({ url = '' }, reply) => {
    onRequest();
    if (url === '/robots.txt') reply.end('');
    else
      reply
        .writeHead(200, { 'content-type': 'text/html' })
        .end(html(`Page ${url}`, url === '/' ? PAGES : []));
  });
});
afterAll(async () => {
  await site.close();
  rmSync(root, { recursive: true });
});

/** Runs an audit of the site in a folder. */
function run(name: string, signal: AbortSignal = new AbortController().signal): Promise<RunOutcome> {
  const schedule = { every: 86_400_000, alertUrls: 1, errorShare: 10, keepRuns: 4 };
  const audit: ClaimedAudit = {
    ...{ origin: site.origin, run: null, startedAt: null, attempts: 0, failure: null, owner: 'test' },
    settings: { ...schedule, start: `${site.origin}/`, plan: { concurrency: 1 } },
    site: { every: 86_400_000, agents: [], notify: ['log'] },
  };
  const options = { userAgent: 'test', timeout: 300_000, signal, now: Date.now, sleep: async () => {} };
  return runInThread(audit, name, Date.now(), { ...options, folder: new RunFolder(join(root, name)) });
}

const getTitles = (outcome: RunOutcome): string[] =>
  outcome.kind === 'ended' ? outcome.impacts.map(({ title }) => title) : [];

test('a run ends with its events', async () => {
  const outcome = await run('whole');
  expect(outcome).toMatchObject({ kind: 'ended', failure: null });
  expect(getTitles(outcome)).toEqual(['audited from now on: 31 of 31 URLs are indexable for Googlebot']);
});

test('a stopped run is interrupted, and continues later', async () => {
  const stop = new AbortController();
  let requests = 0;
  onRequest = () => {
    if (++requests === 10) stop.abort(new Error('stopped'));
  };
  expect(await run('stopped', stop.signal)).toEqual({ kind: 'interrupted' });
  expect(requests).toBeLessThan(PAGES.length);
  expect(await run('stopped')).toMatchObject({ kind: 'ended', failure: null });
});

test('a run is interrupted before its first request if the monitor stops already', async () => {
  expect(await run('aborted', AbortSignal.abort())).toEqual({ kind: 'interrupted' });
});

test('a run that another process uses is not continued', async () => {
  const file = await new RunFolder(join(root, 'busy')).create('busy');
  const other = await openRun(file, 'new');
  expect(await run('busy')).toEqual({ kind: 'busy' });
  await other.close();
});

test('an error of the run is thrown', async () => {
  writeFileSync(join(root, 'file'), 'not a folder');
  await expect(run('file')).rejects.toThrow('not a directory');
});
