import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WARCParser } from 'warcio';
import { getFuzzRuns } from '../../../../../scripts/fuzz-runs.ts';
import { readRecords } from '../support/read-warc.ts';
import { toChunks, toMembers, writeRecord, writeResponse } from '../support/warc.ts';

const RUNS = getFuzzRuns(100);

const TYPES = ['warcinfo', 'request', 'response', 'metadata', 'revisit', 'resource', 'conversion'];

/** Creates records with blocks of up to a number of bytes. */
const createRecord = (maxLength: number) =>
  fc.record({
    type: fc.constantFrom(...TYPES),
    block: fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc.string({ maxLength: 300 }).map((text) => writeResponse(text, ['Content-Type: text/plain'])),
      fc
        .constantFrom('', '\r\n', '\r\n\r\n', '\r\n\r\nWARC/1.0\r\n', 'WARC/1.0\r\n\r\n')
        .map((text) => Buffer.from(text)),
      fc.integer({ min: 1, max: maxLength }).map((length) => Buffer.alloc(length, 'Disallow: /x\n')),
    ),
    version: fc.constantFrom('WARC/1.0', 'WARC/1.1', 'WARC/0.18'),
    headers: fc.subarray(['X-Own: 1', 'WARC-Truncated: length', 'Content-Type: application/http']),
  });

const record = createRecord(300_000);
/** Not longer than the tests that read archives twice, or in small chunks, need. */
const shortRecord = createRecord(20_000);

/** Reads the records with warcio.js. */
async function readWithWarcio(bytes: Buffer): Promise<{ type: string | null; block: string }[]> {
  const records: { type: string | null; block: string }[] = [];
  for await (const each of new WARCParser(toChunks(bytes), { parseHttp: false })) {
    const content = await each.readFully(false);
    records.push({ type: each.warcType, block: Buffer.from(content).toString('latin1') });
  }
  return records;
}

const compressions = [
  ['without compression', (records: readonly Buffer[]) => Buffer.concat(records)],
  ['with members', toMembers],
  ['in one member', (records: readonly Buffer[]) => gzipSync(Buffer.concat(records))],
] as const;

test.each(compressions)('records of any archive %s equal those of warcio.js', async (_name, compress) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 50, max: 70_000 }),
      async (sources, size) => {
        const bytes = compress(sources.map(writeRecord));
        const { records, problems } = await readRecords(bytes, size);
        const ours = records.map(({ type, block: text }) => ({ type, block: text }));
        expect(ours).toEqual(
          sources.map((each) => ({ type: each.type, block: each.block.toString('latin1') })),
        );
        expect(await readWithWarcio(bytes)).toEqual(ours);
        expect(problems).toEqual([]);
      },
    ),
    { numRuns: RUNS },
  );
});

/** Damage to the bytes of an archive. */
const damage = fc.record({
  kind: fc.constantFrom('flip', 'remove', 'insert', 'zero'),
  place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  length: fc.integer({ min: 1, max: 60 }),
});

function applyDamage(
  bytes: Buffer,
  { kind, place, length }: { kind: string; place: number; length: number },
): { bytes: Buffer; from: number; to: number } {
  const from = Math.floor(place * bytes.length);
  const to = Math.min(from + length, bytes.length);
  const [before, within, after] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)];
  const middle =
    kind === 'remove'
      ? Buffer.alloc(0)
      : kind === 'insert'
        ? Buffer.concat([Buffer.alloc(length, 0x55), within])
        : kind === 'zero'
          ? Buffer.alloc(within.length)
          : Buffer.from(within.map((byte) => byte ^ 0xff));
  return { bytes: Buffer.concat([before, middle, after]), from, to: kind === 'insert' ? from : to };
}

test('damage to one member costs the records of the damaged members at most, and is reported', async () => {
  let losses = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(shortRecord, { minLength: 3, maxLength: 12 }), damage, async (sources, how) => {
      const members = sources.map((each, index) =>
        gzipSync(writeRecord({ ...each, block: Buffer.concat([Buffer.from(`${index}:`), each.block]) })),
      );
      const whole = Buffer.concat(members);
      const { bytes, from, to } = applyDamage(whole, how);
      fc.pre(!bytes.equals(whole));
      const { records, problems } = await readRecords(bytes, 1000);
      const read = new Set(records.map(({ block: text }) => text));
      let start = 0;
      for (const [index, member] of members.entries()) {
        const end = start + member.length;
        // Bytes between two members belong to neither.
        const isHit = from < end && to > start && !(from === to && from === start);
        const text = `${index}:${(sources[index]?.block ?? Buffer.alloc(0)).toString('latin1')}`;
        if (!isHit) expect(read).toContain(text);
        else if (!read.has(text)) losses++;
        start = end;
      }
      const isOnlyPadding = how.kind === 'zero' || records.length === sources.length;
      // A member that is removed as a whole leaves no trace.
      if (!isOnlyPadding && how.kind !== 'remove') expect(problems.length).toBeGreaterThan(0);
    }),
    { numRuns: RUNS * 2 },
  );
  expect(losses).toBeGreaterThan(RUNS);
});

test('no bytes cause an error, and as many are read as there are', async () => {
  const anything = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
      shortRecord.map((each) => writeRecord(each).subarray(0, 400)),
      shortRecord.map((each) => gzipSync(writeRecord(each))),
      shortRecord.map((each) => gzipSync(writeRecord(each)).subarray(0, 90)),
      fc
        .constantFrom('WARC/1.0\r\n', 'Content-Length: 9\r\n', '\r\n', '\x1f\x8b\x08\x00')
        .map((text) => Buffer.from(text, 'latin1')),
    ),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(anything, fc.integer({ min: 1, max: 5000 }), async (parts, size) => {
      const bytes = Buffer.concat(parts);
      const result = await readRecords(bytes, size);
      // Chunks do not change the records.
      expect(result.records).toEqual((await readRecords(bytes, 100_000)).records);
    }),
    { numRuns: RUNS * 5 },
  );
});
