import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite.ts';
import { createResponse } from '../support/histories.ts';
import { serve } from '../support/server.ts';
import { Sqlite } from '../support/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-sqlite-'));
let files = 0;
const newFile = (): string => join(folder, String(files++), 'cache.sqlite');
afterAll(() => rmSync(folder, { recursive: true }));

const response = createResponse(1, { bytes: new Uint8Array(1000) });
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('permissions', () => {
  test('a new store and its folders are for their owner alone, whatever the umask', async () => {
    const umask = process.umask(0);
    const path = newFile();
    try {
      const store = await openSqliteStore(path);
      await store.record('http://a.example', { response });
      expect(readdirSync(join(path, '..')).length).toBe(3);
      for (const name of readdirSync(join(path, '..'))) expect(modeOf(join(path, '..', name))).toBe(0o600);
      expect(modeOf(join(path, '..'))).toBe(0o700);
      await store.close();
    } finally {
      process.umask(umask);
    }
  });

  test('a file that exists is closed to others; the rights of its group stay', async () => {
    const path = join(folder, 'shared.sqlite');
    writeFileSync(path, '', { mode: 0o600 });
    for (const [before, after] of [
      [0o644, 0o640],
      [0o666, 0o660],
    ] as const) {
      spawnSync('chmod', [before.toString(8), path]);
      await (await openSqliteStore(path)).close();
      expect(modeOf(path)).toBe(after);
    }
  });
});

describe('leases', () => {
  test('one that was taken before the machine was started again, or by a wrong clock, has expired', async () => {
    const path = newFile();
    const store = await openSqliteStore(path);
    await store.lease('http://a.example', 'dead', 1000);
    const database = new Sqlite(path);
    database.prepare('UPDATE leases SET until = ?').run(Date.UTC(2099, 0));
    expect(await store.lease('http://a.example', 'next', 1000)).toBe(true);
    await store.record('http://b.example', { response });
    database.close();
    await store.close();
  });

  test('leases that expired long ago are removed', async () => {
    const path = newFile();
    const store = await openSqliteStore(path);
    await store.lease('http://a.example', 'dead', 1000);
    const database = new Sqlite(path);
    database.exec('UPDATE leases SET until = -100000000');
    await store.record('http://b.example', { response });
    await expect
      .poll(() => database.prepare('SELECT count(*) AS count FROM leases').get())
      .toEqual({ count: 0 });
    database.close();
    await store.close();
  });
});

test('an attempt at a lease of another does not wait for a process that writes', async () => {
  const path = join(folder, 'lease-while-writing.sqlite');
  const store = await openSqliteStore(path);
  await store.lease('http://a.example', 'a', 60_000);
  const writer = new Sqlite(path);
  writer.exec('BEGIN IMMEDIATE');
  // It would fail after the time for which a store waits.
  expect(await store.lease('http://a.example', 'b', 60_000)).toBe(false);
  writer.exec('ROLLBACK');
  writer.close();
  await store.close();
});

test('another process that writes does not keep the event loop waiting', async () => {
  const path = newFile();
  const store = await openSqliteStore(path);
  const writer = new Sqlite(path);
  writer.exec('BEGIN IMMEDIATE');
  const put = store.record('http://a.example', { response });
  let turns = 0;
  for (; turns < 100; turns++) await new Promise((resolve) => setImmediate(resolve));
  expect(await store.get('http://a.example')).toBeUndefined();
  writer.exec('COMMIT');
  await put;
  expect(await store.get('http://a.example')).toMatchObject({ response: { kind: 'successful' } });
  writer.close();
  await store.close();
});

describe('the file under a store', () => {
  test.each([
    ['deleted', (path: string) => rmSync(path), /was deleted while it was in use/],
    [
      'replaced',
      (path: string) => {
        renameSync(path, `${path}-old`);
        writeFileSync(path, '');
      },
      /another file took the place/,
    ],
  ])('%s: the check says so', async (_name, change, message) => {
    const path = newFile();
    const store = await openSqliteStore(path);
    await store.check();
    change(path);
    await expect(store.check()).rejects.toMatchObject({
      ...{ name: 'DatabaseError', code: 'database-replaced', message: expect.stringMatching(message) },
    });
    expect((await store.stats()).failures).toBe(1);
    await store.close();
  });
});

test('pruning gives space back to the file system', async () => {
  const path = newFile();
  const store = await openSqliteStore(path);
  for (let index = 0; index < 40; index++)
    await store.record(`http://${index}.example`, {
      response: { ...response, bytes: new Uint8Array(100_000) },
    });
  await store.prune({ maxOrigins: 2 });
  await store.close();
  expect(statSync(path).size).toBeLessThan(500_000);
});

test('the file stays inside the limit of the store, about, however much is written', async () => {
  const path = newFile();
  const store = await openSqliteStore(path, { maxBytes: 2_000_000 });
  for (let index = 0; index < 300; index++)
    await store.record(`http://${index}.example`, {
      response: { ...response, bytes: new Uint8Array(100_000) },
    });
  expect((await store.stats()).bytes).toBeLessThanOrEqual(2_000_000);
  await store.close();
  expect(statSync(path).size).toBeLessThan(3_000_000);
});

const canMount =
  spawnSync('unshare', ['-rm', 'sh', '-c', `mount -t tmpfs none ${folder}`], { stdio: 'ignore' }).status ===
  0;

test.skipIf(!canMount)(
  'a full disk: the store says so, loses nothing, and goes on when there is space (skipped where no file system can be mounted)',
  async () => {
    const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /private\n'));
    const mount = join(folder, 'full');
    mkdirSync(mount);
    const script = new URL('../support/full-disk-process.mjs', import.meta.url);
    const child = spawn('unshare', ['-rm', process.execPath, script.pathname, mount, site.origin]);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    await once(child, 'close');
    await site.close();
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ code: 'database-full', check: 'database-full', lost: 0, whileFull: 'disallowed', after: 100_000 },
      message: expect.stringMatching(/^no space is left for .*cache\.sqlite; what it has stays/),
      events: expect.arrayContaining(['database-full']),
    });
  },
  30_000,
);
