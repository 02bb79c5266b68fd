/**
 * Decompresses an input: gzip of any number of members (RFC 1952 section 2.2), or data that is not compressed.
 *
 * Archives of the web have a member for each record, and are damaged or cut off now and then. The input is cut into blocks where members
 * begin. Node decompresses a block in one call; if that fails, the members of the block are read one by one, and damaged ones are
 * reported and skipped. A member that is larger than a block is streamed.
 *
 * @module
 */
import { gunzipSync } from 'node:zlib';
import { ByteSource } from './byte-source.ts';
import { GunzipStream } from './gunzip-stream.ts';
import { findLastMemberStart, findMemberStart, isMemberStart, readMember } from './gzip-member.ts';
import type { ReadProblem, ReadProblemCode } from './read-problem.ts';

/** Compressed bytes of a block. Larger ones are not decompressed faster. */
const BLOCK_BYTES = 128 * 1024;
/** Compressed bytes after which a member is streamed. */
const MAX_MEMBER_BYTES = 4 * 1024 * 1024;
/** Decompressed bytes of a block. A block with more is streamed. */
const MAX_DATA_BYTES = 32 * 1024 * 1024;
/** Bytes that the stream receives in one step: its result is at most about a thousand times as long. */
const STEP_BYTES = 16 * 1024;
/** Members that a member which seems unfinished may contain what looks like the start of another one. */
const MAX_FALSE_STARTS = 4;
const OUTPUT_BYTES = 256 * 1024;

/** A piece of decompressed data. */
interface DataPiece {
  readonly data: Buffer;
  /** Whether a gzip member begins at the start of the data. */
  readonly startsMember: boolean;
}

/** Decompressed data, or a problem: after it data is missing. */
export type Decompressed = DataPiece | { readonly problem: ReadProblem };

/**
 * Decompresses a stream if it is compressed.
 *
 * @param plainStart - how the data begins, if it always begins so. Then an archive whose first member is damaged is not read as text.
 * @throws what the stream throws.
 */
export async function* decompress(
  input: AsyncIterable<Uint8Array>,
  plainStart?: string,
): AsyncGenerator<Decompressed> {
  const iterator = input[Symbol.asyncIterator]();
  try {
    const source = new ByteSource(iterator);
    await source.readUpTo(BLOCK_BYTES);
    const { bytes } = source;
    if (isMemberStart(bytes, 0) || isDamagedGzip(bytes, plainStart)) yield* new MemberReader(source).read();
    else if (isZstandard(bytes))
      yield {
        problem: {
          code: 'unsupported-compression',
          offset: 0,
          message: 'Zstandard is not supported: decompress the file first',
        },
      };
    else
      do yield { data: source.take(source.bytes.length), startsMember: false };
      while (await source.read());
  } finally {
    await iterator.return?.();
  }
}

function isDamagedGzip(bytes: Buffer, plainStart: string | undefined): boolean {
  if (plainStart === undefined || bytes.toString('latin1', 0, plainStart.length) === plainStart) return false;
  return findMemberStart(bytes, 0) >= 0;
}

/** The magic number of a frame, or of a skippable frame, as in .warc.zst (RFC 8878 section 3.1). */
function isZstandard(bytes: Buffer): boolean {
  if (bytes.length < 4) return false;
  const magic = bytes.readUInt32LE(0);
  return magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5;
}

/** Reads gzip members. */
class MemberReader {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  async *read(): AsyncGenerator<Decompressed> {
    const source = this.#source;
    let size = BLOCK_BYTES;
    for (;;) {
      await source.readUpTo(size + 4);
      if (source.bytes.length === 0) return;
      if (!isMemberStart(source.bytes, 0)) {
        yield* this.#skipOther();
        continue;
      }
      const { bytes } = source;
      const cut =
        source.isEnded && bytes.length <= size
          ? bytes.length
          : findLastMemberStart(bytes, 0, Math.min(size, bytes.length));
      const block = cut > 0 ? bytes.subarray(0, cut) : undefined;
      const data = block && decompressBlock(block);
      if (block !== undefined && data !== undefined) {
        yield { data, startsMember: true };
        source.take(block.length);
        size = BLOCK_BYTES;
      } else {
        const before = source.offset;
        yield* this.#readSingly(Math.min(size, bytes.length));
        // The first member is longer than the block.
        size = source.offset > before ? BLOCK_BYTES : 2 * size;
        if (size > MAX_MEMBER_BYTES) {
          yield* this.#stream();
          size = BLOCK_BYTES;
        }
      }
    }
  }

  /** Skips bytes that are not the start of a member. Zeros are padding. */
  async *#skipOther(): AsyncGenerator<Decompressed> {
    const source = this.#source;
    const { offset } = source;
    let isPadding = true;
    for (;;) {
      const { bytes } = source;
      const next = findMemberStart(bytes, 0);
      // A start may be cut off at the end of the bytes.
      const end = next >= 0 ? next : source.isEnded ? bytes.length : Math.max(bytes.length - 3, 0);
      isPadding &&= source.take(end).every((byte) => byte === 0);
      if (next >= 0 || (source.isEnded && source.bytes.length === 0)) break;
      await source.readUpTo(BLOCK_BYTES);
    }
    if (!isPadding)
      yield toProblem('bytes-between-members', offset, `${source.offset - offset} bytes are not gzip`);
  }

  /**
   * Reads the members in the first `limit` bytes one by one. It leaves a member that needs more bytes, unless the input ends, and one that
   * is too large.
   */
  *#readSingly(limit: number): Generator<Decompressed> {
    const source = this.#source;
    const until = source.offset + limit;
    while (source.offset < until && isMemberStart(source.bytes, 0)) {
      const window = source.bytes.subarray(
        0,
        Math.min(source.bytes.length, Math.max(until - source.offset, BLOCK_BYTES)),
      );
      const { offset } = source;
      const result = this.#readFirst(window);
      if (result === undefined) return;
      source.take(result.end);
      if (result.data.length > 0) yield { data: result.data, startsMember: true };
      if (result.problem !== undefined) yield toProblem(result.problem[0], offset, result.problem[1]);
    }
  }

  /** Reads the first member of a window. Returns `undefined` if it needs more bytes or is too large. */
  #readFirst(
    window: Buffer,
  ):
    | { readonly data: Buffer; readonly end: number; readonly problem?: readonly [ReadProblemCode, string] }
    | undefined {
    const isLast = this.#source.isEnded && window.length === this.#source.bytes.length;
    const first = findMemberStart(window, 1);
    let end = first;
    for (let tries = 0; ; tries++) {
      const part = end < 0 ? window : window.subarray(0, end);
      const result = readMember(part, MAX_DATA_BYTES);
      if (result.kind === 'intact') return result;
      if (result.kind === 'too-large') return undefined;
      const isUnfinished = result.kind === 'unfinished';
      if (isUnfinished && end < 0 && !isLast) return undefined;
      if (isUnfinished && end >= 0) {
        // Compressed data may look like the start of a member. After some of these places, the rest is tried as a whole.
        end = tries < MAX_FALSE_STARTS ? findMemberStart(window, end + 1) : -1;
        continue;
      }
      return this.#describeDamage(
        window,
        first < 0 ? window.length : first,
        result.kind === 'damaged' ? result.message : undefined,
      );
    }
  }

  /** Describes the first member of a window, which is damaged or ends where the next one begins. */
  #describeDamage(
    window: Buffer,
    end: number,
    message: string | undefined,
  ): { data: Buffer; end: number; problem: readonly [ReadProblemCode, string] } {
    const own = readMember(window.subarray(0, end), MAX_DATA_BYTES);
    if (own.kind === 'unfinished')
      return { data: own.data, end, problem: ['truncated-member', 'the member ends early'] };
    return { data: Buffer.alloc(0), end, problem: ['damaged-member', message ?? 'the member does not end'] };
  }

  /** Streams a member that is larger than a block, and those after it, until a problem or the end of the input. */
  async *#stream(): AsyncGenerator<Decompressed> {
    const source = this.#source;
    const stream = new GunzipStream();
    const start = source.offset;
    let startsMember = true;
    try {
      for (;;) {
        await source.readUpTo(STEP_BYTES);
        const step = source.bytes.subarray(0, STEP_BYTES);
        const end = await stream.write(step);
        for (const data of stream.takeData()) {
          yield { data, startsMember };
          startsMember = false;
        }
        if (end instanceof Error) {
          const isTruncated = (end as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
          yield toProblem(isTruncated ? 'truncated-member' : 'damaged-member', start, end.message);
          const next = findMemberStart(step, source.offset === start ? 1 : 0);
          source.take(next < 0 ? step.length : next);
          return;
        }
        // Zeros after a member end the stream.
        source.take(end === 'ended' ? stream.bytesRead - (source.offset - start) : step.length);
        if (end === 'ended') return;
      }
    } finally {
      stream.destroy();
    }
  }
}

/** Decompresses a block of whole members. Returns `undefined` if that fails. */
function decompressBlock(block: Buffer): Buffer | undefined {
  try {
    const { buffer, engine } = gunzipSync(block, {
      info: true,
      chunkSize: OUTPUT_BYTES,
      maxOutputLength: MAX_DATA_BYTES,
    }) as unknown as { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } };
    // Node stops at a zero after a member. There may be members after it.
    return engine.bytesWritten === block.length ? buffer : undefined;
  } catch {
    return undefined;
  }
}

function toProblem(
  code: ReadProblemCode,
  offset: number,
  message: string,
): { readonly problem: ReadProblem } {
  return { problem: { code, offset, message } };
}
