/** The database of the monitor does not disclose the targets of notifications without its key. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeTarget } from '../../src/watch/notifications/targets/target.ts';
import type { SiteSettings } from '../../src/watch/site.ts';
import { openWatchDatabase } from '../../src/watch/storage/database.ts';
import { createSealedTargets } from '../../src/watch/storage/sealed-targets.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';

const SECRET = 'https://hooks.example/services/T0/B0/very-secret';
const settings: SiteSettings = {
  every: 60_000,
  agents: [],
  notify: [SECRET, 'log', 'env:HOOK'],
  openTargets: [SECRET],
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-sealed-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function writeSite(environment: Record<string, string> = {}): Promise<string> {
  const path = join(folder, 'watch.sqlite');
  const database = await openWatchDatabase(path, environment);
  await new SiteRepository(database).addSites(['https://a.example'], settings, () => 0);
  await database.db.close();
  return path;
}

async function readSettings(
  path: string,
  environment: Record<string, string> = {},
): Promise<SiteSettings | undefined> {
  const database = await openWatchDatabase(path, environment);
  const repository = new SiteRepository(database);
  const row = await repository.site('https://a.example');
  const found = row && repository.settingsIn(row);
  await database.db.close();
  return found;
}

describe('a SQLite file', () => {
  test('contains no target in clear text; its key file, which only the owner can read, opens them', async () => {
    const path = await writeSite();
    for (const name of readdirSync(folder)) {
      if (!name.endsWith('.key'))
        expect(readFileSync(join(folder, name)).includes('very-secret'), name).toBe(false);
      expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
    }
    expect(await readSettings(path)).toEqual(settings);
  });

  test('without its key file can be read, but targets are neither sealed nor opened, and no new key is created', async () => {
    const path = await writeSite();
    rmSync(`${path}.key`);
    expect(await readSettings(path)).toMatchObject({ every: 60_000 });
    const { db, targets } = await openWatchDatabase(path, {});
    expect(() => targets.seal('https://hooks.example/new')).toThrow(
      /key file .*watch\.sqlite\.key is missing/,
    );
    await db.close();
    expect(readdirSync(folder).filter((name) => name.endsWith('.key'))).toEqual([]);
  });

  test('without sealed targets needs no key file', async () => {
    const path = join(folder, 'watch.sqlite');
    for (let time = 0; time < 2; time++) await (await openWatchDatabase(path, {})).db.close();
  });

  test('with a new key can be read, but its targets stay sealed', async () => {
    const path = await writeSite();
    writeFileSync(`${path}.key`, randomBytes(32).toString('base64'));
    const found = await readSettings(path);
    expect(found).toMatchObject({
      every: 60_000,
      notify: [expect.stringMatching(/^sealed:/), 'log', 'env:HOOK'],
    });
    expect(describeTarget(found?.notify[0] ?? '')).toBe('(sealed with another key)');
  });

  test('gets no key file if the variable is set', async () => {
    const environment = { MAYCRAWL_SECRET_KEY: randomBytes(32).toString('base64') };
    const path = await writeSite(environment);
    expect(readdirSync(folder).filter((name) => name.endsWith('.key'))).toEqual([]);
    expect(await readSettings(path, environment)).toEqual(settings);
  });
});

describe('a PostgreSQL database', () => {
  test('has targets in clear text only without a key', () => {
    const without = createSealedTargets(undefined, {});
    expect(without.isPlain).toBe(true);
    expect(without.seal(SECRET)).toBe(SECRET);
    const key = { MAYCRAWL_SECRET_KEY: randomBytes(32).toString('hex') };
    const sealed = createSealedTargets(undefined, key).seal(SECRET);
    expect(sealed).toMatch(/^sealed:/);
    expect(createSealedTargets(undefined, key).open(sealed)).toBe(SECRET);
    expect(() => without.open(sealed)).toThrow(/MAYCRAWL_SECRET_KEY/);
  });

  test('rejects an invalid key with an error that does not quote it', () => {
    expect(() => createSealedTargets(undefined, { MAYCRAWL_SECRET_KEY: 'hunter2' }).seal(SECRET)).toThrow(
      /^(?!.*hunter2).*MAYCRAWL_SECRET_KEY/,
    );
  });
});

test('targets without secrets are not sealed, and sealed targets are not sealed again', () => {
  const targets = createSealedTargets(undefined, { MAYCRAWL_SECRET_KEY: randomBytes(32).toString('hex') });
  for (const target of ['log', 'env:HOOK']) expect(targets.seal(target)).toBe(target);
  expect(targets.seal(targets.seal(SECRET))).toBe(targets.seal(SECRET));
});
