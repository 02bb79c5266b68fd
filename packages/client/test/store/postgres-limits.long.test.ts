/** What the store in PostgreSQL reads and counts: the server's own counters show that no statement reads the whole table. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/store/postgres.ts';
import type { FullStore } from '../../src/store/store.ts';
import { createFailure, createResponse } from '../support/histories.ts';
import { findPostgres, startPostgres, type TestDatabase } from '../support/postgres.ts';

const programs = await findPostgres();
/** For fewer the server reads the whole table, which is faster. */
const ROWS = 40_000;
/** Milliseconds between the last uses of two entries: all of them together are 83 days. */
const STEP = 180_000;
const NOW = Date.now();

const response = createResponse(NOW, { bytes: new Uint8Array(100) });
const failure = createFailure(NOW);

describe.skipIf(programs === undefined)('in PostgreSQL (skipped where there is none)', () => {
  let server: TestDatabase;
  let databases = 0;
  let client: pg.Client;
  let url: string;

  /** A database with entries, a fifth of them in an outage; the oldest are the first. */
  const createFull = async (rows: number = ROWS): Promise<void> => {
    url = await server.create(`limits_${databases++}`);
    await (await openPostgresStore(url)).close();
    const writer = new pg.Client(url);
    await writer.connect();
    await writer.query(
      `INSERT INTO maycrawl.origins (key, origin, is_failing, used_at, bytes)
       SELECT sha256(convert_to(i::text, 'UTF8')), 'http://' || i || '.example', CASE WHEN i % 5 = 0 THEN 1 ELSE 0 END,
         $2::bigint + $3::bigint * i, 3000
       FROM generate_series(1, $1::integer) AS i`,
      [rows, NOW - STEP * rows, STEP],
    );
    await writer.query(
      `INSERT INTO maycrawl.histories (key, body, events)
       SELECT sha256(convert_to(i::text, 'UTF8')),
         sha256(convert_to('file ' || i, 'UTF8')), '[]'
       FROM generate_series(1, $1::integer) AS i`,
      [rows],
    );
    await writer.query('VACUUM ANALYZE');
    await writer.end();
    client = new pg.Client(url);
    await client.connect();
  };

  const readOne = async <Row extends object>(text: string): Promise<Row> =>
    (await client.query(text)).rows[0] as Row;

  /** How the server read the tables of entries since they were created. */
  const readCounters = async (): Promise<{ scans: number; rows: number }> => {
    const { scans, rows } = await readOne<{ scans: string; rows: string }>(
      `SELECT sum(seq_scan) AS scans,
         (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname IN ('origins', 'histories')) AS rows
       FROM pg_stat_user_tables WHERE relname IN ('origins', 'histories')`,
    );
    return { scans: Number(scans), rows: Number(rows) };
  };

  /** Waits for the end of other connections, which then have reported their counters. */
  const waitForEnd = async (): Promise<void> => {
    const others = `SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND datname = current_database() AND pid <> pg_backend_pid()`;
    await expect.poll(() => readOne(others)).toEqual({ count: 0 });
  };

  /** Uses a store, and returns how the server read the table meanwhile. */
  const countReads = async (
    work: (store: FullStore) => Promise<void>,
  ): Promise<{ scans: number; rows: number }> => {
    await waitForEnd();
    const before = await readCounters();
    const store = await openPostgresStore(url);
    await work(store);
    await store.close();
    await waitForEnd();
    const after = await readCounters();
    return { scans: after.scans - before.scans, rows: after.rows - before.rows };
  };

  beforeAll(async () => {
    server = await startPostgres(programs as string);
  });
  afterEach(() => client.end());
  afterAll(() => server.destroy());

  test('eviction reads the entries that it removes, and few others', async () => {
    await createFull();
    const limits = { maxOrigins: ROWS - 2000 };
    const read = await countReads(async (store) => {
      expect(await store.prune(limits)).toMatchObject({
        removed: 2000,
        removedBytes: 6_000_000,
        origins: ROWS - 2000,
      });
    });
    expect(read.scans).toBe(0);
    // Each entry is read when it is chosen, and when it and its history are removed; each step reads the last one of the step before.
    expect(read.rows).toBeLessThan(3.1 * 2000);
    const rows = await readOne(
      `SELECT count(*)::integer AS origins, sum(is_failing)::integer AS failing,
         (SELECT count(*)::integer FROM maycrawl.histories) AS histories FROM maycrawl.origins`,
    );
    expect(rows).toEqual({ origins: ROWS - 2000, failing: ROWS / 5, histories: ROWS - 2000 });
  });

  test('entries that are too old, and those of origins in an outage, are found without reading the others', async () => {
    await createFull();
    const read = await countReads(async (store) => {
      expect(await store.prune({ maxAge: STEP * (ROWS - 1000.5) })).toMatchObject({ removed: 1000 });
      // Of 200 origins, at most 100 are in an outage.
      expect(await store.prune({ maxOrigins: 200 })).toMatchObject({ origins: 200 });
    });
    expect(read.scans).toBe(0);
    expect(read.rows).toBeLessThan(3.1 * ROWS);
    expect(await readOne(`SELECT sum(is_failing)::integer AS failing FROM maycrawl.origins`)).toEqual({
      failing: 100,
    });
  });

  test('the totals, a look at the limits and a part of the list do not read the other entries', async () => {
    await createFull();
    const read = await countReads(async (store) => {
      expect(await store.stats()).toMatchObject({ origins: ROWS, bytes: ROWS * 3000 });
      expect(await store.prune()).toMatchObject({ removed: 0, origins: ROWS });
      expect((await store.list(10, 'http://4')).length).toBe(10);
    });
    expect(read.scans).toBe(0);
    expect(read.rows).toBeLessThan(100);
  });

  test('a store that is closed while it evicts stops after the current step', async () => {
    await createFull(8000);
    const store = await openPostgresStore(url, { maxOrigins: 10 });
    await store.record('http://new.example', { response });
    await store.close();
    const { origins } = await readOne<{ origins: number }>(
      'SELECT count(*)::integer AS origins FROM maycrawl.origins',
    );
    expect(origins).toBeGreaterThan(7000);
  });

  test('all entries are deleted in steps, with their histories', async () => {
    await createFull(8000);
    const store = await openPostgresStore(url);
    expect(await store.delete()).toBe(8000);
    expect(await store.stats()).toMatchObject({ origins: 0, bytes: 0 });
    expect(await readOne('SELECT count(*)::integer AS count FROM maycrawl.histories')).toEqual({ count: 0 });
    await store.close();
  });

  test('the totals are those of the entries, whatever several processes change at the same time', async () => {
    url = await server.create(`limits_${databases++}`);
    const stores = await Promise.all(
      Array.from({ length: 4 }, () => openPostgresStore(url, { maxOrigins: 30, maxBytes: 60_000 })),
    );
    client = new pg.Client(url);
    await client.connect();
    for (let round = 0; round < 5; round++) {
      await Promise.all(
        stores.flatMap((store, worker) =>
          Array.from({ length: 20 }, async (_, index) => {
            const origin = `http://${(index * (worker + 1) + round) % 50}.example`;
            const bytes = new Uint8Array(index * 50);
            if (index % 7 === 0) await store.delete(origin);
            else if (index % 3 === 0)
              await store.record(origin, { failure: { ...failure, at: NOW + round } });
            else await store.record(origin, { response: { ...response, bytes, fetchedAt: NOW + round } });
          }),
        ),
      );
      if (round % 2 === 1) await stores[0]?.prune();
    }
    const left = await stores[0]?.prune();
    expect(left?.origins).toBeLessThanOrEqual(30);
    expect(left?.bytes).toBeLessThanOrEqual(60_000);
    const counted = await readOne<{ origins: number; failing: number }>(
      `SELECT count(*)::integer AS origins, coalesce(sum(bytes), 0)::integer AS bytes,
         sum(is_failing)::integer AS failing_origins, sum(is_failing * bytes)::integer AS failing_bytes FROM maycrawl.origins`,
    );
    expect(counted.origins).toBeGreaterThan(0);
    expect(
      await readOne(
        `SELECT sum(origins)::integer AS origins, sum(bytes)::integer AS bytes, sum(failing_origins)::integer AS failing_origins,
           sum(failing_bytes)::integer AS failing_bytes FROM maycrawl.totals`,
      ),
    ).toEqual(counted);
    await Promise.all(stores.map((store) => store.close()));
  });
});
