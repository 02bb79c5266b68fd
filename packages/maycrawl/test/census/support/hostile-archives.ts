/** Archives whose reading takes long, or much memory, unless finding the next record or member is linear. */
import { gzipSync } from 'node:zlib';

const repeat = (count: number, create: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => create(index)));

const MEMBER = gzipSync('x');
/** A header of a member (RFC 1952 section 2.3.1). */
const HEADER = Buffer.from('1f8b0800000000000003', 'hex');
const BAD_FLAGS = Buffer.from('1f8b08ff', 'hex');
/** Data that becomes a thousand times longer, and is damaged at its end. */
const BOMB = Buffer.concat([gzipSync(Buffer.alloc(4_000_000)).subarray(10, -28), Buffer.alloc(40, 0xff)]);

/** A start of a member whose data is a stored block of a length. */
function startStoredBlock(length: number): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(length ^ 0xffff, 3);
  return Buffer.concat([HEADER, header]);
}

const STARTS = 3_000;

/** Archives of a number of such places, by what they are. */
export const HOSTILE_ARCHIVES: Readonly<Record<string, (count: number) => Buffer>> = {
  'starts of records without a header': (count) => Buffer.from('WARC/1.0 \n'.repeat(count)),
  'starts of records with a part of a header': (count) =>
    Buffer.from('WARC/1.0\r\nWARC-Type: response\r\n'.repeat(count)),
  'records of a length that is far too large': (count) =>
    Buffer.from('WARC/1.0\r\nContent-Length: 700000\r\n\r\nabc\n'.repeat(count)),
  'records without a length': (count) => Buffer.from('WARC/1.0\r\n\r\n'.repeat(count)),
  'members with parts of long records': (count) =>
    Buffer.concat([
      repeat(count / 10, () => gzipSync('\nWARC/1.0\r\nContent-Length: 700000\r\n\r\nabc')),
      MEMBER.subarray(0, 15),
    ]),
  'starts of members without data': (count) => Buffer.from('1f8b0800'.repeat(count), 'hex'),
  'starts of members with invalid codes': (count) =>
    repeat(count / 10, (index) =>
      Buffer.concat([HEADER, Buffer.from([0x4b, index, index >> 8, 0x55, 0xff])]),
    ),
  'starts of members that share data which is damaged late': (count) =>
    // Each place is read up to the damage: there are half as many as the number says.
    repeat(Math.ceil(count / STARTS / 2), () =>
      Buffer.concat([repeat(STARTS, (index) => startStoredBlock(15 * (STARTS - index - 1))), BOMB]),
    ),
  'members with bytes between them, before starts with bad flags': (count) =>
    Buffer.concat([
      repeat(count / 4, () => Buffer.concat([MEMBER, Buffer.from([1])])),
      repeat(count, () => BAD_FLAGS),
    ]),
};
