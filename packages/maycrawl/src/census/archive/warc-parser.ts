// Reads WARC records (ISO 28500; WARC 1.0 and 1.1, and the drafts 0.17 and 0.18) from pieces of decompressed data. After damage it
// continues at the next record.

import type { DataPiece } from './gzip-reader.ts';
import { HeaderFields } from './header-fields.ts';
import type { ReadProblem, ReadProblemCode } from './read-report.ts';
import { ArchiveWork } from './read-report.ts';
import {
  BLOCK_END_BYTES,
  endsBlock,
  endsWithRecordEnd,
  findRecord,
  RECORD_END,
  RECORD_START,
  startsRecord,
  VERSION_START,
} from './record-boundaries.ts';
import {
  MAX_BLOCK_BYTES,
  RECORD_FIELDS,
  type RecordFields,
  type WarcItem,
  type WarcRecord,
} from './warc-record.ts';

const LF = 10;
const CR = 13;

/** Maximum length of the header of a record in bytes. */
const MAX_HEAD_BYTES = 128 * 1024;

/** Blocks of which all data are stored until their end shows whether their length is true. Common Crawl stores up to 5 MiB of a response. */
const MAX_VERIFIED_BYTES = 8 * 1024 * 1024;

/** The same for longer blocks, if their start has a line that begins a record: it can be a part of the block, or the next record. */
const MAX_DOUBTFUL_BYTES = 32 * 1024 * 1024;

const NO_DATA: Buffer = Buffer.alloc(0);

/** Why the data ends: more may follow, nothing follows that belongs to its last record, or the next record follows. */
type DataEnd = 'open' | 'gap' | 'record';

export class WarcParser {
  /** Data without a complete record, in order. */
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #offset = 0;
  /** Bytes of pending data that the record needs. */
  #needed = 0;
  /** Bytes of the block of the last record to skip. */
  #skipped = 0;
  /** Whether the data before is damaged: what follows may begin within a record. */
  #isLost = false;
  readonly #work: ArchiveWork;

  /** @param work - receives counts. */
  constructor(work: ArchiveWork = new ArchiveWork()) {
    this.#work = work;
  }

  /** Bytes of data so far. */
  get bytesRead(): number {
    return this.#offset + this.#pendingBytes;
  }

  /**
   * Reads the records that a piece of data completes.
   *
   * At the start of a gzip member begins a record, if it looks like one. A piece with several members is read as one if it has as many
   * records, which are intact; otherwise its members are read one by one.
   */
  *push({ data, startsMember, members }: DataPiece): Generator<WarcItem> {
    if (startsMember && startsRecord(data, 0)) {
      yield* this.#end('record');
      this.#isLost = false;
    }
    if (members === undefined || members.count === 1) {
      yield* this.#add(data);
      return;
    }
    const records = this.#readIntact(data, members.count);
    if (records !== undefined) yield* records;
    else for (const member of members.read()) yield* this.push({ data: member, startsMember });
  }

  /** Reads a piece if it consists of a number of intact records. */
  #readIntact(piece: Buffer, count: number): WarcRecord[] | undefined {
    if (this.#pendingBytes > 0 || this.#skipped > 0 || this.#isLost) return undefined;
    const offset = this.#offset;
    const records: WarcRecord[] = [];
    this.#setPending(piece);
    let isIntact = true;
    for (const item of this.#read('record')) {
      isIntact = !('problem' in item) && records.length < count;
      if ('problem' in item || !isIntact) break;
      records.push(item);
    }
    if (isIntact && this.#skipped === 0 && records.length === count) return records;
    this.#setPending(NO_DATA);
    this.#offset = offset;
    this.#skipped = 0;
    this.#isLost = false;
    return undefined;
  }

  *#add(piece: Buffer): Generator<WarcItem> {
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
    if (this.#pendingBytes >= this.#needed) yield* this.#read('open');
  }

  /** Ends the record that the data before a gap began. */
  *endAtGap(): Generator<WarcItem> {
    yield* this.end();
    this.#isLost = true;
  }

  /** Reads what is left when the data ends. */
  end(): Generator<WarcItem> {
    return this.#end('gap');
  }

  *#end(dataEnd: 'gap' | 'record'): Generator<WarcItem> {
    if (this.#pendingBytes > 0) yield* this.#read(dataEnd);
    if (this.#skipped > 0)
      yield this.#toProblem('truncated-record', 0, `${this.#skipped} bytes of the block are missing`);
    this.#skipped = 0;
  }

  *#read(dataEnd: DataEnd): Generator<WarcItem> {
    const [first = NO_DATA] = this.#pending;
    const data = this.#pending.length === 1 ? first : Buffer.concat(this.#pending);
    if (data !== first) this.#work.scannedBytes += data.length;
    let at = 0;
    this.#needed = 0;
    for (;;) {
      if (this.#isLost) {
        const next = this.#findRecord(data, at);
        // The start of a record may be cut off at the end of the data.
        at = next >= 0 ? next : Math.max(at, data.length - RECORD_START.length);
        if (next < 0) break;
        this.#isLost = false;
      }
      while (at < data.length && (data[at] === LF || data[at] === CR)) at++;
      if (at === data.length) break;
      if (!startsRecord(data, at)) {
        if (data.length - at <= VERSION_START.length && dataEnd === 'open') break;
        yield this.#toProblem('invalid-record', at, 'there is no record here; the next one is read');
        this.#isLost = true;
        continue;
      }
      const result = this.#readRecord(data, at, dataEnd);
      if (result === undefined) break;
      if (result.problem !== undefined) yield this.#toProblem(result.problem[0], at, result.problem[1]);
      if (result.record !== undefined) yield result.record;
      this.#isLost = result.next === undefined;
      const next = result.next ?? at + VERSION_START.length;
      this.#skipped = Math.max(next - data.length, 0);
      at = Math.min(next, data.length);
    }
    this.#leave(data, dataEnd === 'open' ? at : data.length);
  }

  /** Leaves the data from `at` for the next piece. */
  #leave(data: Buffer, at: number): void {
    const rest = data.subarray(at);
    this.#offset += data.length - rest.length;
    this.#setPending(rest);
    // Twice as much, so that what arrives in small pieces is not copied, and read again, for each of them.
    this.#needed = Math.max(this.#needed, 2 * rest.length);
  }

  #setPending(data: Buffer): void {
    this.#pending = data.length > 0 ? [data] : [];
    this.#pendingBytes = data.length;
  }

  /** Reads the record at `at`. Returns `undefined` if it needs more data. */
  #readRecord(data: Buffer, at: number, dataEnd: DataEnd): RecordResult | undefined {
    const head = data.subarray(0, Math.min(data.length, at + MAX_HEAD_BYTES));
    const lineEnd = head.indexOf(LF, at);
    const fields =
      lineEnd < 0 ? undefined : new HeaderFields(RECORD_FIELDS, head, lineEnd + 1, { stopsAt: startsRecord });
    const stop = fields?.stop ?? -1;
    const headEnd = Math.max(fields?.end ?? -1, stop);
    this.#work.scannedBytes += (headEnd < 0 ? head.length : headEnd) - at;
    // No line of a header looks like the start of a record, which is not read as a part of another one.
    if (stop >= 0) return { problem: ['truncated-record', 'a record begins within the header'], next: stop };
    if (fields === undefined || fields.end < 0) {
      if (data.length - at >= MAX_HEAD_BYTES)
        return { problem: ['oversized-record-head', `the header has more than ${MAX_HEAD_BYTES} bytes`] };
      return dataEnd !== 'open'
        ? { problem: ['truncated-record', 'the data ends within the header'], next: data.length }
        : undefined;
    }
    const length = parseLength(fields.get('content-length'));
    if (length === undefined)
      return { problem: ['invalid-record-length', 'the record has no valid Content-Length'] };
    return this.#readBlock(data, at, { fields, length, dataEnd });
  }

  #readBlock(
    data: Buffer,
    at: number,
    {
      fields,
      length,
      dataEnd,
    }: { readonly fields: RecordFields; readonly length: number; readonly dataEnd: DataEnd },
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
    const cutAt = (next: number): RecordResult => {
      const isWhole = next - start >= RECORD_END.length && endsWithRecordEnd(data, next);
      const blockEnd = isWhole ? next - RECORD_END.length : next;
      const message = `the Content-Length is ${length}, but the block has ${blockEnd - start} bytes`;
      const problem = [isWhole ? 'invalid-record-length' : 'truncated-record', message] as const;
      return { record: create(blockEnd, !isWhole), problem, next };
    };
    const limit = this.#getVerifiedBytes(data, start, length);
    if (length > limit) {
      if (data.length >= start + limit) return { record: create(end, false), next: end };
    } else if (data.length >= end + BLOCK_END_BYTES || (data.length >= end && dataEnd !== 'open')) {
      if (endsBlock(data, end)) return { record: create(end, false), next: end };
      // As in the crawl CC-MAIN-2018-34.
      if (endsBlock(data, end + 2)) {
        const problem = [
          'invalid-record-length',
          `the Content-Length is ${length}, two bytes too small`,
        ] as const;
        return { record: create(end + 2, false), problem, next: end + 2 };
      }
      const inner = this.#findRecord(data, start, end);
      if (inner >= 0) return cutAt(inner);
      // The block goes on after this length, so its last line may be a part of a rule.
      const message = `the Content-Length is ${length}, but the block does not end there`;
      return { record: create(end, true), problem: ['invalid-record-length', message] };
    }
    if (dataEnd === 'open') {
      this.#needed = Math.min(end + BLOCK_END_BYTES, start + limit) - at;
      return undefined;
    }
    // A Content-Length that is too large includes the records after this one.
    const inner = this.#findRecord(data, start);
    const next = inner < 0 && dataEnd === 'record' ? data.length : inner;
    if (next >= 0) return cutAt(next);
    const problem = ['truncated-record', `the block has ${data.length - start} of ${length} bytes`] as const;
    return { record: create(data.length, true), problem, next: data.length };
  }

  /** Returns the length of the longest block whose end is searched. A longer one is skipped without it. */
  #getVerifiedBytes(data: Buffer, start: number, length: number): number {
    const isDoubtful =
      length > MAX_VERIFIED_BYTES &&
      data.length >= start + MAX_VERIFIED_BYTES &&
      this.#findRecord(data, start, start + MAX_VERIFIED_BYTES) >= 0;
    return isDoubtful ? MAX_DOUBTFUL_BYTES : MAX_VERIFIED_BYTES;
  }

  #findRecord(data: Buffer, from: number, before: number = data.length): number {
    const found = findRecord(data, from, before);
    this.#work.scannedBytes += (found < 0 ? before : found) - from;
    return found;
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

/** Parses a Content-Length. Returns `undefined` if it is not a number of bytes. */
export function parseLength(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
