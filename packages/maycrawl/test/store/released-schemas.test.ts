/** Databases of earlier releases: this release opens and migrates them without loss of data. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, startPostgres, type TestDatabase } from '../../../client/test/support/postgres.ts';
import { evaluateRun } from '../../src/audit/evaluate-run.ts';
import { findLinks } from '../../src/audit/links/page-links.ts';
import { openRun } from '../../src/audit/run/open-run.ts';
import { openPostgresRun } from '../../src/audit/run/postgres/open-postgres-run.ts';
import type { RunStore } from '../../src/audit/run/run-store.ts';
import { getEnd, getSettings, isEvaluated, judgedAt } from '../../src/audit/run/settings.ts';
import type { SqliteRun } from '../../src/audit/run/sqlite/sqlite-run.ts';
import { openWatchDatabase } from '../../src/watch/storage/database.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';
import { gather } from '../support/audit-runs.ts';

const NOW = Date.UTC(2026, 10, 1);
const HOUR = 3_600_000;
const programs = await findPostgres();
const folder = mkdtempSync(join(tmpdir(), 'maycrawl-released-'));
let count = 0;
let server: TestDatabase | undefined;
beforeAll(async () => {
  if (programs !== undefined) server = await startPostgres(programs);
});
afterAll(async () => {
  await server?.destroy();
  rmSync(folder, { recursive: true });
});

const getFixture = (name: string): URL => new URL(`../fixtures/${name}`, import.meta.url);

function copyFile(name: string): string {
  const path = join(folder, `${count++}.sqlite`);
  copyFileSync(getFixture(name), path);
  return path;
}

async function restore(name: string): Promise<string> {
  const url = await (server as TestDatabase).create(`released_${count++}`);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(readFileSync(getFixture(name), 'utf8'));
  await client.end();
  return url;
}

const KINDS = ['SQLite', ...(programs === undefined ? [] : ['PostgreSQL'])];

describe.each(KINDS)('%s', (kind) => {
  const restoreMonitor = async (version: number): Promise<string> =>
    kind === 'SQLite' ? copyFile(`monitor-${version}.db`) : restore(`monitor-${version}.sql`);

  test.each([1, 2])(
    'a monitor of version %i has its sites, versions, events and messages',
    async (version) => {
      const database = await openWatchDatabase(await restoreMonitor(version), {});
      const [repository, outbox] = [new SiteRepository(database), new Outbox(database)];
      const [a, b] = await repository.sites(10);
      expect(a).toMatchObject({ origin: 'https://a.example', checks: 2, version: 2, policy: 'rules' });
      expect(b).toMatchObject({ origin: 'https://b.example', checks: 2, version: 1, policy: 'absent' });
      expect(await repository.versions('https://a.example')).toMatchObject([
        { number: 2, kind: 'found', first_seen: NOW + HOUR },
        { number: 1, kind: 'found', first_seen: NOW },
      ]);
      expect(await repository.events(10)).toMatchObject([
        { severity: 'error', title: 'https://a.example: more is blocked', throttled: 0 },
      ]);
      const { urls } = repository.settingsIn(a as NonNullable<typeof a>);
      expect(Buffer.from((await repository.content(urls?.hash as string)) as Uint8Array).toString()).toBe(
        'https://a.example/private/1\nhttps://a.example/public\n',
      );
      const due = NOW + 3 * HOUR;
      const claimed = await repository.claimDue('owner', due, 10);
      expect(claimed.find(({ origin }) => origin === 'https://a.example')).toMatchObject({
        attempts: 0,
        history: {
          response: {
            kind: 'successful',
            bytes: new TextEncoder().encode('User-agent: *\nDisallow: /private\n'),
            headers: { etag: '"e"' },
          },
        },
      });
      const [pending] = await outbox.claim('owner', due, 10);
      expect(pending).toMatchObject({ target: 'log', attempts: 1, isOpen: false });
      await database.db.close();
    },
  );

  test('two programs can open a monitor of version 1 concurrently', async () => {
    const name = await restoreMonitor(1);
    const databases = await Promise.all([openWatchDatabase(name, {}), openWatchDatabase(name, {})]);
    for (const database of databases) {
      expect((await new SiteRepository(database).sites(10)).length).toBe(2);
      await database.db.close();
    }
  });
});

async function expectRun(run: RunStore): Promise<void> {
  expect(await getSettings(run)).toMatchObject({ starts: ['http://a.example/'], agents: ['Googlebot'] });
  expect(await getEnd(run)).toMatchObject({ why: 'interrupted', waiting: 1 });
  expect(await run.counts()).toEqual({ waiting: 1, fetched: 2, blocked: 1, outside: 1, trap: 0, deep: 0 });
  const key = (await run.findKey('http://a.example/')) as number;
  expect(await run.url(key)).toMatchObject({ state: 'fetched', depth: 0, isStart: true });
  expect(await run.page(key)).toMatchObject({ outcome: { kind: 'page', facts: { title: 'Start' } } });
  expect((await run.links(key)).length).toBe(3);
  expect((await run.findSitemaps(key)).length).toBe(1);
  const robots = await run.robots('http://a.example');
  expect(robots).toMatchObject({ policy: { kind: 'rules' }, isGiven: false });
  expect(Buffer.from(robots?.body as Uint8Array).toString()).toBe('User-agent: *\nDisallow: /x\n');
}

/** Releases before the fourth version did not record texts. */
async function expectLinksWithoutTexts(run: SqliteRun): Promise<void> {
  const start = (await run.findKey('http://a.example/')) as number;
  const links = await gather(findLinks(run, { from: start }));
  expect(links.map(({ texts }) => texts)).toEqual([null, null, null]);
  const key = (await run.findKey('http://a.example/x')) as number;
  expect(await gather(findLinks(run, { to: key }))).toMatchObject([
    { from: 'http://a.example/', texts: null },
  ]);
}

describe('a run of version 1', () => {
  test('in a file can be read and resumed', async () => {
    const path = copyFile('audit-run-1.db');
    const read = await openRun(path, 'read');
    await expectRun(read);
    expect(await judgedAt(read)).toBe(NOW + HOUR);
    // It has no findings, so it is evaluated again for a report.
    expect(await isEvaluated(read)).toBe(false);
    const key = (await read.findKey('http://a.example/x')) as number;
    expect(await read.verdict(key, 0)).toMatchObject({ isAllowed: false });
    expect(read.findDamage()).toBeUndefined();
    await expectLinksWithoutTexts(read);
    expect([read.preferences.isEmpty, read.preferences.hasDeclarations]).toEqual([true, false]);
    expect(Array.from(read.preferences.rows(), ({ preferences }) => preferences)).not.toContain(1);
    expect(read.preferences.find(key, 0)).toBeNull();
    await read.close();
    const run = await openRun(path, 'resume');
    await expectRun(run);
    await expectLinksWithoutTexts(run);
    const [waiting] = await run.waiting('a.example', 10, new Set());
    expect(waiting).toMatchObject({ url: 'http://a.example/map', depth: null });
    await run.record([{ kind: 'blocked', key: waiting?.key as number }], () => ({ state: 'waiting' }));
    expect(await run.counts()).toMatchObject({ waiting: 0, blocked: 2 });
    await evaluateRun(run, NOW + 2 * HOUR);
    expect(await isEvaluated(run)).toBe(true);
    await run.close();
  });

  test.skipIf(programs === undefined)(
    'in PostgreSQL can be joined and copied (needs PostgreSQL)',
    async () => {
      const url = await restore('audit-runs-1.sql');
      const run = await openPostgresRun(url, 'nightly', 'join');
      await expectRun(run);
      expect(await run.hosts.claim(10, NOW)).toEqual(['a.example']);
      const copy = await openRun(join(folder, `${count++}.sqlite`), 'new', run.seed);
      await run.copyTo(copy);
      await expectRun(copy);
      await copy.close();
      await run.close();
    },
  );
});
