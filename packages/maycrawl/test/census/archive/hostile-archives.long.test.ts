/** Hostile archives: the work is counted, not timed. */
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ArchiveWork } from '../../../src/census/archive/read-report.ts';
import { HOSTILE_ARCHIVES } from '../support/hostile-archives.ts';
import { readCaptures, readRecords } from '../support/read-warc.ts';
import { writeRecord, writeRobotsTxt } from '../support/warc.ts';

/** No more than this is taken for linear; a quadratic function has 2. */
const LINEAR = 1.3;
/** Bytes that the reader may decompress in vain for each byte of an archive, and in advance: see member-attempts.ts. */
const RETRIES = 24;
const FREE_BYTES = 16 * 1024 * 1024;

const last = writeRecord({ type: 'metadata', block: 'fetchTimeMs: 1\r\n' });

describe.each(Object.entries(HOSTILE_ARCHIVES))('an archive full of %s', (_name, create) => {
  test('has work that grows no faster than the archive', async () => {
    const measure = async (bytes: Buffer): Promise<ArchiveWork> => {
      const work = new ArchiveWork();
      await readRecords(bytes, 4_096, work);
      return work;
    };
    const [small, large] = [create(20_000), create(80_000)];
    const [before, after] = [await measure(small), await measure(large)];
    const growth = Math.log(large.length / small.length);
    for (const name of ['inflatedBytes', 'attempts', 'scannedBytes'] as const) {
      const exponent = Math.log((after[name] + 1_000) / (before[name] + 1_000)) / growth;
      expect([name, exponent < LINEAR ? 'linear' : exponent]).toEqual([name, 'linear']);
    }
    expect(after.inflatedBytes).toBeLessThan(FREE_BYTES + RETRIES * large.length);
    expect(after.scannedBytes).toBeLessThan(RETRIES * large.length);
  });

  test('has its last record after all of that', async () => {
    const bytes = create(1_000);
    const isCompressed = bytes[0] === 0x1f;
    const { records } = await readRecords(Buffer.concat([bytes, isCompressed ? gzipSync(last) : last]));
    expect(records.at(-1)).toMatchObject({ type: 'metadata', block: 'fetchTimeMs: 1\r\n', isCut: false });
  });
});

test('160,000 false starts are counted, 100 of them are listed, and the record after them is read', async () => {
  const record = writeRobotsTxt('a.example', 'User-agent: *\n');
  for (const [starts, bytes, code] of [
    ['starts of records without a header', record, 'truncated-record'],
    ['starts of members without data', gzipSync(record), 'truncated-member'],
  ] as const) {
    const create = HOSTILE_ARCHIVES[starts] as (count: number) => Buffer;
    const { captures, totals } = await readCaptures(Buffer.concat([create(160_000), bytes]));
    expect(captures.map(({ body }) => body)).toEqual(['User-agent: *\n']);
    expect([totals.problemCounts, totals.problems.length]).toEqual([{ [code]: 160_000 }, 100]);
  }
});

test('other bytes of any length between members are one problem', async () => {
  const bytes = Buffer.concat([gzipSync(last), randomBytes(3_000_000).fill(7, 0, 10), gzipSync(last)]);
  const { records, problems } = await readRecords(bytes, 65_536);
  expect([records.length, problems]).toEqual([2, ['bytes-between-members']]);
});

test('places that are not tried are counted', async () => {
  const create = HOSTILE_ARCHIVES['starts of members that share data which is damaged late'];
  const { totals } = await readCaptures(create?.(12_000) ?? Buffer.alloc(0));
  expect(totals.problemCounts['untried-members']).toBeGreaterThan(0);
  const untried = totals.problems.find(({ code }) => code === 'untried-members');
  expect(untried?.message).toMatch(/^\d+ places that look like the start of a member are not tried$/);
});
