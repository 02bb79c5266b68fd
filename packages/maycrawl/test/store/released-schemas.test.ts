/** Databases of earlier releases: this release opens and migrates them without loss of data. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres, startPostgres, type TestDatabase } from '../../../client/test/support/postgres.ts';
import { openWatchDatabase } from '../../src/watch/storage/database.ts';
import { Outbox } from '../../src/watch/storage/outbox.ts';
import { SiteRepository } from '../../src/watch/storage/site-repository.ts';

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
