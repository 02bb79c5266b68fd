import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type CensusDatabase, createViewStatements, openCensuses, QueryError } from 'maycrawl/census';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeGeneratedCensus } from '../support/generated-census.ts';

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);
const LIMITS = { memory: 500e6, threads: 1 } as const;
const GROUPS = [{ name: 'AI', agents: ['gptbot', 'CCBot', 'CCBot'] }];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-tables-'));
  await writeGeneratedCensus(at("it's [one]"), [
    {
      url: 'https://a.com/robots.txt',
      status: 200,
      body: 'User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n',
    },
    { url: 'https://www.b.de/robots.txt', status: 200, body: 'User-agent: GPTBot\nDisallow: /\n' },
    { url: 'https://c.de/robots.txt', status: 302, body: '', location: 'https://www.b.de/robots.txt' },
    { url: 'https://d.org/robots.txt', status: 503, body: '' },
    { url: 'https://e.org/robots.txt', status: 404, body: '' },
  ]);
  mkdirSync(at('year=2026'));
  writeFileSync(at('year=2026', 'categories.csv'), 'site,category\na.com,press\nb.de,shop\n"d.org","x, y"\n');
  writeFileSync(at('other.csv'), 'site,secret\na.com,1\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CATEGORIES = {
  name: 'categories',
  get path() {
    return at('year=2026', 'categories.csv');
  },
};

/** Opens the census for a test. */
async function withDatabase(
  options: Parameters<typeof openCensuses>[1],
  run: (database: CensusDatabase) => Promise<void>,
): Promise<void> {
  const { database } = await openCensuses([at("it's [one]")], { ...LIMITS, ...options });
  try {
    await run(database);
  } finally {
    database.close();
  }
}

async function query(database: CensusDatabase, sql: string): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of (await database.query(sql)).batches) rows.push(...batch);
  return rows;
}

test('a file of the user is a table that queries join, without columns of its folder', async () => {
  await withDatabase({ tables: [CATEGORIES] }, async (database) => {
    expect(
      await query(
        database,
        'SELECT site, category FROM sites LEFT JOIN categories USING (site) ORDER BY site LIMIT 1',
      ),
    ).toEqual([['a.com', 'press']]);
    expect(await query(database, 'FROM categories ORDER BY site')).toEqual([
      ['a.com', 'press'],
      ['b.de', 'shop'],
      ['d.org', 'x, y'],
    ]);
  });
});

test('queries read no file beside the named ones, also not in their folders', async () => {
  await withDatabase({ tables: [CATEGORIES] }, async (database) => {
    for (const sql of [
      `FROM read_csv('${at('other.csv')}')`,
      `FROM '${at('other.csv')}'`,
      `FROM read_csv('${at('year=2026')}/*.csv')`,
      `FROM read_csv('${at('*.csv')}')`,
      `FROM read_text('${at('other.csv')}')`,
      `FROM glob('${at('*')}')`,
      `COPY categories TO '${at('year=2026', 'categories.csv')}'`,
      'CREATE TABLE other AS SELECT 1',
      'DROP TABLE categories',
      "INSERT INTO categories VALUES ('x', 'y')",
      "SET allowed_paths = ['/etc/passwd']",
    ])
      await expect(query(database, sql), sql).rejects.toBeInstanceOf(QueryError);
  });
});

test.each([
  ['missing.csv', 'no such file'],
  ['year=2026', 'unknown format'],
  ['ranks.csv', 'the first line must have the names of the columns; 1 looks like a value'],
  ['uneven.csv', 'has another number of values'],
])('a table of %s is refused: %s', async (file, message) => {
  writeFileSync(at('ranks.csv'), '1,google.com\n2,youtube.com\n');
  writeFileSync(at('uneven.csv'), `a,b\n${'1,2\n'.repeat(30_000)}1,2,3\n`);
  await expect(withDatabase({ tables: [{ name: 'mine', path: at(file) }] }, async () => {})).rejects.toThrow(
    message,
  );
});

test('the name of a view, and a name that is used twice, are refused', async () => {
  const open = (...names: string[]) =>
    withDatabase(
      { tables: names.map((name) => ({ ...CATEGORIES, path: CATEGORIES.path, name })) },
      async () => {},
    );
  await expect(open('Sites')).rejects.toThrow('there is a view Sites; give the table another name');
  await expect(open('one', 'ONE')).rejects.toThrow('there are two tables ONE');
});

test('a group of agents is blocked by any of them, by all of them, or it is unknown', async () => {
  await withDatabase({ groups: GROUPS }, async (database) => {
    expect(
      await query(
        database,
        `SELECT site, agents, blocked, "blocksAny", "blocksAll" FROM group_access WHERE name = 'ai' ORDER BY site`,
      ),
    ).toEqual([
      ['a.com', 2, 2, true, true],
      ['c.de', 2, 1, true, false],
      ['d.org', 2, 0, null, null],
      ['e.org', 2, 0, false, false],
      ['www.b.de', 2, 1, true, false],
    ]);
  });
  await expect(
    withDatabase({ groups: [{ name: 'AI', agents: ['PetalBot'] }] }, async () => {}),
  ).rejects.toThrow("the group AI: it's [one] has no agent PetalBot");
});

test('a plain DuckDB has the same views', async () => {
  const folders = [at("it's [one]")];
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const statements = createViewStatements(folders, { tables: [CATEGORIES], groups: GROUPS });
  // Twice: a file of statements can be read again.
  for (const statement of [...statements, ...statements]) await connection.run(statement);
  await withDatabase({ tables: [CATEGORIES], groups: GROUPS }, async (database) => {
    for (const view of ['sites', 'access', 'agents', 'named', 'censuses', 'group_access', 'categories']) {
      const sql = `SELECT columns(*)::VARCHAR FROM ${view} ORDER BY ALL`;
      const plain = (await connection.runAndReadAll(sql)).getRowsJson();
      expect(plain.length, view).toBeGreaterThan(0);
      expect(plain, view).toEqual(await query(database, sql));
    }
  });
  connection.closeSync();
  instance.closeSync();
});

test('a query about access reads each table once, however many agents there are', async () => {
  const agents = Array.from(
    { length: 300 },
    (_, index) => `Bot${'a'.repeat(1 + (index % 20))}-${String.fromCharCode(97 + Math.floor(index / 20))}`,
  );
  await writeGeneratedCensus(
    at('many'),
    [{ url: 'https://a.com/robots.txt', status: 200, body: 'User-agent: *\nDisallow: /' }],
    { agents },
  );
  const { database } = await openCensuses([at('many')], LIMITS);
  try {
    expect(await query(database, 'SELECT access, count(*) FROM access GROUP BY ALL')).toEqual([
      ['none', 300],
    ]);
    const plan = JSON.stringify(await database.select('EXPLAIN FROM access'));
    expect(plan.split('READ_PARQUET').length - 1).toBeLessThanOrEqual(4);
  } finally {
    database.close();
  }
});
