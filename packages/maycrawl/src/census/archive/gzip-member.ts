// One gzip member (RFC 1952 section 2.3). It is read alone only where a file is damaged: many members in one call are faster.
import { constants, crc32, inflateRawSync } from 'node:zlib';

/** Bytes of a header without optional fields, and of the trailer. */
const HEADER_BYTES = 10;
export const TRAILER_BYTES = 8;

/** Bytes of the pieces that the decompressor returns. */
const MIN_CHUNK_BYTES = 1024;
const MAX_CHUNK_BYTES = 64 * 1024;

const HEADER_CRC_FLAG = 2;
const EXTRA_FLAG = 4;
const NAME_FLAG = 8;
const COMMENT_FLAG = 16;
const RESERVED_FLAGS = 0xe0;

const MAGIC: Buffer = Buffer.from([0x1f, 0x8b, 8]);
const MAGIC_TEXT: string = MAGIC.toString('latin1');

/** Returns whether a member may begin at an offset: its magic number, method and flags. Compressed data can look like that too. */
export function isMemberStart(bytes: Uint8Array, at: number): boolean {
  return (
    bytes[at] === MAGIC[0] &&
    bytes[at + 1] === MAGIC[1] &&
    bytes[at + 2] === MAGIC[2] &&
    ((bytes[at + 3] ?? RESERVED_FLAGS) & RESERVED_FLAGS) === 0
  );
}

/** Finds the first place from `from` at which a member may begin; -1 without such a place. */
export function findMemberStart(bytes: Buffer, from: number): number {
  for (let at = from; ; at++) {
    at = bytes.indexOf(MAGIC, at);
    if (at < 0 || isMemberStart(bytes, at)) return at;
  }
}

/** Finds the last place before `before` at which a member may begin; -1 if no place after `from` qualifies. */
export function findLastMemberStart(bytes: Buffer, from: number, before: number): number {
  for (let at = before - 1; at > from; at--) {
    at = bytes.lastIndexOf(MAGIC, at);
    if (at <= from) return -1;
    if (isMemberStart(bytes, at)) return at;
  }
  return -1;
}

/** Counts the places at which a member may begin. Text is searched faster than bytes if there are many. */
export function countMemberStarts(bytes: Buffer): number {
  const text = bytes.toString('latin1');
  let count = 0;
  for (let at = text.indexOf(MAGIC_TEXT); at >= 0; at = text.indexOf(MAGIC_TEXT, at + 1))
    if (isMemberStart(bytes, at)) count++;
  return count;
}

/** What was read of one member. */
export type MemberResult =
  | { readonly kind: 'intact'; readonly data: Buffer; readonly end: number }
  /** The bytes end before the member does. `data` is the start of its data. */
  | { readonly kind: 'unfinished'; readonly data: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'damaged'; readonly message: string }
  /** There is no member. Nothing was decompressed to find that. */
  | { readonly kind: 'invalid'; readonly message: string };

/** Reads the member at the start of `bytes`, which may contain more. */
export function readMember(bytes: Buffer, maxBytes: number): MemberResult {
  const start = getDataStart(bytes);
  if (start === undefined) return { kind: 'unfinished', data: Buffer.alloc(0) };
  if (!mayBeginData(bytes, start)) return { kind: 'invalid', message: 'the first block is invalid' };
  let data: Buffer;
  let end: number;
  try {
    // With this flush mode data that ends early is no error: then all bytes are read, and there is no trailer.
    const result = inflateRawSync(bytes.subarray(start), {
      info: true,
      finishFlush: constants.Z_SYNC_FLUSH,
      chunkSize: Math.min(Math.max(MIN_CHUNK_BYTES, 4 * bytes.length), MAX_CHUNK_BYTES),
      maxOutputLength: maxBytes,
    }) as unknown as { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
    data = result.buffer;
    end = start + result.engine.bytesWritten;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE' ? { kind: 'too-large' } : { kind: 'damaged', message };
  }
  if (bytes.length < end + TRAILER_BYTES) return { kind: 'unfinished', data };
  const message = checkTrailer(bytes.subarray(end), crc32(data), data.length);
  return message === undefined
    ? { kind: 'intact', data, end: end + TRAILER_BYTES }
    : { kind: 'damaged', message };
}

/**
 * Whether the first block has a valid header (RFC 1951 section 3.2.3): a type, a stored length with its complement, or numbers of codes.
 * Most places that look like a member have none, and the decompressor takes a hundred times longer to find that.
 */
function mayBeginData(bytes: Buffer, at: number): boolean {
  if (bytes.length < at + 5) return true;
  const type = ((bytes[at] as number) >> 1) & 3;
  if (type === 0) return (bytes.readUInt16LE(at + 1) ^ bytes.readUInt16LE(at + 3)) === 0xffff;
  const codes = bytes.readUInt16LE(at) >> 3;
  return type === 1 || (type === 2 && (codes & 31) <= 29 && ((codes >> 5) & 31) <= 29);
}

/** Compares the trailer of a member with its data. Returns `undefined` if they agree. */
export function checkTrailer(trailer: Buffer, checksum: number, length: number): string | undefined {
  if (trailer.readUInt32LE(0) !== checksum) return 'the checksum does not match';
  return trailer.readUInt32LE(4) === length % 2 ** 32 ? undefined : 'the length does not match';
}

/** Returns where the data of the member at the start of `bytes` begins; `undefined` if its header is incomplete. */
export function getDataStart(bytes: Buffer): number | undefined {
  const flags = bytes[3] ?? 0;
  let at = HEADER_BYTES;
  if ((flags & EXTRA_FLAG) !== 0) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const flag of [NAME_FLAG, COMMENT_FLAG]) {
    if ((flags & flag) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return undefined;
    at = end + 1;
  }
  if ((flags & HEADER_CRC_FLAG) !== 0) at += 2;
  return at <= bytes.length ? at : undefined;
}
