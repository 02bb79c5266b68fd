import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { Sqlite } from '../../../client/test/support/sqlite.ts';
import { BIN, ROOT, type RunResult } from '../support/run.ts';
import { runHere } from '../support/run-here.ts';

let folder = '';
let site: TestServer;
let isDown = false;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-cli-cache-'));
  isDown = false;
  site = await serve((_request, response) => {
    if (isDown) response.writeHead(503).end();
    else response.end('User-agent: *\nDisallow: /private\n\u001b[31m\n');
  });
});
afterEach(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

const inFolder = (args: string | readonly string[]): ReturnType<typeof runHere> => runHere(args, '', folder);

describe('responses of sites are stored', () => {
  test('in a file in the cache folder: the next call sends no request', async () => {
    const url = `${site.origin}/private/x`;
    const first = await inFolder(['check', '--json', url]);
    const second = await inFolder(['check', '--json', url]);
    expect(second).toEqual(first);
    expect(first.code).toBe(1);
    expect(site.requests.length).toBe(1);
    expect(existsSync(join(folder, 'maycrawl', 'robots.sqlite'))).toBe(true);
    expect((await inFolder(['check', '--fresh', url])).code).toBe(1);
    expect(site.requests.length).toBe(2);
    expect((await inFolder(['check', '--offline', url])).code).toBe(1);
    expect((await inFolder(['parse', `${site.origin}/robots.txt`])).stdout).toContain('/private');
    expect((await inFolder(['parse', site.origin])).stdout).toContain('/private');
    expect(site.requests.length).toBe(2);
    await inFolder(['check', '--database', 'none', url]);
    expect(site.requests.length).toBe(3);
  });

  test('in a file that is separate from the database of the service', async () => {
    await inFolder(['check', `${site.origin}/private/x`]);
    const child = spawn(process.execPath, [BIN, 'serve', '--port', '0'], {
      env: { ...process.env, XDG_CACHE_HOME: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [line] = (await once(child.stderr.setEncoding('utf8'), 'data')) as [string];
    const [address] = /http:\/\/[^/;,\s]+/.exec(line) ?? [];
    const query = new URLSearchParams({ url: `${site.origin}/private/x`, agent: 'x' });
    const response = await fetch(`${address}/v1/decide?${query}`);
    const { reason } = (await response.json()) as { reason?: string };
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(reason).not.toBe('rule');
    expect(existsSync(join(folder, 'maycrawl', 'service.sqlite'))).toBe(true);
    expect(site.requests.length).toBe(1);
  });

  test('by the service, within its limits: evictions are in its metrics', async () => {
    const args = ['serve', '--port', '0', '--allow-private', '--max-origins', '1', '--max-bytes', '1MB'];
    const child = spawn(process.execPath, [BIN, ...args], {
      env: { ...process.env, XDG_CACHE_HOME: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [line] = (await once(child.stderr.setEncoding('utf8'), 'data')) as [string];
    const [address] = /http:\/\/[^/;,\s]+/.exec(line) ?? [];
    for (const host of ['127.0.0.1', '127.0.0.2']) {
      const url = `${site.origin.replace('127.0.0.1', host)}/private/x`;
      await (await fetch(`${address}/v1/decide?${new URLSearchParams({ url, agent: 'x' })}`)).json();
    }
    const metrics = await (await fetch(`${address}/metrics`)).text();
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(metrics).toContain('\nmaycrawl_store_evictions_total 1\n');
    expect(metrics).toContain('\nmaycrawl_store_size{what="origins"} 1\n');
  });

  test('in the file named by --database, which --offline does not change', async () => {
    const store = join(folder, 'other', 'store.sqlite');
    const url = `${site.origin}/`;
    const nothing = await inFolder(['check', '--database', store, '--offline', url]);
    expect(nothing).toMatchObject({ code: 2, stdout: '' });
    expect(nothing.stderr).toMatch(/^maycrawl: .* is not stored, and --offline sends no request\n$/);
    expect((await inFolder(['check', '--database', store, url])).code).toBe(0);
    expect(existsSync(store)).toBe(true);
    expect(existsSync(join(folder, 'maycrawl'))).toBe(false);
  });

  test('an outage is stored: it disallows all URLs, and the next call sends no request', async () => {
    isDown = true;
    const url = `${site.origin}/`;
    const { code, stdout } = await inFolder(['check', url]);
    expect(code).toBe(1);
    expect(stdout).toContain('unreachable: status 503');
    await inFolder(['check', url]);
    expect(site.requests.length).toBe(1);
    const listed = await inFolder(['cache', 'list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject({
      origin: site.origin,
      response: null,
      outage: { failures: 1, status: 503 },
    });
  });
});

test('a site without a stored response does not prevent the results of other sites', async () => {
  await inFolder(['check', `${site.origin}/`]);
  const both = ['--offline', `${site.origin}/private`, 'http://unknown.example/x'];
  const { code, stdout, stderr } = await inFolder(['check', ...both]);
  expect(stdout).toMatch(/private .*disallowed/);
  expect(stderr).toMatch(/^maycrawl: http:\/\/unknown\.example\/robots\.txt is not stored/);
  expect(code).toBe(2);
  const json = await inFolder(['check', '--json', ...both]);
  expect(
    json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { url: `${site.origin}/private`, allowed: false },
    { url: 'http://unknown.example/x', allowed: null, error: { code: 'no-robots-txt' } },
  ]);
});

test('Ctrl-C releases the claim of an origin: the next run does not wait', async () => {
  const silent = await serve(() => {});
  const store = join(folder, 'interrupted.sqlite');
  const child = spawn(process.execPath, [BIN, 'check', '--database', store, `${silent.origin}/`], {
    cwd: ROOT,
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await expect.poll(() => silent.requests.length).toBe(1);
  child.kill('SIGINT');
  const [code] = (await once(child, 'close')) as [number | null];
  expect({ code, stderr }).toEqual({ code: 2, stderr: 'maycrawl: stopped\n' });
  const started = performance.now();
  const next = await inFolder(['check', '--database', store, '--timeout', '1s', `${silent.origin}/`]);
  await silent.close();
  expect(next.code).toBe(1);
  expect(performance.now() - started).toBeLessThan(20_000);
});

test('a failed revalidation is reported while the stored response still applies', async () => {
  await inFolder(['check', `${site.origin}/`]);
  isDown = true;
  const { code, stderr } = await inFolder(['check', '--fresh', `${site.origin}/`]);
  expect(code).toBe(0);
  expect(stderr).toMatch(/status 503; the rules of the last response still apply/);
});

test('cache list, show, history and clear', async () => {
  await inFolder(['check', `${site.origin}/`]);
  await inFolder(['check', '--fresh', `${site.origin}/`]);
  const listed = await inFolder(['cache', 'list']);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toMatch(new RegExp(`${site.origin} +successful +39 +\\d+ +2\\d\\d\\d-`));
  const shown = await inFolder(['cache', 'show', `${site.origin}/any/page`]);
  expect(shown.stdout).toContain('Disallow: /private\n\\x1b[31m\n');
  const json = await inFolder(['cache', 'show', '--json', site.origin]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    response: 'successful',
    bytes: 39,
    content: expect.stringContaining('/private'),
    hops: [{ url: `${site.origin}/robots.txt`, status: 200 }],
    timings: { headers: expect.any(Number), total: expect.any(Number) },
  });
  const parsed = await inFolder(['parse', '--offline', '--json', `${site.origin}/robots.txt`]);
  expect(JSON.parse(parsed.stdout)).toMatchObject({ hops: [{ status: 200 }] });
  const history = await inFolder(['cache', 'history', site.origin]);
  expect(history.stdout.match(/ successful +200 /g)?.length).toBe(2);
  expect(await inFolder(['cache', 'clear', 'other.example'])).toMatchObject({
    code: 0,
    stdout: '0 sites removed\n',
  });
  expect(await inFolder(['cache', 'clear'])).toMatchObject({ code: 0, stdout: '1 site removed\n' });
  expect((await inFolder(['cache', 'list', '--json'])).stdout).toBe('');
  expect(await inFolder(['cache', 'show', site.origin])).toMatchObject({ code: 2, stdout: '' });
});

test('cache prune deletes responses beyond the limits, and reports the remaining ones', async () => {
  await inFolder(['check', `${site.origin}/`]);
  const listed = await inFolder(['cache', 'list']);
  expect(listed.stdout).toMatch(/\n1 site, 1\.\d kB\n$/);
  const json = await inFolder(['cache', 'list', '--json']);
  const { size, usedAt } = JSON.parse(json.stdout) as { size: number; usedAt: string };
  expect(size).toBeGreaterThan(1000);
  expect(Date.parse(usedAt)).toBeGreaterThan(Date.now() - 600_000);
  const kept = await inFolder('cache prune --max-bytes 1MB --max-origins 5 --max-age 1d');
  expect(kept).toMatchObject({ code: 0, stderr: '' });
  expect(kept.stdout).toMatch(/^0 sites removed, 0\.0 kB; 1 site, 1\.\d kB left\n$/);
  const pruned = await inFolder(['cache', 'prune', '--max-bytes', '100']);
  expect(pruned.stdout).toMatch(/^1 site removed, 1\.\d kB; 0 sites, 0\.0 kB left\n$/);
  expect((await inFolder(['cache', 'list', '--json'])).stdout).toBe('');
});

test.each([
  ['no site', ['cache', 'show', 'gopher://h.example'], /"gopher:\/\/h.example" is not a site/],
  [
    'an unknown kind of store',
    ['cache', 'list', '--database', 'ftp://h.example'],
    /--database must be a path, a postgres:\/\/ URL or "none"/,
  ],
  ['an empty store', ['cache', 'list', '--database', ''], /--database is empty/],
  [
    'no such store',
    ['cache', 'list', '--database', 'no-such/file'],
    /the database no-such\/file does not exist/,
  ],
  ['no store', ['cache', 'list', '--database', 'none'], /--database none stores nothing/],
  ['a store that is a folder', ['cache', 'list', '--database', 'docs'], /cannot use docs: /],
  [
    'no database',
    ['cache', 'list', '--database', 'postgres://127.0.0.1:1/x'],
    /cannot use the database: .*ECONNREFUSED/,
  ],
  ['both', ['check', '--fresh', '--offline', 'http://127.0.0.1:1/'], /exclude each other/],
])('%s: a one-line error', async (_name, args, message) => {
  const { code, stderr } = await runHere(args);
  expect(stderr.replace(/^maycrawl: (.*)\n$/, '$1')).toMatch(message);
  expect(code).toBe(2);
});

describe('a store that is damaged', () => {
  const COMMANDS = ['list', 'show', 'history', 'clear'];
  let store = '';
  beforeEach(async () => {
    store = join(folder, 'damaged.sqlite');
    await inFolder(['check', '--database', store, `${site.origin}/`]);
    // The time limit of a test: a command starts slowly on a busy machine.
  });
  const runAll = async (): Promise<RunResult[]> => {
    const results: RunResult[] = [];
    for (const command of COMMANDS)
      results.push(
        await inFolder([
          ...['cache', command, '--database', store],
          ...(command === 'show' || command === 'history' ? [site.origin] : []),
        ]),
      );
    return results;
  };

  test('unknown values in a store are treated as restrictive, and printed without control characters', async () => {
    const database = new Sqlite(store);
    database.exec(
      `UPDATE histories SET events = json_set(events, '$[0].code', 5, '$[0].hash', char(27) || '[32m', '$[1]', 5)`,
    );
    database.exec(`UPDATE origins SET used_at = 9e18`);
    database.close();
    const history = await inFolder(['cache', 'history', site.origin, '--database', store]);
    expect(history).toMatchObject({ code: 0, stderr: '' });
    expect(history.stdout).toMatch(/ successful +200 +5 +\d+ +\\x1b\[32m$/m);
    const json = await inFolder(['cache', 'history', '--json', site.origin, '--database', store]);
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'successful', code: 5 });
    const list = await inFolder(['cache', 'list', '--json', '--database', store]);
    expect(JSON.parse(list.stdout)).toMatchObject({ response: 'successful', usedAt: null });
  });

  test('damaged database pages are a one-line error', async () => {
    const bytes = readFileSync(store);
    writeFileSync(store, bytes.fill(0xa5, 4096));
    for (const { code, stderr } of await runAll()) {
      expect(stderr).toMatch(/^maycrawl: [^\n]*malformed\n$/);
      expect(stderr).not.toContain('fault');
      expect(code).toBe(2);
    }
  });
});

const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0;

describe.skipIf(!canMount)('on a full disk (skipped where no file system can be mounted)', () => {
  test.each([
    ['store', 'that the store has filled'],
    ['other', 'whose last bytes another program took while the store was closed'],
    ['open', 'whose last bytes another program took while a process uses the store'],
  ])('cache prune makes space: %s, a disk %s', async (name) => {
    const script = new URL('../support/full-disk-prune.mjs', import.meta.url).pathname;
    const child = spawn('unshare', ['-rm', process.execPath, script, folder, BIN, name]);
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    await once(child, 'close');
    expect(stderr).toBe('');
    const { free, ...result } = JSON.parse(stdout);
    expect(result).toEqual({
      ...{ code: 'database-full', isEnough: true, origins: name === 'open' ? 11 : 10 },
      pruned: {
        ...{ status: 0, stderr: '' },
        stdout: expect.stringMatching(/^\d+ sites removed, [\d.]+ MB; 10 sites, [\d.]+ kB left\n$/),
      },
    });
    // The store stops before the disk is full.
    expect(free).toBeGreaterThan(3_000_000);
  });
});
