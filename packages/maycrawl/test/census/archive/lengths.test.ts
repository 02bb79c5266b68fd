import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readCaptures } from '../support/read-warc.ts';
import { toMembers, writeRecord, writeResponse } from '../support/warc.ts';

const BODY = 'User-agent: *\nDisallow: /private\n';
const NAMES = ['a', 'b', 'c', 'd'];
const MEBIBYTE = 1024 * 1024;
/** The text of a page, which gzip does not make short. */
const PAGE = randomBytes(MEBIBYTE).toString('hex');
/** Wrong lengths, and a page that is longer than the difference. */
const DIFFERENCES: readonly (readonly [difference: number, page: number])[] = [
  ...[5, 6, 7, 8, 9, 10, 11, 12, 13, 100, 5_000].map((difference) => [difference, 65_536] as const),
  ...[9, 800_000, 2_000_000, 20_000_000, 1e12].map((difference) => [difference, 2 * MEBIBYTE] as const),
];

/** Writes a record for each host. The length of the second one is wrong by a number of bytes. */
function writeRecords(difference: number, long = ''): Buffer[] {
  return NAMES.map((name, place) => {
    const block = writeResponse(BODY + (place === 1 ? long : ''));
    return writeRecord({
      ...{ url: `https://${name}.example/robots.txt`, block },
      contentLength: block.length + (place === 1 ? difference : 0),
    });
  });
}

/** Adds a record of another page, so that the data after the wrong length are longer than its block. */
function addPage(records: readonly Buffer[], bytes: number): Buffer[] {
  const block = writeResponse(PAGE.slice(0, bytes));
  return [...records, writeRecord({ url: 'https://a.example/page', block })];
}

const FORMS: readonly (readonly [string, (records: readonly Buffer[]) => Buffer])[] = [
  ['without compression', (records) => Buffer.concat(records)],
  ['as one gzip member', (records) => gzipSync(Buffer.concat(records), { level: 1 })],
  ['with a gzip member for each record', toMembers],
];

describe.each(FORMS)('in an archive %s', (_name, write) => {
  test.each(DIFFERENCES)(
    'a record that is %i bytes too long, before a page of %i bytes, has its own body, and the next ones are read',
    async (difference, page) => {
      const bytes = write(addPage(writeRecords(difference), page));
      for (const chunk of [undefined, 1_000]) {
        const { captures, codes } = await readCaptures(bytes, chunk);
        expect(captures.map(({ url }) => url[8])).toEqual(NAMES);
        expect(new Set(captures.map(({ body }) => body))).toEqual(new Set([BODY]));
        expect(codes).toEqual(['invalid-record-length']);
      }
    },
  );

  test('a long record that is 9 bytes too long does not hide the next one', async () => {
    const long = `#${'x'.repeat(2 * MEBIBYTE)}`;
    const { captures } = await readCaptures(write(writeRecords(9, long)));
    expect(captures.map(({ url }) => url[8])).toEqual(NAMES);
    expect(captures[2]?.body).toBe(BODY);
  });

  test.each([1, 9])('records within the block of a response of %i MiB are a part of it', async (size) => {
    const inner = writeRecord({
      url: 'https://victim.example/robots.txt',
      block: writeResponse('Disallow: /'),
    });
    const long = `\r\n\r\n${inner.toString('latin1')}${'x'.repeat(size * MEBIBYTE)}`;
    const { captures, codes } = await readCaptures(write(writeRecords(0, long)));
    expect(captures.map(({ url }) => url[8])).toEqual(NAMES);
    expect(codes).toEqual([]);
  });
});
