/**
 * Reads WARC records (ISO 28500; WARC 1.0 and 1.1, and the drafts 0.17 and 0.18) from pieces of decompressed data. After damage it
 * continues at the next record.
 *
 * @module
 */
import { FieldNames, HeaderFields } from './header-fields.ts';
import type { ReadProblem, ReadProblemCode } from './read-problem.ts';

const LF = 10;
const CR = 13;

/** Maximum length of the header of a record in bytes. */
const MAX_HEAD_BYTES = 128 * 1024;
/** Bytes of the block that a record has; the rest is skipped. A robots.txt of 512,000 bytes fits, with a long header. */
export const MAX_BLOCK_BYTES: number = 768 * 1024;

/** How each record begins. */
export const VERSION_START = 'WARC/';
const VERSION: Buffer = Buffer.from(VERSION_START);
const RECORD_START: Buffer = Buffer.from('\nWARC/');

type RecordField =
  | 'warc-type'
  | 'content-length'
  | 'warc-target-uri'
  | 'warc-date'
  | 'warc-truncated'
  | 'warc-payload-digest'
  | 'warc-profile';

const NAMES: FieldNames<RecordField> = new FieldNames<RecordField>([
  'warc-type',
  'content-length',
  'warc-target-uri',
  'warc-date',
  'warc-truncated',
  'warc-payload-digest',
  'warc-profile',
]);

type RecordFields = HeaderFields<RecordField>;

/** A WARC record. Its bytes are views of the piece that contained it: copy what stays in memory. */
export interface WarcRecord {
  /** Offset of the record in the decompressed data. */
  readonly offset: number;
  /** The type in lower case, such as `response`; empty if the record has none. */
  readonly type: string;
  readonly fields: RecordFields;
  /** The block, at most {@link MAX_BLOCK_BYTES} of it. */
  readonly block: Buffer;
  /** Whether the data ended, or the next record began, before the end of the block. */
  readonly isCut: boolean;
  /** Whether the block is longer than {@link MAX_BLOCK_BYTES}. */
  readonly isBounded: boolean;
}

/** A record, or a problem. */
export type WarcItem = WarcRecord | { readonly problem: ReadProblem };

/** Reads WARC records. */
export class WarcParser {
  /** Data without a complete record, in order. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** Offset of the pending data. */
  #offset = 0;
  /** Bytes of pending data that the record needs. */
  #needed = 0;
  /** Bytes of the block of the last record to skip. */
  #skipped = 0;
  /** Whether the data before is damaged: what follows may begin within a record. */
  #isLost = false;

  /** Bytes of data so far. */
  get bytesRead(): number {
    return this.#offset + this.#pendingBytes;
  }

  /**
   * Reads the records that a piece of data completes.
   *
   * @param startsMember - whether a gzip member begins at the start of the piece. A record begins there, too, if it looks like one.
   */
  *push(piece: Buffer, startsMember: boolean): Generator<WarcItem> {
    if (startsMember && startsRecord(piece, 0)) {
      yield* this.end();
      this.#isLost = false;
    }
    let data = piece;
    if (this.#skipped > 0) {
      const skipped = Math.min(this.#skipped, data.length);
      this.#skipped -= skipped;
      this.#offset += skipped;
      data = data.subarray(skipped);
    }
    if (data.length === 0) return;
    this.#pending.push(data);
    this.#pendingBytes += data.length;
    if (this.#pendingBytes >= this.#needed) yield* this.#read(false);
  }

  /** Ends the record that the data before a gap began. */
  *endAtGap(): Generator<WarcItem> {
    yield* this.end();
    this.#isLost = true;
  }

  /** Reads what is left when the data ends. */
  *end(): Generator<WarcItem> {
    if (this.#pendingBytes > 0) yield* this.#read(true);
    if (this.#skipped > 0)
      yield this.#toProblem('truncated-record', 0, `${this.#skipped} bytes of the block are missing`);
    this.#skipped = 0;
  }

  *#read(isLast: boolean): Generator<WarcItem> {
    const data = this.#pending.length === 1 ? (this.#pending[0] as Buffer) : Buffer.concat(this.#pending);
    let at = 0;
    this.#needed = 0;
    for (;;) {
      if (this.#isLost) {
        const next = findRecord(data, at);
        // The start of a record may be cut off at the end of the data.
        at = next >= 0 ? next : Math.max(at, data.length - RECORD_START.length);
        if (next < 0) break;
        this.#isLost = false;
      }
      while (at < data.length && (data[at] === LF || data[at] === CR)) at++;
      if (at === data.length) break;
      if (!startsRecord(data, at)) {
        if (data.length - at <= VERSION.length && !isLast) break;
        yield this.#toProblem('invalid-record', at, 'there is no record here; the next one is read');
        this.#isLost = true;
        continue;
      }
      const result = this.#readRecord(data, at, isLast);
      if (result === undefined) break;
      if (result.problem !== undefined) yield this.#toProblem(result.problem[0], at, result.problem[1]);
      if (result.record !== undefined) yield result.record;
      this.#isLost = result.next === undefined;
      const next = result.next ?? at + VERSION.length;
      this.#skipped = Math.max(next - data.length, 0);
      at = Math.min(next, data.length);
    }
    this.#leave(data, at, isLast);
  }

  /** Leaves the data from `at` for the next piece. */
  #leave(data: Buffer, at: number, isLast: boolean): void {
    const rest = isLast ? data.subarray(data.length) : data.subarray(at);
    this.#offset += data.length - rest.length;
    this.#pending = rest.length > 0 ? [rest] : [];
    this.#pendingBytes = rest.length;
  }

  /** Reads the record at `at`. Returns `undefined` if it needs more data. */
  #readRecord(data: Buffer, at: number, isLast: boolean): RecordResult | undefined {
    const lineEnd = data.indexOf(LF, at);
    const fields =
      lineEnd < 0 || lineEnd - at > MAX_HEAD_BYTES
        ? undefined
        : new HeaderFields(NAMES, data.subarray(0, Math.min(data.length, at + MAX_HEAD_BYTES)), lineEnd + 1);
    if (fields === undefined || fields.end < 0) {
      if (data.length - at >= MAX_HEAD_BYTES)
        return { problem: ['oversized-record-head', `the header has more than ${MAX_HEAD_BYTES} bytes`] };
      if (isLast) return { problem: ['truncated-record', 'the data ends within the header'] };
      // Twice as much, so that a header that arrives byte by byte is not read again for each of them.
      this.#needed = 2 * (data.length - at);
      return undefined;
    }
    const length = parseLength(fields.get('content-length'));
    if (length === undefined)
      return { problem: ['invalid-record-length', 'the record has no valid Content-Length'] };
    return this.#readBlock(data, at, { fields, length, isLast });
  }

  #readBlock(
    data: Buffer,
    at: number,
    {
      fields,
      length,
      isLast,
    }: { readonly fields: RecordFields; readonly length: number; readonly isLast: boolean },
  ): RecordResult | undefined {
    const start = fields.end;
    const type = (fields.get('warc-type') ?? '').toLowerCase();
    const create = (end: number, isCut: boolean): WarcRecord => ({
      offset: this.#offset + at,
      type,
      fields,
      block: data.subarray(start, Math.min(end, start + MAX_BLOCK_BYTES)),
      isCut,
      isBounded: length > MAX_BLOCK_BYTES,
    });
    const end = start + length;
    if (length > MAX_BLOCK_BYTES) {
      if (data.length >= start + MAX_BLOCK_BYTES) return { record: create(end, false), next: end };
    } else if (data.length >= end + BLOCK_END_BYTES || (data.length >= end && isLast)) {
      const found = findBlockEnd(data, start, end);
      if (found === end) return { record: create(end, false), next: end };
      const message = `the Content-Length is ${length}`;
      if (found === undefined)
        return { record: create(end, false), problem: ['invalid-record-length', message] };
      return {
        record: create(found, false),
        problem: ['invalid-record-length', `${message}, but the block has ${found - start} bytes`],
        next: found,
      };
    }
    if (!isLast) {
      this.#needed = Math.min(end + BLOCK_END_BYTES, start + MAX_BLOCK_BYTES) - at;
      return undefined;
    }
    // The data ends here, or a Content-Length that is too large includes the records after this one.
    const inner = findRecord(data, start);
    const cutEnd = inner < 0 ? data.length : withoutLineEnds(data, start, inner);
    const message = `the block has ${cutEnd - start} of ${length} bytes`;
    return {
      record: create(cutEnd, true),
      problem: ['truncated-record', message],
      next: inner < 0 ? data.length : inner,
    };
  }

  #toProblem(code: ReadProblemCode, at: number, message: string): { readonly problem: ReadProblem } {
    return { problem: { code, offset: this.#offset + at, message } };
  }
}

/** What was read at the start of a record. Without `next`, the next record is searched. */
interface RecordResult {
  readonly record?: WarcRecord;
  readonly problem?: readonly [ReadProblemCode, string];
  readonly next?: number;
}

/** Bytes after a block that show whether it ends there: two bytes more, two line ends, and the start of a record. */
const BLOCK_END_BYTES = 12;

/**
 * Finds the end of a block. Returns `undefined` if it is neither at `end`, nor two bytes later, nor before a record within the block.
 *
 * In the crawl CC-MAIN-2018-34 the length is two bytes too small.
 */
function findBlockEnd(data: Buffer, start: number, end: number): number | undefined {
  if (endsBlock(data, end)) return end;
  if (endsBlock(data, end + 2)) return end + 2;
  const inner = findRecord(data.subarray(0, end), start);
  return inner < 0 ? undefined : withoutLineEnds(data, start, inner);
}

/** Whether two line ends follow, or a record without them, or the end of the data. */
function endsBlock(data: Buffer, at: number): boolean {
  if (at >= data.length) return at === data.length;
  if (data[at] === CR && data[at + 1] === LF && data[at + 2] === CR && data[at + 3] === LF) return true;
  let next = at;
  while (next < at + 4 && (data[next] === CR || data[next] === LF)) next++;
  return next === data.length || startsRecord(data, next);
}

/** Returns the end of a block before a record: at most four bytes are line ends. */
function withoutLineEnds(data: Buffer, start: number, record: number): number {
  let end = record;
  while (end > start && record - end < 4 && (data[end - 1] === CR || data[end - 1] === LF)) end--;
  return end;
}

/** Whether a record may begin at an offset: `WARC/` and a digit. */
function startsRecord(data: Buffer, at: number): boolean {
  for (let index = 0; index < VERSION.length; index++) if (data[at + index] !== VERSION[index]) return false;
  const digit = data[at + VERSION.length] ?? 0;
  return digit >= 0x30 && digit <= 0x39;
}

/** Finds a line that may be the start of a record; -1 without such a place. */
function findRecord(data: Buffer, from: number): number {
  for (let at = from; ; at++) {
    at = data.indexOf(RECORD_START, at);
    if (at < 0) return -1;
    if (startsRecord(data, at + 1)) return at + 1;
  }
}

/** Parses a Content-Length. Returns `undefined` if it is not a number of bytes. */
export function parseLength(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
