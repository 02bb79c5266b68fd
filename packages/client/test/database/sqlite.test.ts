import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, test } from 'vitest';
import { openSqlite } from '../../src/database/open-sqlite.ts';
import { lockFile } from '../../src/database/sqlite-lock.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-sqlite-'));
let files = 0;
const newPath = (): string => join(folder, `${files++}.sqlite`);
afterAll(() => rmSync(folder, { recursive: true }));

describe('a SQLite file', () => {
  test('an integer that no number equals is read as the nearest one', async () => {
    const database = await openSqlite(newPath());
    database.exec('create table a (x integer); insert into a values (9007199254740993)');
    expect(database.get('select x from a')).toEqual({ x: 9007199254740992 });
    expect(database.all('select x from a')).toEqual([{ x: 9007199254740992 }]);
    // Row by row it is an error, and never another number without notice.
    expect(() => [...database.iterate('select x from a')]).toThrow(
      expect.objectContaining({ name: 'DatabaseError', code: 'database-damaged' }),
    );
    database.close();
  });

  test('a row can be changed while the rows are read', async () => {
    const database = await openSqlite(newPath());
    database.exec('create table a (x integer); insert into a values (1), (2), (3)');
    for (const { x } of database.iterate<{ x: number }>('select x from a'))
      database.run('update a set x = ? where x = ?', x + 10, x);
    expect(database.all('select x from a')).toEqual([{ x: 11 }, { x: 12 }, { x: 13 }]);
    database.close();
  });

  test('all rows are read if garbage is collected in between', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const database = await openSqlite(newPath());
    database.exec('create table a (x integer); insert into a values (1), (2), (3), (4), (5)');
    const found: number[] = [];
    for (const { x } of database.iterate<{ x: number }>('select x from a')) {
      found.push(x);
      collect();
      // The memory of a collected statement is freed in a later turn.
      await new Promise(setImmediate);
      for (let n = 0; n < 50; n++) database.get(`select ${n}`);
    }
    expect(found).toEqual([1, 2, 3, 4, 5]);
    database.close();
  });

  test('everything is in the file itself when it is closed, also with statements that are not collected', async () => {
    const path = newPath();
    const database = await openSqlite(path);
    database.exec('create table a (x blob)');
    database.run('insert into a values (?)', new Uint8Array(100_000));
    database.close();
    expect(statSync(path).size).toBeGreaterThan(100_000);
    expect(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  test('a second close has no effect, and statements after it fail with a code', async () => {
    const database = await openSqlite(newPath());
    database.close();
    database.close();
    expect(() => database.get('select 1')).toThrow(expect.objectContaining({ code: 'database-unavailable' }));
  });

  test('errors have codes', async () => {
    const path = newPath();
    const database = await openSqlite(path);
    database.exec('create table a (x integer primary key)');
    const reader = await openSqlite(path, { mode: 'read' });
    expect(() => reader.run('insert into a values (1)')).toThrow(
      expect.objectContaining({ code: 'database-read-only' }),
    );
    database.exec('begin immediate');
    const other = await openSqlite(path);
    expect(() => other.exec('begin immediate')).toThrow(expect.objectContaining({ code: 'database-busy' }));
    database.exec('rollback');
    database.exec('pragma max_page_count = 1');
    expect(() => database.exec('create table b (x)')).toThrow(
      expect.objectContaining({ code: 'database-full' }),
    );
    for (const each of [database, reader, other]) each.close();
    const text = newPath();
    writeFileSync(text, 'no database '.repeat(500));
    await expect(openSqlite(text)).rejects.toMatchObject({ code: 'database-unreadable' });
  });

  test('a folder that does not exist is created on request alone', async () => {
    const path = join(folder, `missing-${files++}`, 'x.sqlite');
    await expect(openSqlite(path)).rejects.toMatchObject({ code: 'database-unreadable' });
    (await openSqlite(path, { createsFolder: true })).close();
  });

  test('a transaction that fails is undone, and the error of the program stays as it is', async () => {
    const database = await openSqlite(newPath());
    database.exec('create table a (x integer)');
    const failure = new RangeError('no');
    const work = (): never => {
      database.run('insert into a values (1)');
      throw failure;
    };
    expect(() => database.transaction(work)).toThrow(failure);
    expect(database.all('select * from a')).toEqual([]);
    database.close();
  });

  test('a lock is one process’s until it releases it', async () => {
    const path = newPath();
    const unlock = await lockFile(path);
    await expect(lockFile(path)).rejects.toMatchObject({ code: 'database-busy' });
    unlock();
    (await lockFile(path))();
  });

  test('loading SQLite writes nothing to stderr, and keeps other warnings', () => {
    const source = `import { loadSqlite } from ${JSON.stringify(new URL('../../dist/database/drivers.js', import.meta.url))};
      const warnings = []; process.on('warning', ({ name }) => warnings.push(name));
      const Driver = await loadSqlite(); new Driver(':memory:').close();
      process.emitWarning('x', 'ExperimentalWarning');
      setImmediate(() => console.log(JSON.stringify(warnings)));`;
    const args = ['--input-type=module', '--no-warnings', '--eval', source];
    expect(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))).toEqual([
      'ExperimentalWarning',
    ]);
  });
});
