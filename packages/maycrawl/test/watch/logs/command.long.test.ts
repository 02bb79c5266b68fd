/** `maycrawl watch logs`: from a site and its access log to the events of the monitor. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../../client/test/support/server.ts';
import { openWatchDatabase } from '../../../src/watch/storage/database.ts';
import { type RunResult, run } from '../../support/run.ts';
import { runHere } from '../../support/run-here.ts';

let folder: string;
let site: TestServer;
const at = (name: string): string => join(folder, name);
const toArguments = (command: string): string[] => [
  'watch',
  ...command.split(' '),
  '--database',
  at('w.sqlite'),
];
const watch = (command: string): Promise<RunResult> => runHere(toArguments(command));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-watch-logs-'));
  site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /private\n'));
  expect(await watch(`add ${site.origin}`)).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

/** Formats a line of a request at a time. */
function formatLine(date: Date, path: string, crawler: string): string {
  const [, day, month, year, clock] = /(\d+) (\w+) (\d+) ([\d:]+)/.exec(date.toUTCString()) ?? [];
  const time = `${day}/${month}/${year}:${clock} +0000`;
  return `192.0.2.1 - - [${time}] "GET ${path} HTTP/1.1" 200 10 "-" "${crawler}/1.0"\n`;
}

test('a log is added, read by the monitor, listed and removed', async () => {
  const log = at('access.log');
  writeFileSync(log, formatLine(new Date(Date.now() - 60_000), '/', 'GPTBot'));
  const added = await watch(`logs ${log} --site ${site.origin} --every 1h`);
  expect(added).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: `${log} of ${site.origin} read every 1h, first now; maycrawl watch run reads it\n`,
  });
  expect(await run(toArguments('run --once'))).toMatchObject({ code: 0 });
  const listed = await watch('logs --json');
  expect(JSON.parse(listed.stdout)).toMatchObject({
    ...{ origin: site.origin, path: log, machine: null, failure: null, lines: 1 },
    ...{ settings: { every: 3_600_000 }, crawlers: [{ crawler: 'GPTBot', requests: 1 }] },
  });
  // The next reading reports a crawler that did not come before.
  appendFileSync(log, formatLine(new Date(), '/', 'CCBot'));
  const { db } = await openWatchDatabase(at('w.sqlite'));
  await db.exec('update watch_logs set due_at = 0');
  await db.close();
  const { stdout, code } = await run(toArguments('run --once'));
  expect(code).toBe(0);
  expect(stdout).toContain('CCBot');
  const table = await watch('logs');
  expect(table.stdout).toMatch(
    /^site +log +every +next \(UTC\) +lines +crawlers +result\n\S+ +\S+ +1h +\S+ +2 +2 +complete\n$/,
  );
  expect(await watch(`logs ${log} --remove`)).toMatchObject({
    stdout: `${log} of 1 site no longer read\n`,
  });
  expect(JSON.parse(`[${(await watch('logs --json')).stdout}]`)).toEqual([]);
});

test.each([
  ['logs missing.log --site SITE', /cannot read \S*missing\.log: no such file\n$/],
  ['logs FOLDER --site SITE', /cannot read \S+: it is not a file\n$/],
  ['logs LOG', /--site is required: the monitored site of the log\n$/],
  ['logs LOG --site https://other.example', /other\.example is not monitored|other\.example/],
  ['logs LOG.gz --site SITE', /LOG\.gz is a rotated file: name the log that the server writes/],
  ['logs LOG --site SITE --trusted-proxies 10.0.0.0/8', /--trusted-proxies requires --client-ip\n$/],
  ['logs LOG --site SITE --format nonsense', /format/],
  ['logs LOG --remove', /is not read; maycrawl watch logs prints the logs\n$/],
  ['logs --site SITE', /name the access log, such as \/var\/log\/nginx\/access\.log\n$/],
  ['logs -', /name the file of an access log\n$/],
])('%s is an error in one line', async (command, message) => {
  for (const name of ['LOG', 'LOG.gz']) writeFileSync(at(name), '');
  const args = command
    .replace('SITE', site.origin)
    .replace(/\bLOG\b/, at('LOG'))
    .replace('FOLDER', folder);
  const { code, stdout, stderr } = await watch(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.split('\n')).toHaveLength(2);
});
