// Tar archives of files that are named by host (POSIX.1-2001 pax and ustar, and the long names of GNU tar).
import { MAX_FILE_BYTES } from '@maycrawl/core';
import { ByteSource } from '../archive/byte-source.ts';
import type { ReadProblemCode } from '../archive/read-report.ts';
import type { Capture } from '../capture.ts';
import type { InputTotals } from '../input-totals.ts';
import { readData } from './decompressed-data.ts';
import { createFileCapture, isRobotsTxtName } from './file-capture.ts';

const BLOCK_BYTES = 512;
/** Maximum length of a long name, or of pax records, in bytes. */
const MAX_NAME_BYTES = 64 * 1024;
/** Bytes that are skipped in one step. */
const SKIP_BYTES = 1024 * 1024;

/** Reads the captures of a tar archive, which may be compressed by gzip. After damage the rest is not read: a tar archive has no marks. */
export async function* readTarCaptures(
  input: AsyncIterable<Uint8Array>,
  name: string,
  totals: InputTotals,
): AsyncGenerator<readonly Capture[]> {
  const data = readData(input, totals);
  try {
    yield* readEntries(new ByteSource(data), name, totals);
  } finally {
    // What follows the end of the archive is not read.
    await data.return(undefined);
  }
}

async function* readEntries(
  source: ByteSource,
  name: string,
  totals: InputTotals,
): AsyncGenerator<readonly Capture[]> {
  const report = (code: ReadProblemCode, message: string): void =>
    totals.addProblem({ code, offset: source.offset, message });
  let longName: string | undefined;
  for (;;) {
    await source.readUpTo(BLOCK_BYTES);
    if (source.bytes.length < BLOCK_BYTES) {
      if (source.bytes.length > 0) report('truncated-record', 'the archive ends within a header');
      return;
    }
    const header = source.bytes.subarray(0, BLOCK_BYTES);
    // A block of zeros ends the archive.
    if (header.every((byte) => byte === 0)) return;
    const entry = parseHeader(header);
    if (entry === undefined) {
      report('invalid-record', 'there is no tar header here; the rest of the archive is not read');
      return;
    }
    const offset = source.offset;
    source.take(BLOCK_BYTES);
    const isName = entry.type === 'x' || entry.type === 'L';
    const wanted = isName ? MAX_NAME_BYTES : MAX_FILE_BYTES + 1;
    const content = Buffer.from(await readContent(source, entry.size, wanted));
    if (content.length < Math.min(entry.size, wanted)) report('truncated-record', `${entry.path} is cut off`);
    if (entry.type === 'x') longName = readPaxPath(content) ?? longName;
    else if (entry.type === 'L') longName = content.toString().replace(/\0.*$/s, '');
    else {
      const path = longName ?? entry.path;
      longName = undefined;
      totals.addRecord(entry.type === '0' ? 'file' : `type ${entry.type}`);
      if (entry.type !== '0') continue;
      if (isRobotsTxtName(path)) {
        const isTruncated = content.length < Math.min(entry.size, wanted);
        yield [{ ...createFileCapture(content, path, totals), isTruncated, input: name, offset }];
      } else totals.otherUrls++;
    }
  }
}

/** Reads the start of a file, and skips the rest and its padding. */
async function readContent(source: ByteSource, size: number, maxBytes: number): Promise<Buffer> {
  const length = Math.min(size, maxBytes);
  await source.readUpTo(length);
  const content = source.take(Math.min(length, source.bytes.length));
  let rest = Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES - length;
  while (rest > 0) {
    await source.readUpTo(Math.min(rest, SKIP_BYTES));
    const skipped = Math.min(rest, source.bytes.length);
    if (skipped === 0) break;
    source.take(skipped);
    rest -= skipped;
  }
  return content;
}

interface Entry {
  readonly path: string;
  readonly size: number;
  /** `0`: a file; `x` and `L`: the name of the next entry. */
  readonly type: string;
}

/** Parses a header. Returns `undefined` if its checksum or its size is wrong. */
function parseHeader(header: Buffer): Entry | undefined {
  let sum = 8 * 32;
  for (const [index, byte] of header.entries()) if (index < 148 || index >= 156) sum += byte;
  if (readOctal(header, 148, 8) !== sum) return undefined;
  const size = readOctal(header, 124, 12);
  if (size === undefined) return undefined;
  const isUstar = header.toString('latin1', 257, 262) === 'ustar';
  const prefix = isUstar ? readText(header, 345, 155) : '';
  const path = readText(header, 0, 100);
  const type = header[156] === 0 ? '0' : header.toString('latin1', 156, 157);
  return { path: prefix === '' ? path : `${prefix}/${path}`, size, type };
}

function readText(header: Buffer, start: number, length: number): string {
  const end = header.indexOf(0, start);
  return header.toString('utf8', start, end < 0 || end > start + length ? start + length : end);
}

function readOctal(header: Buffer, start: number, length: number): number | undefined {
  const digits = /^ *([0-7]+)[ \0]*$/.exec(header.toString('latin1', start, start + length))?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}

/** Reads the path in pax records, which are `LENGTH KEY=VALUE` and a line feed each. */
function readPaxPath(content: Buffer): string | undefined {
  let path: string | undefined;
  for (let at = 0; at < content.length; ) {
    const digits = /^(\d{1,6}) /.exec(content.toString('latin1', at, at + 7))?.[1];
    const length = Number(digits ?? 0);
    if (digits === undefined || length <= digits.length + 1) break;
    const record = content.toString('utf8', at + digits.length + 1, at + length - 1);
    if (record.startsWith('path=')) path = record.slice('path='.length);
    at += length;
  }
  return path;
}
