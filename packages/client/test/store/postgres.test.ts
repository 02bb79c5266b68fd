import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RobotsClient } from '../../src/origins/client/client.ts';
import { openPostgresStore } from '../../src/store/postgres.ts';
import { decideInTwoProcesses } from '../support/client-processes.ts';
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
  });
  afterAll(() => database.destroy());

  testStore(async (options) => openPostgresStore(await newDatabase(), options));

  test('two processes make one request, 1,000 callers each', async () => {
    const { results, requests } = await decideInTwoProcesses(await newDatabase());
    expect(results).toEqual([
      { allowed: 0, disallowed: 1000 },
      { allowed: 0, disallowed: 1000 },
    ]);
    expect(requests).toEqual(['/robots.txt']);
  });

  test('a full disk, a read-only database and tables that are gone: the check says which', async () => {
    const url = await newDatabase();
    const store = await openPostgresStore(url);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await store.check();
    await client.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER fail BEFORE UPDATE ON maycrawl.maycrawl_migrations FOR EACH ROW EXECUTE FUNCTION fail()`);
    await expect(store.check()).rejects.toMatchObject({
      ...{ name: 'DatabaseError', code: 'database-full' },
      message: expect.stringMatching(/^no space is left for the database; what it has stays/),
    });
    await client.query('DROP TRIGGER fail ON maycrawl.maycrawl_migrations');
    await store.check();
    await client.query('DROP SCHEMA maycrawl CASCADE');
    await expect(store.check()).rejects.toMatchObject({ code: 'database-replaced' });
    await client.end();
    await store.close();
  });

  test('no database: a clear error', async () => {
    await expect(openPostgresStore('postgres://127.0.0.1:1/none')).rejects.toMatchObject({
      code: 'database-unavailable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('the database goes and comes back: the client goes on meanwhile, and uses it again', async () => {
    const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /private\n'));
    const other = await serve((_request, response) => response.end('User-agent: *\nDisallow: /private\n'));
    const store = await openPostgresStore(await newDatabase());
    const failures: string[] = [];
    const client = new RobotsClient({
      ...{ agent: 'TestBot', userAgent: 'TestBot', store },
      onEvent: ({ kind }) => failures.push(kind),
    });
    expect(await client.decide(`${site.origin}/private`)).toMatchObject({ kind: 'disallowed' });
    await database.stop();
    expect(await client.decide(`${site.origin}/private`)).toMatchObject({ kind: 'disallowed' });
    expect(await client.decide(`${other.origin}/private`)).toMatchObject({ kind: 'disallowed' });
    expect(failures).toContain('store-failed');
    await database.start();
    expect(await store.get(site.origin)).toMatchObject({ response: { kind: 'successful' } });
    const again = new RobotsClient({ agent: 'TestBot', userAgent: 'TestBot', store });
    expect(await again.decide(`${site.origin}/private`)).toMatchObject({ kind: 'disallowed' });
    expect(site.requests.length).toBe(1);
    await store.close();
    await site.close();
    await other.close();
  });
});
