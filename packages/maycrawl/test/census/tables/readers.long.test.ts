/** DuckDB, pyarrow and pandas read both tables, and each row is what hyparquet reads. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { findInputs, writeCensus } from 'maycrawl/census';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toMembers, writeRecord, writeResponse, writeRobotsTxt } from '../support/warc.ts';

/** Prints the rows of a table in Parquet as JSON, as pyarrow or pandas reads them. */
const PROGRAM = `
import json, sys
import numpy, pandas, pyarrow.parquet

def convert(value):
    if isinstance(value, dict):
        return {name: convert(each) for name, each in value.items()}
    if isinstance(value, (list, numpy.ndarray)):
        return [convert(each) for each in value]
    if value is None or value is pandas.NaT or value is pandas.NA or value != value:
        return None
    if hasattr(value, "timestamp"):
        return round(value.timestamp() * 1000)
    if isinstance(value, (bool, numpy.bool_)):
        return bool(value)
    if isinstance(value, (int, float, numpy.integer, numpy.floating)):
        return int(value)
    return value

_, reader, path = sys.argv
if reader == "pyarrow":
    table = pyarrow.parquet.read_table(path)
    table.validate(full=True)
    rows = table.to_pylist()
else:
    rows = pandas.read_parquet(path).to_dict("records")
json.dump([convert(row) for row in rows], sys.stdout)
`;
const PYTHON = process.env['PYTHON'] ?? 'python3';
const hasPython = spawnSync(PYTHON, ['-c', 'import pandas, pyarrow.parquet']).status === 0;
const duckdb = await import('@duckdb/node-api').catch(() => undefined);
const TABLES = ['captures', 'files'] as const;
/** More than a row group of the table `files`. */
const FILES = 5_400;

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-readers-'));
  const groups = [
    'GPTBot\nDisallow: /',
    'CCBot\nAllow: /é$\nDisallow: /*é',
    '*\nDisallow:',
    'Googlebot\nDisallow: /p',
  ];
  const records = Array.from({ length: FILES }, (_, index) => {
    // 0 to 4 groups, so that lists of judgements have different lengths.
    const text = groups.slice(0, index % 5).map((group) => `User-agent: ${group}${index}\n`);
    return writeRobotsTxt(`site-${index}.example`, `# ${index}\n${text.join('\n')}`);
  });
  const respond = (url: string, body: string, status: number, headers: readonly string[] = []): Buffer =>
    writeRecord({ url, block: writeResponse(body, headers, { status }) });
  records.push(
    respond('http://192.0.2.1:81/robots.txt', 'User-agent: *\nDisallow: /', 200),
    respond('https://[2001:db8::1]/robots.txt', '', 200),
    respond('https://münchen.example/robots.txt', '', 301, ['Location: /ü?"\\']),
    respond('https://moved.example/robots.txt', '', 301, ['Location: /r?a=1']),
    respond('https://moved.example/r?a=1', '<!DOCTYPE html><title>Page</title>', 200),
    respond('not a url', 'User-agent: *', 200),
    respond('https://gone.example/robots.txt', 'gone', 410),
    respond('https://busy.example/robots.txt', 'busy', 503),
  );
  writeFileSync(at('crawl.warc.gz'), toMembers(records));
  // No time, no status.
  writeFileSync(at('lines.ndjson'), `${JSON.stringify({ host: 'lines.example', body: 'User-agent: *' })}\n`);
  await writeCensus(await findInputs([at('crawl.warc.gz'), at('lines.ndjson')]), {
    ...{ agents: ['GPTBot', 'CCBot', 'Googlebot'], readAs: ['python-3.11', 'exact-rules'] },
    ...{ profile: 'google', version: '0.1.0', threads: 0, folder: at('census') },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Converts dates to milliseconds and large integers to numbers, as the program prints them. */
function convert(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(convert);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, convert(each)]));
}

/** Reads the rows with hyparquet. @throws if the table does not have the cases that the readers are compared in. */
async function readRows(table: (typeof TABLES)[number]): Promise<readonly unknown[]> {
  const file = await asyncBufferFromFile(at('census', `${table}.parquet`));
  const rows = (await parquetReadObjects({ file })).map(convert) as Record<string, unknown>[];
  const { row_groups: groups } = await parquetMetadataAsync(file);
  if (table === 'files') {
    expect(groups.length).toBeGreaterThan(1);
    const lengths = new Set(rows.map((row) => (row['judgements'] as readonly unknown[]).length));
    expect(lengths.size).toBeGreaterThan(2);
  } else
    for (const column of ['domain', 'path', 'time', 'status', 'digest', 'location']) {
      const nulls = rows.filter((row) => row[column] === null).length;
      expect(nulls, column).toBeGreaterThan(0);
      expect(nulls, column).toBeLessThan(rows.length);
    }
  return rows;
}

function expectRows(rows: readonly unknown[], expected: readonly unknown[]): void {
  expect(rows).toHaveLength(expected.length);
  // One by one, because the difference of thousands could not be printed.
  for (const [index, row] of expected.entries()) expect(rows[index], `row ${index}`).toEqual(row);
}

describe.each(TABLES)('the table %s', (table) => {
  test.skipIf(!hasPython).each(['pyarrow', 'pandas'])(
    'is read by %s (skipped without Python, pandas and pyarrow)',
    async (reader) => {
      const args = ['-c', PROGRAM, reader, at('census', `${table}.parquet`)];
      const { stdout } = await promisify(execFile)(PYTHON, args, { maxBuffer: 100_000_000 });
      expectRows(JSON.parse(stdout) as unknown[], await readRows(table));
    },
  );

  test.skipIf(duckdb === undefined)('is read by DuckDB (skipped without @duckdb/node-api)', async () => {
    const instance = await duckdb?.DuckDBInstance.create();
    const connection = await instance?.connect();
    const result = await connection?.runAndReadAll('SELECT * FROM read_parquet($1)', [
      at('census', `${table}.parquet`),
    ]);
    expectRows((result?.getRowObjectsJS() ?? []).map(convert), await readRows(table));
    connection?.closeSync();
    instance?.closeSync();
  });
});
