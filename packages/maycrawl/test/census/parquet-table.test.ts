import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Column, createListColumn } from '../../src/census/tables/column.ts';
import { createSchema } from '../../src/census/tables/leaves.ts';
import { ParquetTable } from '../../src/census/tables/parquet-table.ts';
import { toStoredColumn } from '../../src/census/tables/stored-columns.ts';

interface Item {
  readonly kind: string;
  readonly line: number | null;
}

interface Row {
  readonly name: string;
  readonly note: string | null;
  readonly isOpen: boolean;
  readonly items: readonly Item[];
  readonly words: readonly string[];
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'name', type: 'string', get: ({ name }) => name },
  { name: 'note', type: 'string', isNullable: true, get: ({ note }) => note },
  createListColumn<Row, Item>('items', ({ items }) => items, {
    fields: [
      { name: 'kind', type: 'string', get: ({ kind }) => kind },
      {
        name: 'place',
        fields: [{ name: 'line', type: 'int32', isNullable: true, get: ({ line }) => line }],
      },
    ],
  }),
  createListColumn<Row, string>('words', ({ words }) => words, { type: 'string', get: (word) => word }),
  {
    name: 'first',
    fields: [
      { name: 'second', fields: [{ name: 'isOpen', type: 'boolean', get: ({ isOpen }) => isOpen }] },
      { name: 'count', type: 'int64', get: ({ items }) => BigInt(items.length) },
      { name: 'note', type: 'string', isNullable: true, get: ({ note }) => note },
    ],
  },
];

/** The row as objects and lists, which `ParquetWriter.write` expects. */
const toObject = ({ name, note, isOpen, items, words }: Row) => ({
  ...{ name, note },
  items: items.map(({ kind, line }) => ({ kind, place: { line } })),
  words: [...words],
  first: { second: { isOpen }, count: BigInt(items.length), note },
});

const METADATA = { text: 'value' };

const writeOracle = (rows: readonly Row[], schema: SchemaElement[], rowGroupSize: number): Uint8Array => {
  const writer = new ByteWriter();
  const kvMetadata = Object.entries(METADATA).map(([key, value]) => ({ key, value }));
  const parquet = new ParquetWriter({ writer, schema, kvMetadata, createdBy: 'maycrawl' });
  const objects = rows.map(toObject);
  const columnData = COLUMNS.map(({ name }) => ({
    name,
    data: objects.map((object) => object[name as keyof typeof object]),
  }));
  void parquet.write({ columnData, rowGroupSize });
  void parquet.finish();
  return writer.getBytes();
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-table-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function writeTable<Type>(name: string, columns: readonly Column<Type>[], rows: readonly Type[]) {
  const path = join(folder, name);
  const table = new ParquetTable({ path, columns, rowsPerGroup: ROWS_PER_GROUP, metadata: METADATA });
  for (const row of rows) table.add(row);
  const written = table.finish();
  const bytes = readFileSync(path);
  expect(written).toEqual({
    ...{ rows: rows.length, bytes: bytes.length },
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  return { path, bytes };
}

const ROWS_PER_GROUP = 40;

const text = fc.oneof(
  fc.constantFrom('', 'all', 'none', 'some', '\u{1f600}', '\uffff'),
  fc.string({ unit: 'binary' }),
);
const row: fc.Arbitrary<Row> = fc.record({
  name: text,
  note: fc.option(text),
  isOpen: fc.boolean(),
  items: fc.array(fc.record({ kind: text, line: fc.option(fc.integer({ min: 0, max: 5 })) }), {
    maxLength: 4,
  }),
  words: fc.array(text, { maxLength: 3 }),
});

describe('a Parquet table', () => {
  test('has the bytes that hyparquet-writer makes of rows of objects, and those rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 100, size: 'max' }), async (rows) => {
        const { path, bytes } = writeTable('a.parquet', COLUMNS, rows);
        const { elements } = createSchema(COLUMNS);
        expect(bytes.equals(writeOracle(rows, elements, ROWS_PER_GROUP))).toBe(true);
        const file = await asyncBufferFromFile(path);
        const stored = await parquetReadObjects({ file });
        // Lone surrogates are stored as U+FFFD.
        expect(stored).toEqual(rows.map((each) => toWellFormed(toObject(each))));
        expect(writeTable('b.parquet', COLUMNS.map(toStoredColumn), stored).bytes.equals(bytes)).toBe(true);
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 60), seed: 3 },
    );
  });

  test('refuses a missing value', () => {
    const columns: Column<null>[] = [{ name: 'a', type: 'string', get: () => undefined }];
    expect(() => writeTable('missing.parquet', columns, [null])).toThrow('parquet');
  });
});

function toWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return Buffer.from(value).toString();
  if (Array.isArray(value)) return value.map(toWellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toWellFormed(each)]));
}
