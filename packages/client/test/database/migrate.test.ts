import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasTable, type Migration, migrate, type Schema } from '../../src/database/migrate.ts';
import { type SqlDatabase, sql } from '../../src/database/sql.ts';
import { KINDS, TestDatabases } from './databases.ts';

const FIRST: Migration = { name: 'first', script: 'create table a (x integer); insert into a values (1)' };
const SECOND: Migration = { name: 'second', script: 'alter table a add column y integer' };
const BROKEN: Migration = { name: 'broken', script: 'alter table missing add column y integer' };

const schemaOf = (migrations: readonly Migration[]): Schema => ({ component: 'test', migrations });

describe.each(KINDS)('migrations in %s', (kind) => {
  const databases = new TestDatabases(kind);
  beforeAll(() => databases.start());
  afterAll(() => databases.end());

  test('run once, in their order, and are recorded', async () => {
    const database = await databases.open(await databases.create());
    await migrate(database, schemaOf([FIRST]), 5);
    for (const now of [6, 7]) await migrate(database, schemaOf([FIRST, SECOND]), now);
    expect(await database.all(sql`select x, y from a`)).toEqual([{ x: 1, y: null }]);
    expect(await database.all(sql`select * from maycrawl_migrations order by number`)).toEqual([
      { component: 'test', number: 1, name: 'first', applied_at: 5 },
      { component: 'test', number: 2, name: 'second', applied_at: 6 },
    ]);
    await database.close();
  });

  test('one that fails leaves no effect of the others', async () => {
    const database = await databases.open(await databases.create());
    await expect(migrate(database, schemaOf([FIRST, BROKEN, SECOND]))).rejects.toMatchObject({
      ...{ name: 'DatabaseError', message: expect.stringContaining('missing') },
    });
    expect(await hasTable(database, 'a')).toBe(false);
    expect(await hasTable(database, 'maycrawl_migrations')).toBe(false);
    await database.close();
  });

  test.each([
    ['a later version', [FIRST, SECOND]],
    ['another build, which created other tables', [{ ...FIRST, name: 'other' }]],
  ])('tables of %s are refused, and stay as they are', async (_of, migrations) => {
    const database = await databases.open(await databases.create());
    await migrate(database, schemaOf(migrations));
    const before = await database.all(sql`select * from maycrawl_migrations`);
    await expect(migrate(database, schemaOf([FIRST]))).rejects.toMatchObject({
      code: 'schema-too-new',
      message: expect.stringMatching(/^the database was written by another build/),
    });
    expect(await database.all(sql`select * from maycrawl_migrations`)).toEqual(before);
    await database.close();
  });

  test('several programs that start together migrate once', async () => {
    const name = await databases.create();
    const all = await Promise.all(Array.from({ length: 6 }, () => databases.open(name)));
    await Promise.all(all.map((database, now) => migrate(database, schemaOf([FIRST, SECOND]), now)));
    const rows = await (all[0] as SqlDatabase).all<{ applied_at: number }>(
      sql`select applied_at from maycrawl_migrations`,
    );
    expect(rows.length).toBe(2);
    expect(new Set(rows.map(({ applied_at }) => applied_at)).size).toBe(1);
    for (const database of all) await database.close();
  });

  test('components have versions of their own in one database', async () => {
    const database = await databases.open(await databases.create());
    await migrate(database, schemaOf([FIRST]));
    const other = { ...schemaOf([{ name: 'b', script: 'create table b (x integer)' }]), component: 'other' };
    await migrate(database, other);
    for (const name of ['a', 'b']) expect(await hasTable(database, name)).toBe(true);
    await database.close();
  });

  test.skipIf(kind !== 'postgres').each(['store first', 'store later'])(
    'tables stay in use when the role has a schema of its name, which a store created (%s; only in PostgreSQL)',
    async (order) => {
      const name = await databases.create();
      // The role of these tests is "test", and `search_path` begins with the schema of that name.
      const store: Schema = {
        ...{ component: 'store', namespace: 'test' },
        migrations: [{ name: 'store', script: 'create table test.b (x integer)' }],
      };
      const database = await databases.open(name);
      if (order === 'store first') await migrate(database, store);
      await migrate(database, schemaOf([FIRST]));
      if (order === 'store later') await migrate(database, store);
      // Another process, of this version and of the next.
      const other = await databases.open(name);
      await migrate(other, schemaOf([FIRST]));
      const third: Migration = { name: 'third', script: 'create table c (x integer)' };
      await migrate(other, schemaOf([FIRST, SECOND, third]));
      expect(await other.all(sql`select x from a`)).toEqual([{ x: 1 }]);
      const place = order === 'store first' ? 'test' : 'public';
      expect(
        await other.all(
          sql`select schemaname, tablename from pg_tables where tablename in ('a', 'c') order by tablename`,
        ),
      ).toEqual(['a', 'c'].map((tablename) => ({ schemaname: place, tablename })));
      for (const each of [database, other]) await each.close();
    },
  );
});

describe.each(KINDS)('transactions in %s', (kind) => {
  const databases = new TestDatabases(kind);
  beforeAll(() => databases.start());
  afterAll(() => databases.end());

  test('one that fails leaves nothing, and other statements wait for the end of one', async () => {
    const database = await databases.open(await databases.create());
    await database.exec('create table a (x integer)');
    const failure = new Error('no');
    const failed = database.transaction(async (transaction) => {
      await transaction.run(sql`insert into a values (${1})`);
      await new Promise((resolve) => setImmediate(resolve));
      throw failure;
    });
    await expect(Promise.all([failed, database.all(sql`select * from a`)])).rejects.toBe(failure);
    const seen = database.transaction(async (transaction) => transaction.all(sql`select * from a`));
    expect(await seen).toEqual([]);
    expect(await database.run(sql`insert into a values (${1}), (${2})`)).toBe(2);
    expect(await database.get(sql`select x from a where x = ${2}`)).toEqual({ x: 2 });
    await database.close();
  });

  test('a text with NUL is stored with U+FFFD in its place, and nothing of it is lost', async () => {
    const database = await databases.open(await databases.create());
    await database.exec('create table a (x text)');
    await database.run(sql`insert into a values (${'a\0b'})`);
    expect(await database.get(sql`select x from a where x = ${'a\0b'}`)).toEqual({ x: 'a\ufffdb' });
    await database.close();
  });
});
