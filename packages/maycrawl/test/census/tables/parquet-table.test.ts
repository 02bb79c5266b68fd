import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { type Column, createListColumn } from '../../../src/census/tables/column.ts';
import { createSchema } from '../../../src/census/tables/parquet-columns.ts';
import { ParquetTable } from '../../../src/census/tables/parquet-table.ts';
import { toStoredColumn } from '../../../src/census/tables/stored-columns.ts';
import { createBatch } from '../../../src/census/tables/table-batch.ts';

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
  { name: 'name', type: 'string', isIncompressible: true, get: ({ name }) => name },
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
      { name: 'count', type: 'int64', get: ({ items }) => items.length },
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
  const columnData = COLUMNS.map(({ name, ...column }) => ({
    ...{ name, statistics: 'get' in column && column.type !== 'string' },
    ...('isIncompressible' in column && { codec: 'UNCOMPRESSED' as const }),
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

/** Writes rows in batches of a size. @param selection - which of them are added. @defaultValue all */
function writeTable<Type>(
  name: string,
  columns: readonly Column<Type>[],
  rows: readonly Type[],
  size = 30,
  selection?: Uint8Array,
) {
  const path = join(folder, name);
  const schema = createSchema(columns);
  const table = new ParquetTable({ path, schema, rowsPerGroup: ROWS_PER_GROUP, metadata: METADATA });
  for (let start = 0; start < rows.length; start += size) {
    const batch = createBatch(schema.leaves, rows.slice(start, start + size));
    // Threads send copies.
    table.add(structuredClone(batch), selection?.slice(start, start + size));
  }
  const written = table.finish();
  const bytes = readFileSync(path);
  expect(written).toEqual({
    ...{
      rows: selection === undefined ? rows.length : selection.filter(Boolean).length,
      bytes: bytes.length,
    },
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
  return { path, bytes };
}

const ROWS_PER_GROUP = 40;

const batchSize = fc.integer({ min: 1, max: 101 });
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
      fc.asyncProperty(fc.array(row, { maxLength: 100, size: 'max' }), batchSize, async (rows, size) => {
        const { path, bytes } = writeTable('a.parquet', COLUMNS, rows, size);
        const { elements } = createSchema(COLUMNS);
        expect(bytes.equals(writeOracle(rows, elements, ROWS_PER_GROUP))).toBe(true);
        const file = await asyncBufferFromFile(path);
        const stored = await parquetReadObjects({ file });
        // Lone surrogates are stored as U+FFFD.
        expect(stored).toEqual(rows.map((each) => toWellFormed(toObject(each))));
        expect(writeTable('b.parquet', COLUMNS.map(toStoredColumn), stored).bytes.equals(bytes)).toBe(true);
      }),
      { numRuns: getFuzzRuns(60) },
    );
  });

  test('has the selected rows of its batches', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(row, fc.boolean()), { maxLength: 100 }), batchSize, (all, size) => {
        const selection = Uint8Array.from(all, ([, isSelected]) => (isSelected ? 1 : 0));
        const rows = all.map(([each]) => each);
        const selected = rows.filter((_, place) => selection[place] === 1);
        const { bytes } = writeTable('some.parquet', COLUMNS, rows, size, selection);
        expect(bytes.equals(writeTable('those.parquet', COLUMNS, selected).bytes)).toBe(true);
      }),
      { numRuns: getFuzzRuns(60) },
    );
  });

  test.each<readonly [string, Column<null>]>([
    ['a missing value', { name: 'a', type: 'string', get: () => undefined }],
    ['a null', { name: 'a', type: 'string', get: () => null }],
    ['a missing number', { name: 'a', type: 'int32', get: () => undefined }],
    ['a number that is no integer', { name: 'a', type: 'int32', get: () => 1.5 }],
    ['a number that needs more than 32 bits', { name: 'a', type: 'int32', get: () => 2 ** 31 }],
  ])('refuses %s', (_name, column) => {
    expect(() => writeTable('missing.parquet', [column], [null])).toThrow('internal error');
  });

  test('has smaller row groups if its texts are long', async () => {
    const columns: Column<string>[] = [{ name: 'a', type: 'string', get: (text) => text }];
    const rows = Array.from({ length: 20 }, (_, place) =>
      String(place).repeat((8 * 1024 * 1024) / String(place).length),
    );
    const { path } = writeTable('long.parquet', columns, rows, 3);
    const { row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(path));
    expect(row_groups.map((group) => Number(group.num_rows))).toEqual([8, 8, 4]);
  });
});

function toWellFormed(value: unknown): unknown {
  if (typeof value === 'string') return Buffer.from(value).toString();
  if (Array.isArray(value)) return value.map(toWellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toWellFormed(each)]));
}
