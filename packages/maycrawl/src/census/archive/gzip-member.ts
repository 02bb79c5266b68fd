/**
 * One gzip member (RFC 1952 section 2.3). It is read alone only where a file is damaged: many members in one call are faster.
 *
 * @module
 */
import { constants, crc32, inflateRawSync } from 'node:zlib';

/** Bytes of a header without optional fields, and of the trailer. */
const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;

const HEADER_CRC_FLAG = 2;
const EXTRA_FLAG = 4;
const NAME_FLAG = 8;
const COMMENT_FLAG = 16;
const RESERVED_FLAGS = 0xe0;

const MAGIC: Buffer = Buffer.from([0x1f, 0x8b, 8]);

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

/** What was read of one member. */
export type MemberResult =
  | { readonly kind: 'intact'; readonly data: Buffer; readonly end: number }
  /** The bytes end before the member does. `data` is the start of its data. */
  | { readonly kind: 'unfinished'; readonly data: Buffer }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'damaged'; readonly message: string };

/** Reads the member at the start of `bytes`, which may contain more. */
export function readMember(bytes: Buffer, maxBytes: number): MemberResult {
  const start = getDataStart(bytes);
  if (start === undefined) return { kind: 'unfinished', data: Buffer.alloc(0) };
  const compressed = bytes.subarray(start);
  let data: Buffer;
  let end: number;
  try {
    const result = inflateRawSync(compressed, { info: true, maxOutputLength: maxBytes }) as unknown as {
      readonly buffer: Buffer;
      readonly engine: { readonly bytesWritten: number };
    };
    data = result.buffer;
    end = start + result.engine.bytesWritten;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'too-large' };
    if (code !== 'Z_BUF_ERROR') return { kind: 'damaged', message };
    return { kind: 'unfinished', data: inflateStart(compressed, maxBytes) };
  }
  if (bytes.length < end + TRAILER_BYTES) return { kind: 'unfinished', data };
  if (bytes.readUInt32LE(end) !== crc32(data))
    return { kind: 'damaged', message: 'the checksum does not match' };
  if (bytes.readUInt32LE(end + 4) !== data.length % 2 ** 32)
    return { kind: 'damaged', message: 'the length does not match' };
  return { kind: 'intact', data, end: end + TRAILER_BYTES };
}

/** Inflates what there is of unfinished data. */
function inflateStart(compressed: Buffer, maxBytes: number): Buffer {
  try {
    return inflateRawSync(compressed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxBytes });
  } catch {
    return Buffer.alloc(0);
  }
}

/** Returns where the data of the member at the start of `bytes` begins; `undefined` if its header is incomplete. */
function getDataStart(bytes: Buffer): number | undefined {
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
