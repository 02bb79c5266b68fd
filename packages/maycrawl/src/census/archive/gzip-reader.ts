// Reads the members of a gzip file: in blocks, one by one where a block is damaged, and as a stream where they are large.
import { gunzipSync } from 'node:zlib';
import type { ByteSource } from './byte-source.ts';
import {
  checkTrailer,
  countMemberStarts,
  findLastMemberStart,
  findMemberStart,
  getDataStart,
  isMemberStart,
  readMember,
  TRAILER_BYTES,
} from './gzip-member.ts';
import { InflateStream } from './inflate-stream.ts';
import { type FirstMember, MemberAttempts } from './member-attempts.ts';
import type { ArchiveWork, ReadProblem, ReadProblemCode } from './read-report.ts';

/** Compressed bytes of a block. Larger ones are not decompressed faster. */
export const BLOCK_BYTES: number = 128 * 1024;
/** Compressed bytes after which a member is streamed. */
const MAX_MEMBER_BYTES = 4 * 1024 * 1024;
/** Decompressed bytes of a block. A member with more is streamed. */
const MAX_DATA_BYTES = 32 * 1024 * 1024;
/** Bytes that the stream receives in one step: its result is at most about a thousand times as long. */
const STEP_BYTES = 16 * 1024;
const OUTPUT_BYTES = 256 * 1024;

/** A piece of decompressed data. */
export interface DataPiece {
  readonly data: Buffer;
  /** Whether a gzip member begins at the start of the data. */
  readonly startsMember: boolean;
  /** The members of the piece, if it can have several. */
  readonly members?: Members;
}

/** Members whose data is one piece. */
export interface Members {
  /** The number of places where a member may begin. */
  readonly count: number;
  /** Returns the data of each member, which is decompressed again. */
  readonly read: () => Iterable<Buffer>;
}

/** Decompressed data, or a problem: after it data is missing. */
export type Decompressed = DataPiece | { readonly problem: ReadProblem };

/** Reads gzip members. */
export class GzipReader {
  readonly #source: ByteSource;
  readonly #work: ArchiveWork;
  readonly #attempts: MemberAttempts;

  constructor(source: ByteSource, work: ArchiveWork) {
    this.#source = source;
    this.#work = work;
    this.#attempts = new MemberAttempts(MAX_DATA_BYTES, work);
  }

  async *read(): AsyncGenerator<Decompressed> {
    const source = this.#source;
    let size = BLOCK_BYTES;
    for (;;) {
      await source.readUpTo(size + 4);
      if (source.bytes.length === 0) return;
      const block = this.#findBlock(size);
      const data = block && this.#decompressBlock(block);
      if (block !== undefined && data !== undefined) {
        yield { data, startsMember: true, members: this.#countMembers(block) };
        source.take(block.length);
        size = BLOCK_BYTES;
        continue;
      }
      const before = source.offset;
      const end = yield* this.#readSingly(Math.min(size, source.bytes.length));
      // The first member is longer than the block.
      size = source.offset > before || end === 'too-large' ? BLOCK_BYTES : 2 * size;
      if (end === 'too-large' || size > MAX_MEMBER_BYTES) {
        yield* this.#stream();
        size = BLOCK_BYTES;
      }
    }
  }

  /** Finds a block of members in the first bytes: up to the last place at which a member may begin. */
  #findBlock(size: number): Buffer | undefined {
    const { bytes, isEnded } = this.#source;
    if (!isMemberStart(bytes, 0)) return undefined;
    if (isEnded && bytes.length <= size) return bytes;
    const cut = findLastMemberStart(bytes, 0, Math.min(size, bytes.length));
    return cut > 0 ? bytes.subarray(0, cut) : undefined;
  }

  /** Decompresses a block of whole members. Returns `undefined` if that fails. */
  #decompressBlock(block: Buffer): Buffer | undefined {
    this.#work.inflatedBytes += block.length;
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

  #countMembers(block: Buffer): Members {
    return { count: countMemberStarts(block), read: () => this.#readMembers(block) };
  }

  /** Reads the members of a block that is intact. */
  *#readMembers(block: Buffer): Generator<Buffer> {
    this.#work.inflatedBytes += block.length;
    for (let at = 0; at < block.length; ) {
      const rest = block.subarray(at);
      const member = readMember(rest, MAX_DATA_BYTES);
      const isRead = member.kind === 'intact';
      yield isRead ? member.data : gunzipSync(rest);
      at = isRead ? at + member.end : block.length;
    }
  }

  /**
   * Reads the members in the first `limit` bytes one by one, and skips what is between them. It leaves a member that needs more bytes,
   * unless the input ends, and one that is too large.
   */
  async *#readSingly(limit: number): AsyncGenerator<Decompressed, 'read' | 'unfinished' | 'too-large'> {
    const source = this.#source;
    const until = source.offset + limit;
    while (source.offset < until && source.bytes.length > 0) {
      if (!isMemberStart(source.bytes, 0)) {
        yield* this.#skipOther();
        continue;
      }
      const { bytes, offset, isEnded } = source;
      const window = bytes.subarray(0, Math.min(bytes.length, Math.max(until - offset, BLOCK_BYTES)));
      const first = this.#attempts.read(window, offset, isEnded && window.length === bytes.length);
      if (typeof first === 'string') return first;
      source.take(first.end);
      yield* toPieces(first, offset);
    }
    return 'read';
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
      const skipped = source.take(end);
      isPadding &&= skipped.every((byte) => byte === 0);
      if (next >= 0 || (source.isEnded && source.bytes.length === 0)) break;
      await source.readUpTo(BLOCK_BYTES);
    }
    if (!isPadding)
      yield toProblem('bytes-between-members', offset, `${source.offset - offset} bytes are not gzip`);
  }

  /** Streams the first member, which is larger than a block. */
  async *#stream(): AsyncGenerator<Decompressed> {
    const source = this.#source;
    const stream = new InflateStream();
    const memberStart = source.offset;
    source.take(getDataStart(source.bytes) ?? source.bytes.length);
    const start = source.offset;
    let startsMember = true;
    try {
      for (;;) {
        await source.readUpTo(STEP_BYTES);
        const step = source.bytes.subarray(0, STEP_BYTES);
        this.#work.inflatedBytes += step.length;
        const end = await stream.write(step);
        for (const data of stream.takeData()) {
          yield { data, startsMember };
          startsMember = false;
        }
        if (end instanceof Error) {
          const isTruncated = (end as NodeJS.ErrnoException).code === 'Z_BUF_ERROR';
          yield toProblem(isTruncated ? 'truncated-member' : 'damaged-member', memberStart, end.message);
          const next = findMemberStart(step, 0);
          source.take(next < 0 ? step.length : next);
          return;
        }
        source.take(end === 'ended' ? stream.bytesRead - (source.offset - start) : step.length);
        if (end === 'ended') break;
      }
      await source.readUpTo(TRAILER_BYTES);
      if (source.bytes.length < TRAILER_BYTES) {
        source.take(source.bytes.length);
        yield toProblem('truncated-member', memberStart, 'the member ends early');
        return;
      }
      const message = checkTrailer(source.take(TRAILER_BYTES), stream.checksum, stream.length);
      if (message !== undefined) yield toProblem('damaged-member', memberStart, message);
    } finally {
      stream.destroy();
    }
  }
}

function* toPieces({ data, problem }: FirstMember, offset: number): Generator<Decompressed> {
  if (data.length > 0) yield { data, startsMember: true };
  if (problem !== undefined) yield toProblem(problem[0], offset, problem[1]);
}

function toProblem(
  code: ReadProblemCode,
  offset: number,
  message: string,
): { readonly problem: ReadProblem } {
  return { problem: { code, offset, message } };
}
