/** Records at the start of gzip members: a block of members is read as if each member were read by itself. */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { WarcParser } from '../../../src/census/archive/warc-parser.ts';
import { type ReadRecord, readRecords, toReadRecord } from '../support/read-warc.ts';
import { toMembers, writeRecord } from '../support/warc.ts';

const first = writeRecord({ type: 'request', block: 'GET /a HTTP/1.1\r\n\r\n' });
const third = writeRecord({ type: 'metadata', block: 'fetchTimeMs: 1\r\n' });
const BLOCK = 'HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n';

/** A record without the line ends after its block, and with another length. */
function writeCut(difference: number): Buffer {
  return writeRecord({ block: BLOCK, contentLength: BLOCK.length + difference }).subarray(0, -4);
}

describe('a record that begins a member is found', () => {
  test.each([
    ['of the right length', 0, []],
    ['of a length that is a little too large', 9, ['truncated-record']],
    ['of a length that includes the next records', 500, ['truncated-record']],
    ['of a length that is longer than the archive', 10 ** 12, ['truncated-record']],
    ['of a length that is too small', -5, ['invalid-record-length']],
  ])('after a record %s that ends without a line end', async (_name, difference, problems) => {
    const result = await readRecords(toMembers([first, writeCut(difference), third, first]));
    expect(result.records.map(({ type }) => type)).toEqual(['request', 'response', 'metadata', 'request']);
    expect(result.problems).toEqual(problems);
    expect(result.records[1]?.isCut).toBe(difference !== 0);
    expect(result.records[1]?.block).toBe(BLOCK.slice(0, BLOCK.length + Math.min(difference, 0)));
  });

  test('after text that is no record', async () => {
    const { records, problems } = await readRecords(toMembers([first, Buffer.from('garbage'), third]));
    expect(records.map(({ type }) => type)).toEqual(['request', 'metadata']);
    expect(problems).toEqual(['invalid-record']);
  });

  test('after a member that is streamed because it is large', async () => {
    const large = writeRecord({ block: randomBytes(6_000_000), contentLength: 10 ** 12 }).subarray(0, -4);
    const { records, problems } = await readRecords(toMembers([first, large, third, writeCut(9), first]));
    expect(records.map(({ type }) => type)).toEqual([
      'request',
      'response',
      'metadata',
      'response',
      'request',
    ]);
    expect(problems).toEqual(['truncated-record', 'truncated-record']);
  });
});

test('a record whose length is too large, but which has its line ends before the next record, is whole', async () => {
  for (const bytes of [
    Buffer.concat([writeRecord({ block: BLOCK, contentLength: BLOCK.length + 9 }), third]),
    Buffer.concat([writeRecord({ block: BLOCK, contentLength: BLOCK.length + 500 }), third]),
    toMembers([writeRecord({ block: BLOCK, contentLength: BLOCK.length + 9 }), third]),
    toMembers([writeRecord({ block: BLOCK, contentLength: 10 ** 12 }), third]),
  ]) {
    const { records, problems } = await readRecords(bytes);
    expect(records.map(({ type, block, isCut }) => [type, block, isCut])).toEqual([
      ['response', BLOCK, false],
      ['metadata', 'fetchTimeMs: 1\r\n', false],
    ]);
    expect(problems).toEqual(['invalid-record-length']);
  }
});

/** Reads each member by itself. */
function readNaively(members: readonly Buffer[]): { records: ReadRecord[]; problems: string[] } {
  const parser = new WarcParser();
  const items = members.flatMap((data) =>
    [...parser.push({ data, startsMember: true })].map((item) => toReadRecord(item)),
  );
  items.push(...[...parser.end()].map((item) => toReadRecord(item)));
  return {
    records: items.filter((item) => typeof item !== 'string'),
    problems: items.filter((item) => typeof item === 'string'),
  };
}

const data = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(first, third) },
  fc.integer({ min: -30, max: 60 }).map(writeCut),
  fc
    .constantFrom(0, 7, 300, 10 ** 6, 10 ** 12)
    .map((contentLength) => writeRecord({ block: BLOCK, contentLength })),
  fc
    .constantFrom(
      '',
      'x',
      '\r\n',
      'WARC/1.0\r\n',
      'WARC/1.0\r\n\r\n',
      '\nWARC/1.0\r\nContent-Length: 3\r\n\r\nabc',
    )
    .map((text) => Buffer.from(text)),
  fc.integer({ min: 1, max: 60 }).map((end) => first.subarray(0, end)),
  fc.integer({ min: 7, max: 60 }).map((start) => first.subarray(start)),
);

test('records and problems of a block of members are those of its members', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(data, { minLength: 1, maxLength: 12 }), async (members) => {
      const archive = Buffer.concat(members.map((each) => gzipSync(each)));
      expect(await readRecords(archive)).toEqual(readNaively(members));
    }),
    { numRuns: getFuzzRuns(500) },
  );
});
