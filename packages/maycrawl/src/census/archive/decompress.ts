// Decompresses an input: gzip of any number of members (RFC 1952 section 2.2), or data that is not compressed.
//
// Archives of the web have a member for each record, and are damaged or cut off now and then. The input is cut into blocks where members
// begin. Node decompresses a block in one call; if that fails, the members of the block are read one by one (gzip-reader.ts).

import { ByteSource } from './byte-source.ts';
import { findMemberStart, isMemberStart } from './gzip-member.ts';
import { BLOCK_BYTES, type Decompressed, GzipReader } from './gzip-reader.ts';
import { ArchiveWork } from './read-report.ts';

/**
 * Decompresses a stream if it is compressed.
 *
 * @param plainStart - how the data begins, if it always begins so. Then an archive whose first member is damaged is not read as text.
 * @param work - receives counts.
 * @throws what the stream throws.
 */
export async function* decompress(
  input: AsyncIterable<Uint8Array>,
  plainStart?: string,
  work: ArchiveWork = new ArchiveWork(),
): AsyncGenerator<Decompressed> {
  const iterator = input[Symbol.asyncIterator]();
  try {
    const source = new ByteSource(iterator);
    await source.readUpTo(BLOCK_BYTES);
    const { bytes } = source;
    if (isMemberStart(bytes, 0) || isDamagedGzip(bytes, plainStart))
      yield* new GzipReader(source, work).read();
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
