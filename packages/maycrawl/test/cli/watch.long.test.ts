import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@maycrawl/client/internal';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { openWatchDatabase } from '../../src/watch/storage/database.ts';
import { type RunResult, run } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

let folder: string;
let path: string;
let site: TestServer;
let file: string;
beforeAll(async () => {
  site = await serve((_request, response) => response.end(file));
});
afterAll(() => site.close());
afterEach(() => void vi.unstubAllEnvs());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-watch-'));
  path = join(folder, 'watch.sqlite');
  file = 'User-agent: *\nDisallow: /a\n';
  return () => rmSync(folder, { recursive: true });
});

/** Subcommands that start threads. */
const CHECKS = /^(?:run|check)\b/;

/** Runs a subcommand. @param command - its name and the first arguments, with a space between them. */
const watch = (command: string, ...args: string[]): Promise<RunResult> =>
  (CHECKS.test(command) ? run : runHere)(['watch', ...command.split(' '), '--database', path, ...args]);

/** Makes every site due again. */
async function makeDue(): Promise<void> {
  const { db } = await openWatchDatabase(path);
  await db.exec('update watch_sites set due_at = 0');
  await db.close();
}

test('a site from its first check to the impact of a change', async () => {
  const urls = join(folder, 'urls.txt');
  const tests = join(folder, 'tests.yaml');
  const feed = join(folder, 'feed.xml');
  writeFileSync(urls, '/a\n/b\n/c\n');
  writeFileSync(tests, '- agent: Googlebot\n  allow: [/b]\n');
  const added = await watch(
    `add ${site.origin} --every 15m --agent Googlebot --urls ${urls} --tests ${tests} --notify feed:${feed}`,
  );
  expect(added).toMatchObject({
    code: 0,
    stdout: '1 site added or updated; maycrawl watch run checks them\n',
  });
  expect(await watch('run', '--once')).toMatchObject({ code: 0, stderr: 'maycrawl: 1 site checked\n' });
  file += 'Disallow: /b\n';
  await makeDue();
  const { code, stdout } = await watch('run', '--once');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /error .*newly blocked: \/b for Googlebot\. 1 of your tests broken\. Googlebot: 1 of your 3 URLs newly blocked\n$/,
  );
  const log = await watch('log', site.origin);
  expect(log.stdout).toContain('    test broken: Googlebot: allow /b\n    blocked for Googlebot: /b\n');
  const [last, first] = (await watch('log', site.origin, '--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(first).toMatchObject({ kind: 'first', severity: 'info', version: 1, throttled: false });
  expect(last).toMatchObject({
    version: 2,
    details: {
      aspects: ['blocked', 'tests-broken', 'urls-blocked'],
      equivalent: false,
      tests: { broken: ['Googlebot: allow /b'], fixed: [] },
      changes: [{ agents: ['Googlebot'], direction: 'blocked', example: '/b' }],
      urls: {
        ...{ total: 3, blocked: 1, allowed: 0 },
        crawlers: [{ agents: ['Googlebot'], blocked: 1, allowed: 0 }],
      },
    },
  });
  expect((await watch('show', `${site.origin}@1`)).stdout).toBe('User-agent: *\nDisallow: /a\n');
  expect(JSON.parse((await watch('show', `${site.origin}@2`, '--json')).stdout)).toMatchObject({
    number: 2,
    kind: 'successful',
    checks: 1,
    status: 200,
  });
  const diff = await watch('diff', `${site.origin}@1..2`, '--json');
  expect(diff.code).toBe(1);
  expect(JSON.parse(diff.stdout).changes[0]).toMatchObject({ direction: 'blocked', example: '/b' });
  expect((await watch('diff', `${site.origin}@1..1`)).code).toBe(0);
  const status = JSON.parse((await watch('status', '--json')).stdout);
  expect(status).toMatchObject({ sites: 1, due: 0, waiting: 0, dropped: 0 });
  expect(readFileSync(feed, 'utf8').match(/<entry>/g)?.length).toBe(2);
  expect((await watch('remove', site.origin)).stdout).toBe('1 site removed\n');
  expect((await watch('list')).stdout.trim().split('\n').length).toBe(1);
});

test('prune deletes old versions, and show reports a deleted version', async () => {
  await watch('add', site.origin, '--notify', 'log');
  for (const path of ['/a', '/b', '/c']) {
    file = `User-agent: *\nDisallow: ${path}\n`;
    await makeDue();
    await watch('run', '--once');
  }
  const nothing = '0 versions, 0 events, 0 messages, 0 contents (0 bytes)';
  expect(await watch('prune', '--older-than', '30d')).toMatchObject({
    code: 0,
    stdout: `${nothing} deleted\n`,
  });
  // Makes all of these checks old.
  const { db } = await openWatchDatabase(path);
  await db.exec('update watch_versions set first_seen = 1, last_seen = 1');
  await db.exec('update watch_events set at = 1');
  await db.exec('update watch_outbox set delivered_at = 1');
  await db.exec('update watch_contents set stored_at = 1');
  await db.close();
  const some = '2 versions, 3 events, 3 messages, 2 contents (54 bytes)';
  const tried = await watch('prune', '--older-than', '30d', '--dry-run');
  expect(tried).toMatchObject({ code: 0, stdout: `${some} would be deleted\n`, stderr: '' });
  const run = await watch('run', '--once', '--keep', '30d');
  expect(run.stderr).toContain(`maycrawl: ${some} deleted\n`);
  const { stdout } = await watch('prune', '--json');
  expect(JSON.parse(stdout)).toEqual({
    ...{ before: null, isDryRun: false, messages: 0, events: 0, versions: 0, contents: 0, bytes: 0 },
  });
  expect((await watch('show', `${site.origin}@3`)).stdout).toBe('User-agent: *\nDisallow: /c\n');
  for (const [name, versions] of [
    ['show', '@1'],
    ['diff', '@1..3'],
  ] as const) {
    const shown = await watch(name, `${site.origin}${versions}`);
    expect(shown).toMatchObject({ code: 2, stdout: '' });
    expect(shown.stderr).toBe(
      `maycrawl: version 1 of ${site.origin} was deleted because of its age (watch prune)\n`,
    );
  }
  expect((await watch('show', `${site.origin}@4`)).stderr).toMatch(/has no version 4; the last one is 3/);
});

test('an export can be imported again, and contains no secrets', async () => {
  const other = 'https://b.example';
  vi.stubEnv('HOOK', 'log');
  vi.stubEnv('MAYCRAWL_TARGET_1', 'https://hooks.example/s3cret');
  vi.stubEnv('MAYCRAWL_SMTP_URL', 'smtp://127.0.0.1:1');
  vi.stubEnv('MAYCRAWL_MAIL_FROM', 'robots@example.com');
  await watch(
    `add ${site.origin} --every 2h --agent GPTBot --notify https://hooks.example/s3cret?t=s3cret --notify env:HOOK --severity blocked=error`,
  );
  const mail = 'mailto:me@example.com';
  await watch('add', other, '--notify', mail, '--notify', 'log', '--notify-from', `${mail}=error`);
  const { stdout, stderr } = await watch('export');
  expect(stdout).not.toContain('s3cret');
  expect(stderr).toBe(
    'maycrawl: 1 target may contain secrets: set MAYCRAWL_TARGET_1 and so on to them where you import this file\n',
  );
  expect(parse(stdout)).toEqual([
    {
      site: site.origin,
      every: '2h',
      agents: ['GPTBot'],
      notify: ['env:MAYCRAWL_TARGET_1', 'env:HOOK'],
      severity: { blocked: 'error' },
    },
    { site: other, every: '1h', notify: [{ target: mail, from: 'error' }, 'log'] },
  ]);
  const [, second] = (await watch('list', '--json')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(second?.notify ?? second).toEqual([
    { target: mail, from: 'error' },
    { target: 'log', from: 'info' },
  ]);
  for (const shown of [await watch('list'), await watch('list', '--json'), await watch('status')])
    expect(shown.stdout).not.toContain('s3cret');
  const yaml = join(folder, 'sites.yaml');
  writeFileSync(yaml, stdout);
  path = join(folder, 'other.sqlite');
  expect((await watch('import', yaml)).stdout).toBe('2 sites added or updated\n');
  const again = await watch('export');
  expect(again.stdout).toBe(stdout);
});

test('a target gets the events from a severity on, and a run does not print formatting', async () => {
  const feeds = ['all.xml', 'worst.xml'].map((name) => join(folder, name));
  const [all, worst] = feeds.map((feed) => `feed:${feed}`) as [string, string];
  const add = (...thresholds: string[]): Promise<RunResult> =>
    watch(
      `add ${site.origin} --agent Googlebot --notify ${all} --notify ${worst}`,
      ...thresholds.flatMap((each) => ['--notify-from', each]),
    );
  expect(await add('fatal')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--notify-from must end with a severity (error, warning, info)'),
  });
  expect(await add('log=error')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--notify-from names a target that is not among those of --notify'),
  });
  // One for all targets, and one for one of them.
  expect((await add('warning', `${worst}=error`)).code).toBe(0);
  for (const next of [file, `# a\n${file}`, `${file}Disallow: /b\n`, 'User-agent: *\nDisallow: /\n']) {
    file = next;
    await makeDue();
    const { stdout } = await watch('run', '--once');
    expect(stdout === '').toBe(next.startsWith('# a'));
  }
  const [some, few] = feeds.map((feed) => readFileSync(feed, 'utf8')) as [string, string];
  expect(some.match(/<entry>/g)?.length).toBe(2);
  expect(few.match(/<entry>/g)?.length).toBe(1);
  expect((await watch('log', site.origin)).stdout).toContain('formatting only: verdicts are the same');
});

test('the checks of many imported sites are spread over their interval', async () => {
  const list = join(folder, 'sites.txt');
  writeFileSync(list, Array.from({ length: 1_000 }, (_, index) => `https://site${index}.example`).join('\n'));
  expect((await watch('add', '--from', list, '--every', '1d')).stdout).toMatch(
    /^1,000 sites added or updated/,
  );
  const { due } = JSON.parse((await watch('status', '--json')).stdout);
  expect(due).toBeLessThan(5);
});

test('a test message is delivered to a target', async () => {
  const delivered = await run(['watch', 'test', 'log']);
  expect(delivered).toMatchObject({ code: 0, stderr: '' });
  expect(delivered.stdout).toMatch(/test message[\s\S]*delivered to log/);
  const failed = await run(['watch', 'test', 'http://127.0.0.1:2/s3cret']);
  expect(failed.code).toBe(2);
  expect(failed.stderr).toMatch(/not delivered to http:\/\/127\.0\.0\.1:2/);
  expect(failed.stderr).not.toContain('s3cret');
});

test('failed deliveries are a state with a time, a count and a reason until the next delivery', async () => {
  let status = 503;
  const receiver = await serve((_request, response) => response.writeHead(status).end());
  await watch('add', site.origin, '--notify', `${receiver.origin}/s3cret`);
  expect(await watch('status')).toMatchObject({ code: 0 });
  await watch('run', '--once');
  const failing = await watch('status');
  expect(failing.code).toBe(1);
  const { origin } = receiver;
  expect(failing.stdout).toMatch(
    new RegExp(`not delivered to ${origin}/… since 2\\S+Z \\(1 alert\\): the receiver answered 503\n`),
  );
  const { code, stdout } = await watch('status', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout).failing).toEqual([
    {
      ...{ target: `${origin}/…`, alerts: 1, reason: 'the receiver answered 503' },
      since: expect.stringMatching(/^2\S+Z$/),
    },
  ]);
  status = 200;
  file += 'Disallow: /b\n';
  await makeDue();
  const { db } = await openWatchDatabase(path);
  await db.exec('update watch_outbox set next_at = 0');
  await db.close();
  await watch('run', '--once');
  expect(await watch('status')).toMatchObject({ code: 0 });
  await receiver.close();
});

test('a suspended site is listed, is reported by status, and check tries it again', async () => {
  await watch('add', site.origin);
  const { db } = await openWatchDatabase(path);
  await db.exec('update watch_sites set attempts = 2, set_aside_at = 1, due_at = 9000000000000');
  await db.close();
  expect((await watch('list')).stdout).toMatch(/set aside/);
  const status = await watch('status');
  expect(status.code).toBe(1);
  expect(status.stdout).toContain(`set aside since 1970-01-01T00:00:00.001Z: ${site.origin}`);
  expect(await watch('check', site.origin)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('watched from now on; the file has 27 bytes\n'),
  });
  expect(await watch('check', 'https://not.example')).toMatchObject({
    code: 1,
    stderr: 'maycrawl: not monitored: https://not.example; maycrawl watch list prints the sites that are\n',
  });
  const { code, stdout } = await watch('status', '--json');
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, due: 0, setAside: [] });
});

test('check prints the change of a site immediately, and finds a site without its scheme', async () => {
  await watch('add', site.origin);
  const host = new URL(site.origin).host;
  expect((await watch('check', host)).code).toBe(0);
  expect(await watch('check', host)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('nothing has changed since the last check'),
  });
  file = '<!doctype html>';
  const changed = await watch('check', host, '--json');
  expect({ code: changed.code, ...JSON.parse(changed.stdout) }).toMatchObject({
    ...{ code: 1, origin: site.origin, version: 2, policy: { kind: 'rules' } },
    event: {
      severity: 'warning',
      title: `${site.origin}: robots.txt is an HTML page: every URL is allowed for every crawler`,
    },
  });
  expect((await watch('log', host)).stdout).toContain('robots.txt is an HTML page');
  expect((await watch('show', `${host}@1`)).stdout).toBe('User-agent: *\nDisallow: /a\n');
  await watch('add', `https://${host}`);
  expect(await watch('log', host)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is ambiguous'),
  });
});

test('test sends a message to each target of the sites, and log prints why a message was not delivered', async () => {
  const receiver = await serve(({ url }, response) => response.writeHead(url === '/ok' ? 200 : 410).end());
  expect((await watch('test')).code).toBe(1);
  await watch('add', site.origin, '--notify', `${receiver.origin}/ok`, '--notify', `${receiver.origin}/gone`);
  const tested = await watch('test');
  expect(tested).toMatchObject({
    ...{ code: 2, stdout: `delivered to ${receiver.origin}/…\n` },
    stderr: `maycrawl: not delivered to ${receiver.origin}/…: the receiver answered 410\n`,
  });
  await watch('run', '--once');
  expect((await watch('log', site.origin)).stdout).toMatch(
    /not delivered to \S+ \(1 attempt, given up \S+\): the receiver answered 410\n/,
  );
  await receiver.close();
});

describe('a target that cannot receive messages is refused when it is set', () => {
  test.each([
    ['mailto:me@example.com', {}, /mail needs MAYCRAWL_SMTP_URL \(it is not set\)/],
    ['mailto:me@example.com', { MAYCRAWL_SMTP_URL: 'smtp://127.0.0.1:1' }, /MAYCRAWL_MAIL_FROM is no sender/],
    ['env:MAYCRAWL_NO_SUCH', {}, /MAYCRAWL_NO_SUCH is not set/],
    ['env:HOOK', { HOOK: 'exec:/no/such/program' }, /names a program that does not exist/],
    ['exec:no-such-program-anywhere', {}, /is in no folder of PATH/],
    ['exec:./package.json', {}, /is not executable/],
    ['feed:/no/such/folder/feed.xml', {}, /in a folder that does not exist/],
    ['feed:docs', {}, /is not a file/],
  ])('%s %j', async (target, environment, message) => {
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    const { code, stdout, stderr } = await watch('add', 'h.example', '--notify', target);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n').length).toBe(1);
    expect((await watch('list')).stdout).not.toContain('h.example');
  });

  test('a program in PATH and a feed file that does not exist yet are valid targets', async () => {
    const feed = `feed:${join(folder, 'new.xml')}`;
    expect(await watch('add', 'h.example', '--notify', 'exec:sh -c true', '--notify', feed)).toMatchObject({
      code: 0,
    });
  });
});

test('without the key of the targets, the sites are exported, and a run reports why a message is not delivered', async () => {
  await watch('add', site.origin, '--notify', 'https://hooks.example/very-secret');
  rmSync(`${path}.key`);
  const { code, stdout } = await watch('export');
  expect(code).toBe(0);
  expect(parse(stdout)).toEqual([{ site: site.origin, every: '1h', notify: ['env:MAYCRAWL_TARGET_1'] }]);
  writeFileSync(`${path}.key`, 'garbage\n', { mode: 0o600 });
  expect(await watch('run', '--once')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/1 alert was not delivered: the key file .* is no key/),
  });
  expect((await watch('status')).stdout).toMatch(/not delivered to .*: the key file .* is no key/);
});

test('an invalid target that another release stored is a failed delivery', async () => {
  await watch('add', site.origin, '--notify', 'log');
  const { db } = await openWatchDatabase(path);
  const settings = JSON.stringify({ every: 3_600_000, agents: [], notify: ['carrier:pigeon'] });
  await db.run(sql`update watch_sites set settings = ${settings}`);
  await db.close();
  await watch('run', '--once', '--allow-private');
  expect(await watch('status')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/not delivered to \(no target\) .*: not a target/),
  });
});

test('damaged settings of one site are reported and do not stop the other sites', async () => {
  await watch('add', site.origin, 'http://127.0.0.2:1');
  const { db } = await openWatchDatabase(path);
  await db.run(
    sql`update watch_sites set settings = ${'{"every":-5}'} where origin = ${'http://127.0.0.2:1'}`,
  );
  await db.close();
  const { code, stdout, stderr } = await watch('run', '--once');
  expect(code).toBe(1);
  expect(stdout).toContain(`${site.origin}: watched from now on`);
  expect(stderr).toContain('the site http://127.0.0.2:1 is damaged in the database (settings: every)');
  const listed = await watch('list');
  expect(listed.code).toBe(2);
  expect(listed.stderr).toMatch(/^maycrawl: the site http:\/\/127\.0\.0\.2:1 is damaged .* watch add\n$/);
  expect(listed.stdout).toContain(site.origin);
  expect(await watch('add', 'http://127.0.0.2:1')).toMatchObject({ code: 0 });
  expect((await watch('list')).code).toBe(0);
});

describe('one-line error with exit code 2', () => {
  test.each([
    ['no site', ['add'], /name the sites to watch/],
    ['a string that is not a site', ['add', 'mailto:x'], /is not a site/],
    [
      'a word',
      ['add', 'notaurl'],
      /"notaurl" is neither a URL nor a host with a dot: write https:\/\/notaurl/,
    ],
    ['a word with a port', ['add', 'notaurl:8080/a.html'], /neither a URL nor a host with a dot/],
    [
      'too often',
      ['add', 'h.example', '--every', '10s'],
      /--every must be a duration of at least 1m, not 10s; for example 1m/,
    ],
    ['too much deleted', ['prune', '--older-than', '1h'], /--older-than must be a duration of at least 1d/],
    [
      'too little kept',
      ['run', '--keep', 'x'],
      /--keep must be a duration of at least 1d, not x; for example 1d/,
    ],
    ['no target', ['add', 'h.example', '--notify', 'carrier:pigeon'], /target/],
    ['no aspect', ['add', 'h.example', '--severity', 'x=error'], /--severity must be ASPECT=SEVERITY/],
    [
      'no severity',
      ['add', 'h.example', '--severity', 'blocked=error=x'],
      /--severity must be ASPECT=SEVERITY/,
    ],
    [
      'an endless interval',
      ['add', 'h.example', '--every', '999999999d'],
      /--every must be a duration of at most 36500d/,
    ],
    ['no list', ['add', 'h.example', '--urls', 'no-such'], /cannot read no-such: no such file/],
    [
      'no tests',
      ['add', 'h.example', '--tests', 'package.json'],
      /package\.json: it must be a list of expectations/,
    ],
    ['a site that is not watched', ['log', 'h.example'], /https:\/\/h\.example is not monitored/],
    ['no version', ['show', 'h.example'], /give SITE@VERSION, not h\.example/],
    ['no versions', ['diff', 'h.example@1'], /give SITE@VERSION\.\.VERSION/],
    ['no YAML', ['import', 'README.md'], /README\.md: /],
  ])('%s', async (_name, [name = '', ...args], message) => {
    const { code, stdout, stderr } = await watch(name, ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n').length).toBe(1);
  });

  test.each([
    ['deep', `- ${'['.repeat(100_000)}`, /it has more than 20 levels/],
    [
      'of many keys',
      `- site: a.example\n${Array.from({ length: 10_000 }, (_, i) => `  k${i}: 1\n`).join('')}`,
      /site 1: unknown key "k0"/,
    ],
    [
      'with a site twice',
      '- {site: a.example, every: 1h}\n- {site: a.example, every: 2h}\n',
      /site 2 repeats .*site 1/,
    ],
    [
      'with an agent',
      '- {site: a.example}\n- {site: b.example, agents: ["Bot!"]}\n',
      /site 2: --agent: .*"Bot!"/,
    ],
  ])('an import %s', async (_name, text, message) => {
    const sites = join(folder, 'sites.yaml');
    writeFileSync(sites, text);
    const { code, stdout, stderr } = await watch('import', sites);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('fault');
    expect(stderr.trim().split('\n').length).toBe(1);
  });

  test('an invalid key file is an error if targets are set', async () => {
    writeFileSync(`${path}.key`, 'garbage\n', { mode: 0o600 });
    const { code, stderr } = await watch('add', 'h.example', '--notify', 'https://hooks.example/x');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^maycrawl: the key file .* is no key: [^\n]*\n$/);
    expect(stderr).not.toContain('fault');
  });

  test.each(['', '/no/such/folder/w.sqlite', 'postgres://user:s3cret@127.0.0.1:1/x'])(
    'the database %j',
    async (database) => {
      const { code, stderr } = await runHere(['watch', 'list', '--database', database]);
      expect(code).toBe(2);
      expect(stderr).not.toContain('s3cret');
      expect(stderr.trim().split('\n').length).toBe(1);
    },
  );
});
