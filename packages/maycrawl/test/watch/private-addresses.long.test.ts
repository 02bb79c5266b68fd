import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getPolicyCode } from '@maycrawl/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import type { SiteSettings } from '../../src/watch/site.ts';
import { openWatchDatabase } from '../../src/watch/storage/database.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { type RunResult, run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

const HOUR = 3_600_000;
let folder: string;
let path: string;
let site: TestServer;
let receiver: TestServer;
let internal: TestServer;
let redirect: string | undefined;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-private-'));
  path = join(folder, 'watch.sqlite');
  redirect = undefined;
  internal = await serve((_request, response) => response.end('User-agent: *\nDisallow: /secret\n'));
  receiver = await serve((_request, response) => response.end());
  site = await serve((_request, response) =>
    redirect === undefined
      ? response.end('User-agent: *\n')
      : response.writeHead(302, { location: redirect }).end(),
  );
});
afterEach(async () => {
  await Promise.all([site.close(), receiver.close(), internal.close()]);
  rmSync(folder, { recursive: true });
});

/** Runs a command: in this process, unless it starts threads. */
const watch = (name: string, ...args: string[]): Promise<RunResult> =>
  (/^(?:check|run)$/.test(name) ? run : runHere)(['watch', name, '--database', path, ...args]);

/** Adds the site as the pages of the service do: without private addresses that the operator has allowed. */
async function addByService(settings: Partial<SiteSettings>): Promise<void> {
  const database = await openWatchDatabase(path);
  await new SiteRepository(database).addSites(
    [site.origin],
    // A failure is reported without a second check.
    { every: HOUR, confirm: 0, agents: [], notify: [], ...settings },
    () => 1,
  );
  await database.db.close();
}

async function getPolicy(): Promise<string> {
  const { stdout } = await watch('list', '--json');
  return getPolicyCode(JSON.parse(stdout).policy);
}

test('a site and a webhook from the command line may have private addresses, the target of a redirect may not', async () => {
  await watch('add', site.origin, '--notify', `${receiver.origin}/hook`);
  await watch('run', '--once');
  expect(await getPolicy()).toBe('rules');
  expect(receiver.requests).toEqual(['/hook']);
  redirect = `${internal.origin}/robots.txt`;
  await watch('check', site.origin);
  expect(internal.requests).toEqual([]);
  await watch('check', site.origin, '--allow-private');
  expect(internal.requests).toEqual(['/robots.txt']);
});

test('a site and a webhook from the web page may not have private addresses', async () => {
  await addByService({ notify: [`${receiver.origin}/hook`] });
  await watch('run', '--once');
  expect(site.requests).toEqual([]);
  expect(receiver.requests).toEqual([]);
  const status = await watch('status');
  expect(status.code).toBe(1);
  expect(status.stdout).toMatch(
    /not delivered to http:\/\/127\.0\.0\.1:\d+\/… since .*: not a public address/,
  );
  // The operator allows it on the command line.
  await watch('add', site.origin, '--notify', `${receiver.origin}/hook`);
  await watch('check', site.origin);
  await watch('run', '--once');
  expect(site.requests).toEqual(['/robots.txt']);
  expect(receiver.requests).toEqual(['/hook']);
});

test('a private target that the operator allows for one site is not allowed for another', async () => {
  const target = `${receiver.origin}/hook`;
  await watch('add', internal.origin, '--notify', target);
  await addByService({ notify: [target], isOriginOpen: true });
  await watch('run', '--once');
  expect(internal.requests.length + site.requests.length).toBe(2);
  // Only one of two alerts of the same minute is delivered.
  expect(receiver.requests).toEqual(['/hook']);
  const { stdout } = await watch('status', '--json');
  expect(JSON.parse(stdout)).toMatchObject({ waiting: 1, dropped: 0 });
});
