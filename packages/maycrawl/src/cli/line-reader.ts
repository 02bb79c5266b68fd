/**
 * Whole lines from a stream of bytes, many at a time, each bounded in length.
 *
 * @module
 */

const LF = 0x0a;
const BYTE_ORDER_MARK: Buffer = Buffer.from([0xef, 0xbb, 0xbf]);

/** Whole lines, one after another; `undefined` stands for a line that was too long to keep. */
export type Block = Buffer | undefined;

/**
 * Cuts a stream into blocks of whole lines. Each step gives the lines that a chunk of the stream completed, so that a caller
 * can answer them before it waits for more. Of a line longer than `maxBytes` nothing is kept, and the next line is found all
 * the same. The last line may come without its line end. A byte order mark at the start is left out: some programs put one
 * before whatever they write.
 */
export async function* readBlocks(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Block> {
  let isFirst = true;
  for await (const block of cutBlocks(stream, maxBytes)) {
    yield isFirst && block?.subarray(0, 3).equals(BYTE_ORDER_MARK) ? block.subarray(3) : block;
    isFirst = false;
  }
}

async function* cutBlocks(stream: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Block> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const end = bytes.lastIndexOf(LF) + 1;
    let start = 0;
    if (end > 0 && pendingBytes > 0) {
      const lineEnd = bytes.indexOf(LF) + 1;
      if (pendingBytes + lineEnd - 1 > maxBytes) {
        yield undefined;
        start = lineEnd;
      }
    }
    if (end > start) {
      const whole = bytes.subarray(start, end);
      yield start > 0 || pending.length === 0 ? whole : Buffer.concat([...pending, whole]);
    }
    if (end > 0) {
      pending = [];
      pendingBytes = 0;
    }
    const rest = bytes.subarray(end);
    pendingBytes += rest.length;
    if (pendingBytes > maxBytes) pending = [];
    else if (rest.length > 0) pending.push(rest);
  }
  if (pendingBytes > maxBytes) yield undefined;
  else if (pendingBytes > 0) yield Buffer.concat(pending);
}

/** The lines of a block, without their line ends. */
export function* linesOf(block: Buffer): Generator<Buffer> {
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf(LF, start);
    yield block.subarray(start, end < 0 ? block.length : end);
    start = end < 0 ? block.length : end + 1;
  }
}
