import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MemoryStore, openSqliteStore } from '../../../src/index.ts';
import { createStoreProbe, type FileSystem, Readiness } from '../../../src/serve/routes/readiness.ts';
import { startService } from '../../support/service.ts';

test('a service whose SQLite file was deleted or replaced is not ready', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-ready-'));
  const path = join(folder, 'robots.sqlite');
  const store = await openSqliteStore(path);
  const service = await startService({ store, databaseFiles: [path] });
  try {
    expect((await service.get('/readyz')).status).toBe(200);
    renameSync(path, `${path}.gone`);
    expect(existsSync(path)).toBe(false);
    expect(await service.get('/readyz')).toMatchObject({ status: 503, body: { code: 'not-ready' } });
    writeFileSync(path, '');
    expect((await service.get('/readyz')).status).toBe(503);
    renameSync(`${path}.gone`, path);
    expect((await service.get('/readyz')).status).toBe(200);
  } finally {
    await service.app.close();
    await store.close();
    rmSync(folder, { recursive: true });
  }
});

test('a service without free space on its disk is not ready', async () => {
  let free = 1e9;
  const fileSystem: FileSystem = { identify: async () => 'same', countFreeBytes: async () => free };
  const readiness = new Readiness(createStoreProbe(new MemoryStore()), ['robots.sqlite'], fileSystem);
  await readiness.check();
  free = 1_000_000;
  await expect(readiness.check()).rejects.toThrow('the disk is full');
  free = 1e9;
  await readiness.check();
});

test('a store that is readable but not writable is not ready', async () => {
  const store = new MemoryStore();
  store.lease = async () => {
    throw new Error('database or disk is full');
  };
  await expect(new Readiness(createStoreProbe(store), []).check()).rejects.toThrow('disk is full');
});
