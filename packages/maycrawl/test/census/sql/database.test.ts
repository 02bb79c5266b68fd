import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenCensuses, openCensuses, QueryError } from 'maycrawl/census';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeGeneratedCensus } from '../support/generated-census.ts';

let folder: string;
let open: OpenCensuses;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-database-'));
  await writeGeneratedCensus(join(folder, 'census'), [
    { url: 'https://a.com/robots.txt', status: 200, body: 'User-agent: GPTBot\nDisallow: /\n' },
    { url: 'http://a.com/robots.txt', status: 301, body: '', location: 'https://a.com/robots.txt' },
    { url: 'https://b.de/robots.txt', status: 301, body: '', location: 'https://c.de/robots.txt' },
  ]);
  open = await openCensuses([join(folder, 'census')], { memory: 500e6, threads: 1 });
});
afterAll(() => {
  open.database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function readAll(sql: string, signal?: AbortSignal): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of (await open.database.query(sql, signal)).batches) rows.push(...batch);
  return rows;
}

test('a site has the access of its file, and of the target of its redirect', async () => {
  expect(
    await readAll(
      'SELECT site, redirects, target, agent, access, "group", disallowedLine FROM sites JOIN access USING (census, site) ORDER BY ALL',
    ),
  ).toEqual([
    ['a.com', 0, null, 'CCBot', 'all', 'none', null],
    ['a.com', 0, null, 'Googlebot', 'all', 'none', null],
    ['a.com', 0, null, 'GPTBot', 'none', 'own', 2],
    ['b.de', 0, 'https://c.de/robots.txt', 'CCBot', 'unknown', null, null],
    ['b.de', 0, 'https://c.de/robots.txt', 'Googlebot', 'unknown', null, null],
    ['b.de', 0, 'https://c.de/robots.txt', 'GPTBot', 'unknown', null, null],
  ]);
  expect(await readAll("SELECT scheme, redirects FROM origins WHERE host = 'a.com' ORDER BY scheme")).toEqual(
    [
      ['http', 1],
      ['https', 0],
    ],
  );
});

test('the name of an agent, and a named token, are found in any case', async () => {
  expect(await readAll("SELECT count(*) FROM access WHERE agent = 'googleBOT'")).toEqual([[2]]);
  expect(await readAll("SELECT class FROM agents WHERE agent = 'gptbot'")).toEqual([['none']]);
  expect(await readAll("SELECT token, judged FROM named WHERE token = 'GPTBot'")).toEqual([['gptbot', true]]);
});

test('a crawler with digits in its name is named as a whole', async () => {
  const path = join(folder, 'digits');
  const body = 'User-agent: MJ12bot/v1.4.5\nUser-agent: mj\nDisallow: /\n';
  const agents = ['MJ12bot'];
  await writeGeneratedCensus(path, [{ url: 'https://a.com/robots.txt', status: 200, body }], { agents });
  const { database } = await openCensuses([path], { memory: 500e6, threads: 1 });
  try {
    expect(await database.select('SELECT token, judged FROM named ORDER BY token')).toEqual([
      { token: 'mj', judged: false },
      { token: 'mj12bot', judged: true },
    ]);
    expect(await database.select('SELECT access, "group" FROM access')).toEqual([
      { access: 'none', group: 'own' },
    ]);
  } finally {
    database.close();
  }
});

test('the product token of a crawler whose name in the catalogue differs finds its rows', async () => {
  const path = join(folder, 'image');
  const agents = ['Googlebot-Image', 'storebot'];
  const body = 'User-agent: Googlebot-Image\nCrawl-delay: 3\nDisallow: /\n';
  await writeGeneratedCensus(path, [{ url: 'https://a.com/robots.txt', status: 200, body }], { agents });
  const { database } = await openCensuses([path], { memory: 500e6, threads: 1 });
  try {
    expect(await database.select('SELECT agent, access FROM access ORDER BY agent')).toEqual([
      { agent: 'Googlebot-Image', access: 'none' },
      { agent: 'Storebot-Google', access: 'all' },
    ]);
    expect(
      await database.select('SELECT crawlDelays, agents."Googlebot-Image".class AS class FROM files'),
    ).toEqual([{ crawlDelays: [{ agent: 'Googlebot-Image', seconds: 3 }], class: 'none' }]);
  } finally {
    database.close();
  }
});

test('folders that look like partitions add no columns, and replace none', async () => {
  const path = join(folder, 'status=7', 'bytes=8', 'host=zzz', 'year=2026');
  await writeGeneratedCensus(path, [
    { url: 'https://a.com/robots.txt', status: 200, body: 'User-agent: GPTBot\nDisallow: /\n' },
  ]);
  const { database } = await openCensuses([path], { memory: 500e6, threads: 1 });
  try {
    expect(await database.select('SELECT host, status FROM captures')).toEqual([
      { host: 'a.com', status: 200 },
    ]);
    expect(await database.select('SELECT site, status FROM sites')).toEqual([{ site: 'a.com', status: 200 }]);
    expect(await database.select('SELECT bytes FROM files')).toEqual([{ bytes: 31 }]);
    expect(Object.keys((await database.select<object>('FROM captures'))[0] ?? {})).not.toContain('year');
  } finally {
    database.close();
  }
});

test.each([
  "SELECT * FROM read_text('/etc/hostname')",
  "COPY (SELECT 1) TO 'written.csv'",
  'CREATE TABLE t AS SELECT 1',
  'SET threads = 8',
  'SELECT 1; SELECT 2',
  '',
])('refuses %j', async (sql) => {
  const error = await readAll(sql).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(QueryError);
  expect((error as Error).message).not.toContain('\n');
});

test('an aborted query throws the reason, and the next one runs', async () => {
  const controller = new AbortController();
  const { batches } = await open.database.query('FROM range(1000000000000)', controller.signal);
  const read = async (): Promise<void> => {
    for await (const rows of batches) if (rows.length > 0) controller.abort(new Error('enough'));
  };
  await expect(read()).rejects.toThrow('enough');
  await expect(open.database.query('SELECT 1', controller.signal)).rejects.toThrow('enough');
  expect(await readAll('SELECT 1')).toEqual([[1]]);
});

test('a closed database leaves no temporary folder', async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('maycrawl-sql-'));
  const other = await openCensuses([join(folder, 'census')], { memory: 500e6, threads: 1 });
  const during = readdirSync(tmpdir()).filter(
    (name) => name.startsWith('maycrawl-sql-') && !before.includes(name),
  );
  other.database.close();
  const after = new Set(readdirSync(tmpdir()));
  expect(during.length).toBeGreaterThan(0);
  expect(during.some((name) => !after.has(name))).toBe(true);
});
