import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../../client/src/store/sqlite.ts';
import { Sqlite } from '../../../client/test/support/sqlite.ts';
import { openRun } from '../../src/audit/run/open-run.ts';
import { openWatchDatabase } from '../../src/watch/storage/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-private-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  [
    'an audit',
    async (path: string) => {
      const run = await openRun(path, 'new');
      return async () => run.close();
    },
  ],
  [
    'the monitor',
    async (path: string) => {
      const { db } = await openWatchDatabase(path);
      return async () => db.close();
    },
  ],
] as const)(
  'the database of %s and all files beside it are accessible only by their owner, independent of the umask',
  async (name, open) => {
    const umask = process.umask(0);
    try {
      const close = await open(join(folder, `${name}.sqlite`));
      const files = readdirSync(folder).filter((file) => file.startsWith(name));
      expect(files.length).toBeGreaterThan(1);
      for (const file of files)
        expect({ file, mode: statSync(join(folder, file)).mode & 0o777 }).toEqual({ file, mode: 0o600 });
      await close();
    } finally {
      process.umask(umask);
    }
  },
);

test('a file that is not a database keeps its mode, and so does a database of another program', async () => {
  const text = join(folder, 'robots.txt');
  writeFileSync(text, 'User-agent: *\n');
  const other = join(folder, 'other.sqlite');
  const database = new Sqlite(other);
  database.exec('CREATE TABLE theirs (id INTEGER)');
  database.close();
  for (const path of [text, other]) {
    chmodSync(path, 0o644);
    await expect(openSqliteStore(path)).rejects.toThrow(/not a database|of another program/);
    expect(statSync(path).mode & 0o777).toBe(0o644);
  }
  chmodSync(text, 0o644);
  await expect(openWatchDatabase(text)).rejects.toThrow();
  expect(statSync(text).mode & 0o777).toBe(0o644);
});

test('the permissions of other users on an existing store are removed', async () => {
  const path = join(folder, 'store.sqlite');
  await (await openSqliteStore(path)).close();
  chmodSync(path, 0o646);
  await (await openSqliteStore(path)).close();
  expect(statSync(path).mode & 0o777).toBe(0o640);
});
