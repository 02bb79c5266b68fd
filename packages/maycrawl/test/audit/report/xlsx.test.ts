import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECORD_COLUMNS } from '../../../src/audit/report/formats/csv.ts';
import { summarizeRun } from '../../../src/audit/report/summary.ts';
import type { UrlReport } from '../../../src/audit/report/url-report.ts';
import { writeReports } from '../../../src/audit/report/write-report.ts';
import { getColumnName, type RowCounts, type XlsxCell } from '../../../src/audit/report/xlsx/cells.ts';
import { createWorkbook, type Sheet } from '../../../src/audit/report/xlsx/workbook.ts';
import type { RunStore } from '../../../src/audit/run/run-store.ts';
import { makeRun } from '../../support/audit-runs.ts';
import { SHOP } from '../../support/audit-site.ts';
import { createTestFolder } from '../../support/folder.ts';
import { type ReadSheet, readWorkbook } from '../../support/read-workbook.ts';

/** The control characters that XML cannot contain. */
const UNWRITABLE = /[^\P{Cc}\t\n\r\x7f-\x9f]/gu;

const folder = createTestFolder('xlsx');

/** Writes rows into a workbook, and reads it. */
async function writeAndRead(
  rows: Sheet['rows'],
  maxRows?: number,
): Promise<{ sheets: ReadSheet[]; counts: RowCounts }> {
  let counts: RowCounts = { cutCells: 0 };
  const bytes: Uint8Array[] = [];
  for await (const piece of createWorkbook(async (add) => {
    counts = await add({ name: 'Data', columns: [['value', 10]], rows });
    await add({ name: 'Summary', columns: [['value', 10]], rows: [] });
  }, maxRows))
    bytes.push(piece);
  return { sheets: readWorkbook(Buffer.concat(bytes)), counts };
}

describe('a cell', () => {
  const SAME: readonly XlsxCell[] = [
    ...['=1+1', '+1', '-1', '@SUM(1)', '=HYPERLINK("http://h.example")', "'=1", '\t=1', '|=1'],
    ...['007', 'TRUE', '1e5', '2026-11-21', '#REF!', ' spaces  ', 'two\nlines', 'tab\tstop', ''],
    ...['<b>&"quoted"</b>', ']]>', '_x000D_', '_x0041_x0042_', '__x0041_', '_x004_', '\u{1f600}', 'é\u202e'],
    ...[0, -1.5, 1e21, true, false],
  ];

  test.each(SAME)('%j is read as it was written, and is no formula', async (value) => {
    const { sheets, counts } = await writeAndRead([[value]]);
    expect(sheets[1]).toMatchObject({ rows: [['value'], [value]], formulas: 0 });
    expect(counts.cutCells).toBe(0);
  });

  test('characters that XML cannot contain are replaced', async () => {
    const { sheets } = await writeAndRead([['a\0b\ud800c\uffff']]);
    expect(sheets[1]?.rows[1]).toEqual(['a\ufffdb\ufffdc\ufffd']);
  });

  test('text of 32,767 characters is whole; longer text is cut, and says so', async () => {
    const { sheets, counts } = await writeAndRead([
      ['x'.repeat(32_767)],
      ['\u{1f600}'.repeat(20_000)],
      [`y${'\u{1f600}'.repeat(20_000)}`],
    ]);
    const cells = sheets[1]?.rows.slice(1).map(([cell]) => cell as string) ?? [];
    expect(cells[0]).toBe('x'.repeat(32_767));
    for (const cell of cells.slice(1)) {
      expect(cell.length).toBeLessThanOrEqual(32_767);
      expect(cell.length).toBeGreaterThan(32_700);
      expect(cell).toMatch(/^y?\u{1f600}+ … \(cut: 4000[01] characters\)$/u);
    }
    expect(counts.cutCells).toBe(2);
  });

  test('empty cells are omitted, and the others stay in their columns', async () => {
    const row = [null, 'b', ...Array<null>(25).fill(null), 'AB'];
    const { sheets } = await writeAndRead([row, []]);
    expect(sheets[1]?.rows.slice(1)).toEqual([row, []]);
  });

  test.each([
    [25, 'Z'],
    [26, 'AA'],
    [16_383, 'XFD'],
  ])('column %i is %s', (index, name) => expect(getColumnName(index)).toBe(name));
});

describe('the rows of a sheet', () => {
  const numbers = (count: number): XlsxCell[][] => Array.from({ length: count }, (_, index) => [index]);

  test.each([
    [0, [0]],
    [3, [3]],
    [10, [3, 3, 3, 1]],
  ])('%i rows with at most three in a worksheet continue in further worksheets', async (count, sizes) => {
    const { sheets } = await writeAndRead(numbers(count), 4);
    const [summary, ...data] = sheets;
    expect(summary?.name).toBe('Summary');
    expect(data.map(({ name }) => name)).toEqual(
      sizes.map((_, index) => (index === 0 ? 'Data' : `Data ${index + 1}`)),
    );
    expect(data.map(({ rows }) => rows.length - 1)).toEqual(sizes);
    expect(data.map(({ filter }) => filter)).toEqual(sizes.map((size) => `A1:A${size + 1}`));
    expect(data.flatMap(({ rows }) => rows.slice(1))).toEqual(numbers(count));
    for (const { rows } of data) expect(rows[0]).toEqual(['value']);
  });

  test('are read while they are written, and end with the reader of the file', async () => {
    let read = 0;
    let isClosed = false;
    const rows = function* (): Generator<XlsxCell[]> {
      try {
        // Text that cannot be compressed.
        for (; read < 200_000; read++) yield [Array.from({ length: 40 }, () => Math.random()).join()];
      } finally {
        isClosed = true;
      }
    };
    let first = 0;
    for await (const piece of createWorkbook(async (add) => {
      await add({ name: 'Data', columns: [['value', 10]], rows: rows() });
    })) {
      expect(piece.length).toBeLessThan(1_000_000);
      first ||= read;
      if (read > 2_000) break;
    }
    expect(first).toBeLessThan(2_000);
    expect(read).toBeLessThan(20_000);
    expect(isClosed).toBe(true);
  });

  test('fail with their error', async () => {
    const rows = function* (): Generator<XlsxCell[]> {
      yield [1];
      throw new Error('the run is damaged');
    };
    await expect(writeAndRead(rows())).rejects.toThrow('the run is damaged');
  });
});

describe('the workbook of a run', () => {
  let run: RunStore;
  let sheets: ReadSheet[];
  let records: UrlReport[];

  beforeAll(async () => {
    run = await makeRun(join(folder, 'run.sqlite'), SHOP);
    const [xlsx, ndjson] = [join(folder, 'run.xlsx'), join(folder, 'run.ndjson')];
    const { files } = await writeReports(run, { xlsx, ndjson }, { name: 'run' });
    expect(files).toEqual([ndjson, xlsx]);
    sheets = readWorkbook(readFileSync(xlsx));
    const lines = readFileSync(ndjson, 'utf8').trimEnd().split('\n');
    records = lines.map((line) => JSON.parse(line) as UrlReport);
  });
  afterAll(() => run?.close());

  test('has the summary, the segments, the findings and the URLs', () => {
    expect(sheets.map(({ name }) => name)).toEqual([
      'Summary',
      'Segments',
      'Findings',
      'Broken links',
      'URLs',
    ]);
  });

  test('has a row with the columns of CSV for each record', () => {
    const [head, ...rows] = sheets[4]?.rows ?? [];
    expect(head).toEqual(RECORD_COLUMNS.map(([name]) => name));
    const expected = records.map((record) => RECORD_COLUMNS.map(([, cell]) => cell(record)));
    expect(rows.map((row) => head?.map((_, index) => row[index] ?? null))).toEqual(
      expected.map((row) =>
        row.map((cell) => (typeof cell === 'string' ? cell.replace(UNWRITABLE, '\ufffd') : cell)),
      ),
    );
  });

  test('has a row for each finding, the most urgent first', () => {
    const [head, ...rows] = sheets[2]?.rows ?? [];
    expect(head?.slice(0, 4)).toEqual(['severity', 'code', 'agent', 'url']);
    const expected = records.flatMap(({ url, agent, findings }) =>
      findings.map(({ code, severity }) => `${severity} ${code} ${agent} ${url}`),
    );
    expect(rows.map((row) => row.slice(0, 4).join(' ')).sort()).toEqual(expected.sort());
    const severities = rows.map(([severity]) => ['error', 'warning', 'info'].indexOf(String(severity)));
    expect(severities).toEqual(severities.toSorted());
    expect(new Set(severities).size).toBe(3);
  });

  test('has the counts of the summary', async () => {
    const { agents, total } = summarizeRun(run);
    const rows = sheets[0]?.rows ?? [];
    expect(rows).toContainEqual([null, 'URLs', total]);
    for (const { agent, indexable, findings } of agents) {
      expect(rows).toContainEqual([agent, 'Indexable', indexable]);
      for (const { severity, code, count } of findings)
        expect(rows).toContainEqual([agent, `${severity}: ${code}`, count]);
    }
    expect(rows.flat().join('\n')).not.toContain('Cut cells');
  });

  test('leaves no file if it fails', async () => {
    const target = mkdtempSync(join(folder, 'failed-'));
    const damaged = new Proxy(run, {
      get: (object, name) => {
        if (name === 'findings') throw new Error('the table is gone');
        const value: unknown = Reflect.get(object, name, object);
        return typeof value === 'function' ? value.bind(object) : value;
      },
    });
    await expect(writeReports(damaged, { xlsx: join(target, 'run.xlsx') }, { name: 'run' })).rejects.toThrow(
      'the table is gone',
    );
    expect(readdirSync(target)).toEqual([]);
  });
});
