import { join } from 'node:path';
import { openSqlite, type SqliteDatabase } from '@maycrawl/client/internal';
import { beforeEach, describe, expect, test } from 'vitest';
import { LinkRows } from '../../src/audit/run/tables/link-rows.ts';
import { StringTable } from '../../src/audit/run/tables/string-table.ts';
import { createTestFolder } from '../support/folder.ts';

const folder = createTestFolder('caches');
let count = 0;

describe('texts of links', () => {
  let database: SqliteDatabase;
  let statements: string[];
  beforeEach(async () => {
    database = await openSqlite(join(folder, `${++count}.sqlite`));
    database.exec('create table texts (id integer primary key, hash integer not null, text text not null)');
    statements = [];
    for (const name of ['run', 'insert', 'get', 'all'] as const) {
      const call = database[name].bind(database) as (sql: string, ...values: never[]) => unknown;
      Object.assign(database, {
        [name]: (sql: string, ...values: never[]) => {
          statements.push(sql);
          return call(sql, ...values);
        },
      });
    }
    return () => database.close();
  });

  const create = (): StringTable => new StringTable(database, 'texts', 1);
  const names = (length: number): string[] => Array.from({ length }, (_, index) => `text ${index}`);
  const read = (): string[] =>
    database.all<{ text: string }>('select text from texts order by id').map(({ text }) => text);

  test('new texts are stored with few statements, each once, and have the ids of their rows', () => {
    const table = create();
    table.addNew(['first', undefined, 'first', ...names(100)]);
    expect(statements.length).toBeLessThan(10);
    statements = [];
    table.addNew(['first', 'last']);
    expect(table.add('text 99')).toBe(101);
    expect(table.add('last')).toBe(102);
    expect(table.add('another')).toBe(103);
    expect(statements).toHaveLength(2);
    expect(read()).toEqual(['first', ...names(100), 'last', 'another']);
  });

  test('texts of a table that has some are not stored twice', () => {
    create().addNew(names(3));
    const table = create();
    table.addNew(['text 1', 'new']);
    expect(['text 1', 'new', 'text 2'].map((text) => table.add(text))).toEqual([2, 4, 3]);
    expect(read()).toEqual([...names(3), 'new']);
  });

  test('texts are right after a full cache was cleared', () => {
    const table = create();
    const many = names(60_000);
    table.addNew(many);
    for (const index of [0, 49_999, 50_000, 59_999]) {
      const id = table.add(many[index] as string);
      expect(database.get('select text from texts where id = ?', id)).toEqual({ text: many[index] });
    }
    expect(new Set(read()).size).toBe(read().length);
  });

  test('the texts of many links are read with few statements', () => {
    create().addNew(names(1_000));
    statements = [];
    const rows = new LinkRows(database);
    const texts = names(1_000).map((_, index) => rows.readTexts(index + 1));
    expect(texts).toEqual(names(1_000).map((name) => [name]));
    expect(statements.length).toBeLessThan(20);
    expect(rows.readTexts(0)).toEqual([]);
    expect(rows.readTexts(2_000)).toEqual([]);
  });
});
