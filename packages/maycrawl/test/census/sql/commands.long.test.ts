import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findInputs, slicePaths, writeCensus } from 'maycrawl/census';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, run } from '../../support/run.ts';
import { runHere } from '../../support/run-here.ts';
import { writeGeneratedCensus } from '../support/generated-census.ts';

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

const CAPTURES = [
  { url: 'https://a.com/robots.txt', status: 200, body: 'User-agent: *\nDisallow: /\n' },
  { url: 'https://b.de/robots.txt', status: 404, body: '' },
  { url: 'http://c.org:81/robots.txt', status: 200, body: '', time: '2026-01-02T03:04:05Z' },
];
const OPTIONS = { agents: ['GPTBot'], profile: 'google', version: '0.1.0', threads: 0 } as const;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-sql-test-'));
  await writeGeneratedCensus(at('first'), CAPTURES);
  await writeGeneratedCensus(at('second'), CAPTURES.slice(0, 1), { agents: ['GPTBot', 'ClaudeBot'] });
  await writeGeneratedCensus(at('rfc9309'), CAPTURES.slice(0, 1), { profile: 'rfc9309' });
  await writeGeneratedCensus(at('elsewhere'), CAPTURES.slice(0, 1), { agents: ['PetalBot'] });
  const { paths, part } = slicePaths([at('first-inputs'), at('second-inputs')], 1, 2);
  await writeCensus(await findInputs(paths), { ...OPTIONS, part, folder: at('parts') });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sql = (...args: string[]) => runHere(['census', 'sql', ...args]);

describe('maycrawl census sql', () => {
  test('prints results in each format', async () => {
    const query = `SELECT site, time, agent = 'GPTBot' AS "is", [1, 2] AS list, 12345678901234567890::HUGEINT AS large, 0.5 AS half
      FROM sites JOIN access USING (census, site) WHERE agent = 'GPTBot' AND site LIKE 'c%'`;
    const table = await sql(at('first'), query);
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout.replaceAll(/ +/g, ' ')).toBe(
      'site time is list large half\nc.org:81 2026-01-02T03:04:05Z true [1,2] 12345678901234567890 0.5\n',
    );
    const row = {
      ...{ site: 'c.org:81', time: '2026-01-02T03:04:05Z', is: true, list: [1, 2] },
      ...{ large: '12345678901234567890', half: 0.5 },
    };
    expect(JSON.parse((await sql(at('first'), query, '--format', 'json')).stdout)).toEqual([row]);
    expect((await sql(at('first'), query, '--format', 'ndjson')).stdout).toBe(`${JSON.stringify(row)}\n`);
    expect((await sql(at('first'), query, '--format', 'csv')).stdout).toBe(
      '\ufeffsite,time,is,list,large,half\r\nc.org:81,2026-01-02T03:04:05Z,true,"[1,2]",12345678901234567890,0.5\r\n',
    );
  });

  test('prints an empty result, and columns of the same name', async () => {
    const { stdout } = await sql(at('first'), 'FROM sites WHERE false', '--format', 'json');
    expect(stdout).toBe('[]\n');
    expect(
      Object.keys(JSON.parse((await sql(at('first'), 'SELECT 1 AS a, 2 AS a', '--format', 'ndjson')).stdout)),
    ).toHaveLength(2);
  });

  test('reads the query from standard input', async () => {
    const { stdout } = await runHere(
      ['census', 'sql', at('first'), '-', '--format', 'ndjson'],
      'SELECT count(*) AS sites FROM sites;\n',
    );
    expect(stdout).toBe('{"sites":3}\n');
  });

  test('unites censuses with different agents', async () => {
    const query = 'SELECT census, agent, count(*) AS sites FROM access GROUP BY ALL ORDER BY ALL';
    const { stdout } = await sql(at('first'), at('second'), query, '--format', 'ndjson');
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => Object.values(JSON.parse(line)).join(' ')),
    ).toEqual([
      'first CCBot 3',
      'first Googlebot 3',
      'first GPTBot 3',
      'second ClaudeBot 1',
      'second GPTBot 1',
    ]);
    expect((await sql(at('first'), at('second'), 'SELECT count(*) FROM files')).code).toBe(0);
  });

  test('prints a bounded table, and all rows in other formats', async () => {
    const table = await sql(at('first'), 'FROM range(100000)');
    expect(table.stdout.split('\n')).toHaveLength(1_002);
    expect(table.stderr).toBe('maycrawl: the first 1,000 rows; --format csv prints all\n');
    const all = await sql(at('first'), 'FROM range(100000)', '--format', 'ndjson');
    expect(all.stdout.split('\n')).toHaveLength(100_001);
    expect((await sql(at('first'), 'FROM range(1000)')).stderr).toBe('');
  });

  test('escapes control characters', async () => {
    const query = "SELECT chr(27) || '[31m' || chr(8238) AS text, '=1+1' AS formula";
    for (const [format, expected] of [
      ['table', 'text formula\n\\x1b[31m\\u{202e} =1+1\n'],
      ['ndjson', '{"text":"\\u001b[31m\\u202e","formula":"=1+1"}\n'],
      ['csv', "\ufefftext,formula\r\n\ufffd[31m\u202e,'=1+1\r\n"],
    ] as const)
      expect((await sql(at('first'), query, '--format', format)).stdout.replaceAll(/ +/g, ' ')).toBe(
        expected,
      );
  });

  test.each([
    ['SELEC 1', /syntax error at or near "SELEC"/],
    ['SELECT nothing FROM sites', /Referenced column "nothing" not found/],
    ['', /^maycrawl: the text must have one query/],
    ['/* only a comment */', /the text must have one query/],
    ['SELECT 1; SELECT 2', /the text must have one query/],
    ['SELECT $1', /parameters/],
    ["SELECT * FROM read_text('/etc/hostname')", /Permission Error/],
    ["SELECT * FROM '/etc/hostname'", /\/etc\/hostname/],
    ["COPY (SELECT 1) TO 'written.csv'", /./],
    ['CREATE TABLE t AS SELECT 1', /only queries that read/],
    ['DROP VIEW sites', /only queries that read/],
    ['EXPLAIN ANALYZE SELECT 1', /only queries that read/],
    ['SET threads = 8', /./],
    ["ATTACH 'other.db'", /./],
    ['INSTALL httpfs', /./],
    ["SELECT error('a' || chr(10) || chr(27) || 'b')", /a \\x1bb|a b/],
  ])('refuses %s in one line', async (query, message) => {
    const { code, stdout, stderr } = await sql(at('first'), query);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^maycrawl: [^\n]+\n$/);
  });

  test('cannot overwrite the tables', async () => {
    const path = at('first', 'captures.parquet');
    const before = readFileSync(path);
    expect((await sql(at('first'), `COPY (SELECT 1) TO '${path}'`)).code).toBe(2);
    expect((await sql(at('first'), `EXPLAIN ANALYZE COPY (SELECT 1) TO '${path}'`)).code).toBe(2);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('ends at the time limit, and at an interrupt', async () => {
    const endless = 'SELECT count(*) FROM range(1000000000000) AS a(i) WHERE i % 7 = 3';
    const limited = await sql(at('first'), endless, '--timeout', '1s');
    expect(limited).toMatchObject({
      code: 2,
      stderr: 'maycrawl: more than 1s; --timeout permits more time\n',
    });
    // Rows of a streamed result are printed before the interrupt.
    const child = spawn(process.execPath, [
      BIN,
      'census',
      'sql',
      at('first'),
      'FROM range(1000000000000)',
      '--format',
      'ndjson',
    ]);
    const errors = text(child.stderr);
    child.stdout.once('data', () => child.kill('SIGINT'));
    child.stdout.resume();
    const code = await new Promise((resolve) => child.on('exit', resolve));
    expect([code, await errors]).toEqual([2, 'maycrawl: interrupted\n']);
  });

  test('stores in a temporary folder what exceeds the memory, and removes it', async () => {
    const query = 'SELECT count(*) AS n FROM (SELECT DISTINCT md5(i::VARCHAR) FROM range(3000000) AS t(i))';
    const env = { ...process.env, TMPDIR: at('temporary') };
    cpSync(at('first'), at('temporary', 'census'), { recursive: true });
    const { stdout, stderr } = await run(
      ['census', 'sql', at('first'), query, '--format', 'ndjson', '--memory', '150MB', '--threads', '1'],
      '',
      { env },
    );
    expect([stdout, stderr]).toEqual(['{"n":3000000}\n', '']);
    expect(readdirSync(at('temporary'))).toEqual(['census']);
  });
});

describe('folders', () => {
  test.each([
    [['missing'], /missing has no complete census: there is no census\.json/],
    [['first-inputs'], /first-inputs has no complete census/],
    [['parts'], /parts has parts of a census: maycrawl census merge combines them/],
    [['first', 'first'], /first is named twice/],
    [['other-format'], /another version of maycrawl/],
    [['damaged-json'], /census\.json is damaged/],
    [['no-agents'], /census\.json is damaged/],
    [['outside'], /census\.json is damaged/],
    [['short-table'], /files\.parquet is missing or damaged/],
  ])('%s is refused', async (names, message) => {
    const [name = ''] = names;
    const change = (edit: (json: Record<string, unknown>) => unknown): void => {
      cpSync(at('first'), at(name), { recursive: true });
      const path = at(name, 'census.json');
      writeFileSync(path, JSON.stringify(edit(JSON.parse(readFileSync(path, 'utf8')))));
    };
    if (name === 'other-format') change((json) => ({ ...json, format: 0 }));
    if (name === 'damaged-json') change(() => null);
    if (name === 'no-agents') change((json) => ({ ...json, agents: 'GPTBot' }));
    if (name === 'outside')
      change((json) => ({ ...json, tables: { captures: { file: '../first/captures.parquet' } } }));
    if (name === 'short-table') {
      change((json) => json);
      truncateSync(at(name, 'files.parquet'), 100);
    }
    const { code, stderr } = await sql(...names.map((each) => at(each)), 'SELECT 1');
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^maycrawl: [^\n]+\n$/);
  });

  test('a damaged table of the right length is an error of one line', async () => {
    cpSync(at('first'), at('damaged-table'), { recursive: true });
    const bytes = readFileSync(at('damaged-table', 'captures.parquet'));
    writeFileSync(at('damaged-table', 'captures.parquet'), Buffer.alloc(bytes.length, 'x'));
    const { code, stderr } = await sql(at('damaged-table'), 'SELECT 1');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^maycrawl: [^\n]+captures\.parquet[^\n]*\n$/);
  });

  test('names of folders are not patterns', async () => {
    for (const name of ['st*r', 'we[i]rd', "it's", 'ü ☃']) {
      cpSync(at('second'), at(name), { recursive: true });
      // A pattern would match these folders, too.
      cpSync(
        at('first'),
        at(name.replace('*', 'a').replace('[i]', 'i').replace("'", '-').replace('ü', 'u')),
        {
          recursive: true,
        },
      );
      const { stdout } = await sql(
        at(name),
        'SELECT census, count(*) AS sites FROM access GROUP BY ALL',
        '--format',
        'ndjson',
      );
      expect(stdout).toBe(`${JSON.stringify({ census: name, sites: 2 })}\n`);
    }
  });

  test('censuses in folders of the same name have their paths as names', async () => {
    cpSync(at('first'), at('copies', 'first'), { recursive: true });
    const { stdout } = await sql(
      at('first'),
      at('copies', 'first'),
      'SELECT census FROM censuses',
      '--format',
      'ndjson',
    );
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).census),
    ).toEqual([at('first'), at('copies', 'first')]);
  });
});

describe('maycrawl census compare', () => {
  const compare = (...args: string[]) => runHere(['census', 'compare', ...args]);

  test('reports agents that only one census has', async () => {
    const { code, stdout, stderr } = await compare(at('first'), at('second'), '--format', 'json');
    expect(code).toBe(0);
    expect(stderr).toBe('maycrawl: only one census has these agents: CCBot, Googlebot, ClaudeBot\n');
    expect(JSON.parse(stdout)).toMatchObject({
      before: { name: 'first', sites: 3, onlySites: 2, from: '2026-01-02T03:04:05Z' },
      after: { name: 'second', sites: 1, onlySites: 0, from: null },
      sites: 1,
      agents: [
        { agent: 'GPTBot', knownSites: 1, blockedBefore: 1, blockedAfter: 1, newlyBlocked: { count: 0 } },
      ],
    });
  });

  test.each([
    [['first'], /name the folders of two censuses/],
    [['first', 'second', 'rfc9309'], /name the folders of two censuses/],
    [['first', 'rfc9309'], /have different profiles: google and rfc9309/],
    [['first', 'elsewhere'], /first, elsewhere have no agent in common/],
  ])('refuses %s', async (names, message) => {
    const { code, stderr } = await compare(...names.map((name) => at(name)));
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^maycrawl: [^\n]+\n$/);
  });
});

test('without the package, one line says how to install it', async () => {
  const hook = at('hook.mjs');
  writeFileSync(
    hook,
    `import { registerHooks, register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(\`export async function resolve(name, context, next) {
  if (name === '@duckdb/node-api') throw Object.assign(new Error('missing'), { code: 'ERR_MODULE_NOT_FOUND' });
  return next(name, context);
}\`));`.replace('registerHooks, ', ''),
  );
  const env = { ...process.env, NODE_OPTIONS: `--no-warnings --import ${hook}` };
  const { code, stderr } = await run(['census', 'sql', at('first'), 'SELECT 1'], '', { env });
  expect(code).toBe(2);
  expect(stderr).toBe(
    'maycrawl: queries need the package @duckdb/node-api, which is not installed for this system: npm install @duckdb/node-api\n',
  );
});
