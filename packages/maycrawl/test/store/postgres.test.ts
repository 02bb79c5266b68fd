import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RobotsClient } from '../../src/client/client.ts';
import { openPostgresStore } from '../../src/store/postgres.ts';
import { askFromTwoProcesses } from '../support/client-processes.ts';
import { findPostgres, startPostgres, type TestDatabase } from '../support/postgres.ts';
import { serve } from '../support/server.ts';
import { testStore } from './contract.ts';

const programs = await findPostgres();

describe.skipIf(programs === undefined)('in PostgreSQL (skipped where there is none)', () => {
  let database: TestDatabase;
  let databases = 0;
  const newDatabase = (): Promise<string> => database.create(`test_${databases++}`);
  beforeAll(async () => {
    database = await startPostgres(programs as string);
  }, 60_000);
  afterAll(() => database.destroy());

  testStore(async () => openPostgresStore(await newDatabase()));

  test('many who start at once set it up once', async () => {
    const url = await newDatabase();
    const stores = await Promise.all(Array.from({ length: 8 }, () => openPostgresStore(url)));
    await Promise.all(
      stores.map((store, index) =>
        store.recordFailure('http://a.example', {
          ...{
            at: index,
            code: 'timeout',
            status: null,
            reason: 'late',
            retryAt: null,
            saysNotFound: false,
            hops: [],
            timings: { total: 1 },
          },
        }),
      ),
    );
    expect(await stores[0]?.get('http://a.example')).toMatchObject({ outage: { failures: 8 } });
    await Promise.all(stores.map((store) => store.close()));
  });

  test('two processes make one request, 1,000 callers each', async () => {
    const { results, requests } = await askFromTwoProcesses(await newDatabase());
    expect(results).toEqual([
      { allowed: 0, disallowed: 1000 },
      { allowed: 0, disallowed: 1000 },
    ]);
    expect(requests).toEqual(['/robots.txt']);
  });

  test('a database of a later version is refused', async () => {
    const url = await newDatabase();
    await (await openPostgresStore(url)).close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('UPDATE maycrawl.version SET version = 99');
    await client.end();
    await expect(openPostgresStore(url)).rejects.toMatchObject({ code: 'store-from-the-future' });
  });

  test('no database: a clear error', async () => {
    await expect(openPostgresStore('postgres://127.0.0.1:1/none')).rejects.toMatchObject({
      code: 'store-unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('the database goes and comes back: the client goes on meanwhile, and uses it again', async () => {
    const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /private\n'));
    const other = await serve((_request, response) => response.end('User-agent: *\nDisallow: /private\n'));
    const store = await openPostgresStore(await newDatabase());
    const failures: string[] = [];
    const client = new RobotsClient({
      ...{ crawler: 'TestBot', userAgent: 'TestBot', store },
      onEvent: ({ kind }) => failures.push(kind),
    });
    expect(await client.decide(`${site.origin}/private`)).toMatchObject({ kind: 'disallowed' });
    await database.stop();
    expect(await client.decide(`${site.origin}/private`)).toMatchObject({ kind: 'disallowed' });
    expect(await client.decide(`${other.origin}/private`)).toMatchObject({ kind: 'disallowed' });
    expect(failures).toContain('store-failed');
    await database.start();
    expect(await store.get(site.origin)).toMatchObject({ answer: { kind: 'found' } });
    const again = new RobotsClient({ crawler: 'TestBot', userAgent: 'TestBot', store });
    expect(await again.decide(`${site.origin}/private`)).toMatchObject({ kind: 'disallowed' });
    expect(site.requests.length).toBe(1);
    await store.close();
    await site.close();
    await other.close();
  }, 60_000);
});
