import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../scripts/fuzz-runs.ts';
import {
  joinColumns,
  type ReportItem,
  readReportData,
  toColumns,
  ValueTable,
  writeReportData,
} from '../../src/reports/report-data.ts';

interface Sections {
  readonly rows: unknown;
  readonly head: unknown;
}

const runs = { numRuns: getFuzzRuns(200) };
/** Code units, also lone surrogates, and strings that would end an element or a line. */
const text = fc.oneof(
  fc
    .array(fc.integer({ min: 0, max: 0xffff }))
    .map((units) => units.map((unit) => String.fromCharCode(unit)).join('')),
  fc.constantFrom('</script>', '<!--', '\u2028', '\n', '\ud800', '__proto__'),
);
const value = fc.oneof(
  text,
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text),
  fc.dictionary(text, text),
);
const section = fc.constantFrom<keyof Sections>('rows', 'head');
const items = fc.array(fc.tuple(section, value)) as fc.Arbitrary<ReportItem<Sections>[]>;

async function write(written: readonly ReportItem<Sections>[]): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of writeReportData(written)) pieces.push(piece);
  return pieces.join('');
}

const getValues = (all: readonly ReportItem<Sections>[], name: keyof Sections): unknown[] | undefined => {
  const values = all.filter(([each]) => each === name).map(([, each]) => each);
  return values.length === 0 ? undefined : values;
};

test('any items are read as they were written, and equal items give equal text, which is never markup', async () => {
  await fc.assert(
    fc.asyncProperty(items, async (written) => {
      const formatted = await write(written);
      expect(formatted).toMatch(/^[\w+/=\n]*$/);
      expect(await write(written)).toBe(formatted);
      const read = await readReportData<Sections>(formatted);
      expect(read.rows).toEqual(getValues(written, 'rows'));
      expect(read.head).toEqual(getValues(written, 'head'));
      // Another reader of the same format.
      const lines = gunzipSync(
        Buffer.from(
          formatted
            .split('\n')
            .map((line) => Buffer.from(line, 'base64'))
            .reduce((all, bytes) => Buffer.concat([all, bytes]), Buffer.alloc(0)),
        ),
      ).toString();
      expect(lines).toBe(written.map((item) => `${JSON.stringify(item)}\n`).join(''));
    }),
    runs,
  );
});

test('rows are the same after they were columns of several lists', () => {
  const row = fc.record({ url: text, status: fc.option(fc.integer()), sitemaps: fc.array(fc.integer()) });
  fc.assert(
    fc.property(fc.array(fc.array(row, { minLength: 1 })), (lists) => {
      const { url = [], status = [], sitemaps = [] } = joinColumns(lists.map((list) => toColumns(list)));
      const rows = url.map((each, index) => ({
        url: each,
        status: status[index],
        sitemaps: sitemaps[index],
      }));
      expect(rows).toEqual(lists.flat());
    }),
    runs,
  );
});

test('values with the same JSON have the same index', () => {
  fc.assert(
    fc.property(fc.array(value), (values) => {
      const table = new ValueTable();
      const indexes = values.map((each) => table.add(each));
      expect(indexes.map((index) => table.values[index])).toEqual(values);
      expect(table.values.length).toBe(new Set(values.map((each) => JSON.stringify(each))).size);
    }),
    runs,
  );
});

describe('data of many items', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ['rows', `${index} ${Math.sin(index)}`] as const);

  test('are written in pieces while they are created', async () => {
    let created = 0;
    const create = function* (): Generator<ReportItem<Sections>> {
      for (const item of many) {
        created++;
        yield item;
      }
    };
    const pieces = writeReportData(create());
    await pieces.next();
    expect(created).toBeLessThan(many.length / 2);
    await pieces.return(undefined);
  });

  test('that are cut off, or changed, are an error', async () => {
    const formatted = await write(many);
    await expect(readReportData(formatted.slice(0, formatted.length / 2))).rejects.toThrow();
    const middle = formatted.length / 2;
    const changed = formatted[middle] === 'A' ? 'B' : 'A';
    await expect(
      readReportData(formatted.slice(0, middle) + changed + formatted.slice(middle + 1)),
    ).rejects.toThrow();
    await expect(readReportData('')).rejects.toThrow();
    await expect(readReportData('no data!')).rejects.toThrow();
  });
});
