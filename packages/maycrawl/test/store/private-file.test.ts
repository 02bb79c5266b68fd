import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openRun } from '../../src/audit/run/open-run.ts';
import { openWatchDatabase } from '../../src/watch/database.ts';

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
      return async () => db.destroy();
    },
  ],
] as const)(
  'the database of %s is for its owner alone, with all files beside it, whatever the umask',
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
