/** A server whose processes are stopped accepts connections, and does not respond. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgres } from '../../src/database/postgres.ts';
import { type SqlDatabase, sql } from '../../src/database/sql.ts';
import { openPostgresStore } from '../../src/store/postgres.ts';
import { findPostgres, startPostgres, type TestDatabase } from '../support/postgres.ts';

const programs = await findPostgres();

describe.skipIf(programs === undefined)('PostgreSQL (skipped where there is none)', () => {
  let server: TestDatabase;
  beforeAll(async () => {
    server = await startPostgres(programs as string);
  });
  afterAll(() => server.destroy());

  const LATE = {
    ...{
      name: 'DatabaseError',
      code: 'database-unavailable',
      message: 'the database did not respond in time',
    },
  };

  test('a server that does not respond ends no statement: the client does', async () => {
    const open = (maxConnections: number): Promise<SqlDatabase> =>
      openPostgres(server.url, {
        ...{ applicationName: 'test', maxConnections, connectTimeout: 2000, statementTimeout: 2000 },
      });
    const [database, other] = [await open(1), await open(1)];
    const reserved = database.reserveConnection();
    await database.get(sql`select 1 as one`);
    await reserved.run(sql`select 1`);
    const resume = await server.freeze();
    try {
      const results = await Promise.allSettled([
        database.get(sql`select 1 as one`),
        // It waits for the connection of the first.
        database.transaction((transaction) => transaction.all(sql`select 1 as one`)),
        reserved.run(sql`select 1`),
        // It opens a connection.
        other.get(sql`select 1 as one`),
      ]);
      expect(results.map(({ status }) => status)).toEqual(results.map(() => 'rejected'));
      for (const result of results) expect((result as PromiseRejectedResult).reason).toMatchObject(LATE);
      // Also a connection that the server does not close is closed.
      await Promise.all([database.close(), other.close()]);
    } finally {
      resume();
    }
  });

  test('a statement without a connection in time runs again if this process was busy', async () => {
    const database = await openPostgres(server.url, { applicationName: 'test', connectTimeout: 200 });
    const result = database.get(sql`select 1 as one`);
    // The connection is being opened.
    await new Promise((resolve) => setTimeout(resolve, 1));
    for (const start = performance.now(); performance.now() - start < 500; );
    expect(await result).toEqual({ one: 1 });
    await database.close();
  });

  test('a script may take longer than a statement', async () => {
    const database = await openPostgres(server.url, { applicationName: 'test', statementTimeout: 200 });
    await expect(database.get(sql`select pg_sleep(1)`)).rejects.toMatchObject({
      code: 'database-unavailable',
    });
    await database.exec('set statement_timeout = 0; select pg_sleep(0.5)');
    await database.transaction((transaction) =>
      transaction.exec('set local statement_timeout = 0; select pg_sleep(0.5)'),
    );
    await database.close();
  });

  test('a store whose server does not respond can be closed', async () => {
    const store = await openPostgresStore(server.url);
    await store.lease('http://a.example', 'a', 60_000);
    const resume = await server.freeze();
    try {
      await store.close();
    } finally {
      resume();
    }
  });
});
