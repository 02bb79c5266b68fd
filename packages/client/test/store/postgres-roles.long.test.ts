import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres.ts';
import { createFailure } from '../support/histories.ts';
import { findPostgres, startPostgres, type TestDatabase } from '../support/postgres.ts';

const programs = await findPostgres();
const ORIGIN = 'http://a.example';

describe.skipIf(programs === undefined)(
  'roles, levels and locks of PostgreSQL (skipped where there is none)',
  () => {
    let database: TestDatabase;
    let databases = 0;
    const open: pg.Client[] = [];
    /** A new database, and a connection of its owner. */
    const create = async (): Promise<{ url: string; owner: pg.Client; name: string }> => {
      const name = `roles_${databases++}`;
      const url = await database.create(name);
      const owner = new pg.Client({ connectionString: url });
      open.push(owner);
      await owner.connect();
      return { url, owner, name };
    };
    const asRole = (url: string, role: string): string => url.replace('test@', `${role}@`);
    beforeAll(async () => {
      database = await startPostgres(programs as string);
    });
    afterAll(async () => {
      for (const client of open) await client.end();
      await database.destroy();
    });

    test('a role that may use the tables, and create none, opens the store', async () => {
      const { url, owner, name } = await create();
      await (await openPostgresStore(url)).close();
      await owner.query(`CREATE ROLE reader LOGIN; REVOKE ALL ON DATABASE ${name} FROM PUBLIC;
      GRANT CONNECT ON DATABASE ${name} TO reader; GRANT USAGE ON SCHEMA maycrawl TO reader;
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA maycrawl TO reader`);
      const store = await openPostgresStore(asRole(url, 'reader'));
      await store.record(ORIGIN, { failure: createFailure(1) });
      expect(await store.get(ORIGIN)).toMatchObject({ outage: { since: 1 } });
      await store.check();
      await store.close();
    });

    test('a role whose schema an administrator created creates the tables', async () => {
      const { url, owner, name } = await create();
      await owner.query(`CREATE ROLE tenant LOGIN; REVOKE ALL ON DATABASE ${name} FROM PUBLIC;
      GRANT CONNECT ON DATABASE ${name} TO tenant; CREATE SCHEMA maycrawl AUTHORIZATION tenant`);
      const store = await openPostgresStore(asRole(url, 'tenant'));
      expect(await store.list(1)).toEqual([]);
      await store.close();
    });

    test('a database whose default level is serializable is set up once, and loses no change', async () => {
      const { url, owner, name } = await create();
      await owner.query(`ALTER DATABASE ${name} SET default_transaction_isolation = 'serializable'`);
      const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore(url)));
      await Promise.all(
        stores.flatMap((store) =>
          Array.from({ length: 5 }, (_, index) => store.record(ORIGIN, { failure: createFailure(index) })),
        ),
      );
      expect(await stores[0]?.get(ORIGIN)).toMatchObject({ outage: { failures: 20 } });
      const taken = await Promise.all(
        stores.map((store, index) => store.lease(ORIGIN, String(index), 60_000)),
      );
      expect(taken.filter(Boolean).length).toBe(1);
      await Promise.all(stores.map((store) => store.close()));
    });

    test('an attempt at a lease of another waits for no lock, and takes none', async () => {
      const { url, owner } = await create();
      const [first, second] = [await openPostgresStore(url), await openPostgresStore(url)];
      await first.lease(ORIGIN, 'a', 60_000);
      await owner.query('BEGIN');
      await owner.query('SELECT FROM maycrawl.leases FOR UPDATE');
      // The statement would time out.
      expect(await second.lease(ORIGIN, 'b', 60_000)).toBe(false);
      await owner.query('ROLLBACK');
      await first.close();
      await second.close();
    });

    test('one process takes many leases at the same time, also one twice, and gets each once', async () => {
      const { url } = await create();
      const store = await openPostgresStore(url);
      const origins = Array.from({ length: 250 }, (_, index) => `http://${index % 240}.example`);
      const taken = await Promise.all(
        origins.map((origin, index) => store.lease(origin, String(index), 60_000)),
      );
      expect(taken.filter(Boolean).length).toBe(240);
      await Promise.all(origins.map((origin) => store.record(origin, { failure: createFailure(1) })));
      const histories = await Promise.all(origins.map((origin) => store.get(origin)));
      expect(histories.map((history) => history?.outage?.failures)).toEqual(
        origins.map((_, index) => (index < 10 || index >= 240 ? 2 : 1)),
      );
      await store.close();
    });

    test('a lease is renewed in time, however many statements wait for a connection', async () => {
      const { url, owner } = await create();
      // In a transaction the view of activities stays as it was.
      const observer = new pg.Client({ connectionString: url });
      open.push(observer);
      await observer.connect();
      const store = await openPostgresStore(url);
      await store.lease(ORIGIN, 'a', 1_000);
      await store.record('http://b.example', { failure: createFailure(1) });
      await owner.query('BEGIN');
      await owner.query('SELECT FROM maycrawl.origins FOR UPDATE');
      const waiting = Array.from({ length: 30 }, () =>
        store.record('http://b.example', { failure: createFailure(2) }),
      );
      await expect
        .poll(async () =>
          Number(
            (await observer.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).rowCount,
          ),
        )
        .toBeGreaterThan(9);
      await store.renew([{ origin: ORIGIN, owner: 'a' }], 60_000);
      const { rows } = await owner.query(
        'SELECT until - extract(epoch FROM clock_timestamp()) * 1000 > 50000 AS "isRenewed" FROM maycrawl.leases',
      );
      expect(rows).toEqual([{ isRenewed: true }]);
      await owner.query('ROLLBACK');
      await Promise.all(waiting);
      await store.close();
    });

    test('a store that is closed twice leaves no connection', async () => {
      const { url, owner } = await create();
      const store = await openPostgresStore(url);
      await store.close();
      await store.close();
      await expect(store.get(ORIGIN)).rejects.toMatchObject({ code: 'database-unavailable' });
      const readConnections = async (): Promise<unknown[]> => {
        const { rows } = await owner.query(
          "SELECT application_name FROM pg_stat_activity WHERE application_name = 'maycrawl' AND datname = current_database()",
        );
        return rows;
      };
      // The server notices a moment later that a connection has ended.
      await expect.poll(readConnections).toEqual([]);
    });

    test('what is no URL is refused, and no server of this machine is used in its place', async () => {
      for (const url of ['', undefined, 5])
        await expect(openPostgresStore(url as string)).rejects.toThrow(TypeError);
    });
  },
);
