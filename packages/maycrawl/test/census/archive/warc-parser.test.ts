import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { MAX_BLOCK_BYTES } from '../../../src/census/archive/warc-record.ts';
import { readRecords } from '../support/read-warc.ts';
import { toMembers, writeRecord } from '../support/warc.ts';

const INFO = writeRecord({ type: 'warcinfo', block: 'software: test\r\n' });
const first = writeRecord({ type: 'request', block: 'GET /a HTTP/1.1\r\n\r\n' });
const second = writeRecord({ type: 'response', block: 'HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n' });
const third = writeRecord({ type: 'metadata', block: 'fetchTimeMs: 1\r\n' });
const TYPES = ['request', 'response', 'metadata'];

const typesOf = ({ records }: Awaited<ReturnType<typeof readRecords>>) => records.map(({ type }) => type);

describe('whole archives', () => {
  test.each([
    ['without compression', Buffer.concat([first, second, third])],
    ['with a gzip member for each record', toMembers([first, second, third])],
    ['as one gzip member', gzipSync(Buffer.concat([first, second, third]))],
    [
      'with records cut by gzip members',
      toMembers([first.subarray(0, 50), Buffer.concat([first.subarray(50), second]), third]),
    ],
    [
      'with zeros after the last member',
      Buffer.concat([toMembers([first, second, third]), Buffer.alloc(1000)]),
    ],
    [
      'with zeros between members',
      Buffer.concat([toMembers([first]), Buffer.alloc(20), toMembers([second, third])]),
    ],
  ])('all records of an archive %s are read, however it arrives', async (_name, bytes) => {
    for (const size of [1, 7, 100, 65_536]) {
      const result = await readRecords(bytes, size);
      expect(typesOf(result)).toEqual(TYPES);
      expect(result.problems).toEqual([]);
      expect(result.records[1]?.block).toBe('HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n');
    }
  });

  test.each(['WARC/0.17', 'WARC/0.18', 'WARC/1.0', 'WARC/1.1'])(
    'records of version %s are read',
    async (version) => {
      const bytes = Buffer.concat([first, writeRecord({ block: 'x', version }), third]);
      const result = await readRecords(bytes);
      expect(typesOf(result)).toEqual(TYPES);
      expect(result.problems).toEqual([]);
    },
  );

  test('every type of record is read, also an unknown one', async () => {
    const types = [
      'warcinfo',
      'request',
      'response',
      'resource',
      'metadata',
      'revisit',
      'conversion',
      'continuation',
      'x-own',
    ];
    const result = await readRecords(toMembers(types.map((type) => writeRecord({ type, block: type }))));
    expect(typesOf(result)).toEqual(types);
    expect(result.records.map(({ block }) => block)).toEqual(types);
  });

  test('header lines may end with LF alone, be folded, and have any case', async () => {
    const record = writeRecord({ block: 'abc', lineEnd: '\n', headers: ['X-Folded: a', '\tb'] });
    const shouting = Buffer.from(record.toString().replace('Content-Length: 3', 'CONTENT-LENGTH  :\n 3'));
    const result = await readRecords(Buffer.concat([record, shouting, third]));
    expect(result.records.map(({ block }) => block)).toEqual(['abc', 'abc', 'fetchTimeMs: 1\r\n']);
    expect(result.problems).toEqual([]);
  });

  test('of a long block the start is read, and the next record is found', async () => {
    const block = randomBytes(MAX_BLOCK_BYTES + 5_000_000).toString('latin1');
    const long = writeRecord({ block: Buffer.from(block, 'latin1') });
    for (const bytes of [
      Buffer.concat([long, third]),
      toMembers([long, third]),
      gzipSync(Buffer.concat([long, third])),
    ]) {
      const { records, problems } = await readRecords(bytes);
      expect(records.map(({ type, isBounded }) => [type, isBounded])).toEqual([
        ['response', true],
        ['metadata', false],
      ]);
      expect(records[0]?.block).toBe(block.slice(0, MAX_BLOCK_BYTES));
      expect(problems).toEqual([]);
    }
  });

  test('a block that contains records is one block', async () => {
    const { records, problems } = await readRecords(
      toMembers([writeRecord({ block: Buffer.concat([first, second]) }), third]),
    );
    expect(records.map(({ type }) => type)).toEqual(['response', 'metadata']);
    expect(problems).toEqual([]);
  });

  test('an empty input has neither records nor problems', async () => {
    expect(await readRecords(Buffer.alloc(0))).toEqual({ records: [], problems: [] });
  });

  test('Zstandard is reported, not read as text', async () => {
    const { problems } = await readRecords(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 1, 2, 3]));
    expect(problems).toEqual(['unsupported-compression']);
  });
});

describe('damaged archives', () => {
  const many = Array.from({ length: 50 }, (_, index) =>
    writeRecord({ type: 'metadata', block: `n: ${index}` }),
  );

  test('a damaged member is reported and skipped, and all others are read', async () => {
    const members = many.map((record) => gzipSync(record));
    const damaged = Buffer.from(members[20] as Buffer);
    damaged[40] = (damaged[40] as number) ^ 0xff;
    members[20] = damaged;
    const { records, problems } = await readRecords(Buffer.concat(members));
    expect(records.map(({ block }) => block)).toEqual(
      many.flatMap((_, index) => (index === 20 ? [] : [`n: ${index}`])),
    );
    expect(problems).toEqual(['damaged-member']);
  });

  test('of a member that ends early the start is read, and the next members', async () => {
    const long = gzipSync(writeRecord({ block: randomBytes(4000) }));
    const members = [
      ...many.slice(0, 3).map((record) => gzipSync(record)),
      long.subarray(0, 3000),
      gzipSync(third),
    ];
    const { records, problems } = await readRecords(Buffer.concat(members));
    expect(records.map(({ type, isCut }) => [type, isCut])).toEqual([
      ...[
        ['metadata', false],
        ['metadata', false],
        ['metadata', false],
      ],
      ...[
        ['response', true],
        ['metadata', false],
      ],
    ]);
    expect(problems).toEqual(['truncated-member', 'truncated-record']);
  });

  test.each([0, 1, 5, 10])(
    'a member that contains what looks like the starts of others, and %i members',
    async (count) => {
      // Stored, not compressed: the bytes are in the archive as they are.
      const starts = Buffer.concat(
        Array.from({ length: 20 }, (_, index) =>
          Buffer.concat([Buffer.from('1f8b0800', 'hex'), Buffer.alloc(10_000, index + 1)]),
        ),
      );
      const odd = gzipSync(writeRecord({ block: starts }), { level: 0 });
      const archive = Buffer.concat(
        Array.from({ length: 3 }, () => [
          odd,
          ...Array.from({ length: count }, () => gzipSync(third)),
        ]).flat(),
      );
      const { records, problems } = await readRecords(archive);
      expect(problems).toEqual([]);
      expect(
        records.map(({ block }) => block).filter((block) => block === starts.toString('latin1')),
      ).toHaveLength(3);
      expect(records).toHaveLength(3 * (count + 1));
    },
  );

  test('a file that ends within a member is reported', async () => {
    const bytes = toMembers(many);
    const { records, problems } = await readRecords(bytes.subarray(0, bytes.length - 12));
    expect(records.filter(({ isCut }) => !isCut).length).toBeGreaterThanOrEqual(49);
    expect(problems).toContain('truncated-member');
  });

  test('other bytes between members are reported', async () => {
    const { records, problems } = await readRecords(
      Buffer.concat([toMembers([first]), Buffer.from('not gzip'), toMembers([second, third])]),
    );
    expect(records.map(({ type }) => type)).toEqual(TYPES);
    expect(problems).toEqual(['bytes-between-members']);
  });

  test('damage in one large member costs what follows in it, and not the next member', async () => {
    const large = gzipSync(writeRecord({ block: randomBytes(6_000_000) }));
    large[5_000_000] = (large[5_000_000] as number) ^ 0xff;
    const { records, problems } = await readRecords(Buffer.concat([gzipSync(first), large, gzipSync(third)]));
    expect(typesOf({ records, problems })).toEqual(['request', 'response', 'metadata']);
    expect(problems).toContain('damaged-member');
  });

  test.each([
    ['two bytes too small', -2, 1],
    ['one byte too small', -1, 1],
    ['many bytes too small', -20, 1],
    ['a few bytes too large', 9, 1],
    ['far too large', 500_000, 1],
  ])('after a Content-Length that is %s the next records are read', async (_name, difference, count) => {
    const wrong = writeRecord({
      block: 'HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n',
      contentLength: 33 + difference,
    });
    for (const bytes of [Buffer.concat([first, wrong, third]), toMembers([first, wrong, third])]) {
      const { records, problems } = await readRecords(bytes);
      expect(typesOf({ records, problems })).toEqual(TYPES);
      expect(problems.length).toBeGreaterThanOrEqual(count);
    }
  });

  test.each(['', '-1', '1e3', '99999999999999999999', 'abc'])(
    'after the Content-Length %j the next records are read',
    async (contentLength) => {
      const wrong = writeRecord({ block: 'x', contentLength });
      const { records, problems } = await readRecords(Buffer.concat([INFO, wrong, third]));
      expect(typesOf({ records, problems })).toEqual(['warcinfo', 'metadata']);
      expect(problems).toEqual(['invalid-record-length']);
    },
  );

  test('the block of a record whose Content-Length is too small is cut', async () => {
    const block = 'User-agent: *\nDisallow: /\n';
    const wrong = writeRecord({ block, contentLength: block.indexOf('Disallow') });
    const { records, problems } = await readRecords(Buffer.concat([INFO, wrong, third]));
    expect(records.map(({ isCut }) => isCut)).toEqual([false, true, false]);
    expect(problems[0]).toBe('invalid-record-length');
  });

  test('text that is no record is reported, and the next record is read', async () => {
    const { records, problems } = await readRecords(
      Buffer.concat([first, Buffer.from('garbage\r\nmore\r\n'), third]),
    );
    expect(records.map(({ type }) => type)).toEqual(['request', 'metadata']);
    expect(problems).toEqual(['invalid-record']);
  });

  test('a header without an end is reported within bounds', async () => {
    const endless = Buffer.from(`WARC/1.0\r\n${'X: y\r\n'.repeat(60_000)}`);
    const { records, problems } = await readRecords(Buffer.concat([first, endless, third]));
    expect(records.map(({ type }) => type)).toEqual(['request', 'metadata']);
    expect(problems).toContain('oversized-record-head');
  });

  test('an archive that ends within a header or a block is reported', async () => {
    const inHeader = await readRecords(Buffer.concat([first, second.subarray(0, 40)]));
    expect(inHeader.records).toHaveLength(1);
    expect(inHeader.problems).toEqual(['truncated-record']);
    const inBlock = await readRecords(Buffer.concat([first, second.subarray(0, second.length - 10)]));
    expect(inBlock.records.map(({ isCut }) => isCut)).toEqual([false, true]);
    expect(inBlock.problems).toEqual(['truncated-record']);
  });

  test('a decompression bomb takes no more memory than its steps', async () => {
    const bomb = gzipSync(writeRecord({ block: Buffer.alloc(50_000_000) }));
    const { records, problems } = await readRecords(Buffer.concat([bomb, gzipSync(third)]));
    expect(records.map(({ type, isBounded }) => [type, isBounded])).toEqual([
      ['response', true],
      ['metadata', false],
    ]);
    expect(problems).toEqual([]);
  });
});
