// Whole lines from a stream of bytes, many at a time, each bounded in length.

const LF = 0x0a;
const BYTE_ORDER_MARK: Buffer = Buffer.from([0xef, 0xbb, 0xbf]);

/** Pieces of one line that are stored as they came. */
const MAX_PIECES = 1_000;

/** Whole lines, one after another; `undefined` stands for a line that was too long to keep. */
export type Block = Buffer | undefined;

/**
 * Cuts a stream into blocks of whole lines. Each step gives the lines that a chunk of the stream completed, so that a caller
 * can answer them before it waits for more. Of a line longer than `maxBytes` nothing is kept, and the next line is found all
 * the same. The last line may come without its line end. A byte order mark at the start is skipped: some programs put one
 * before whatever they write.
 *
 * @param onSkip - receives the number of bytes that are in no block: those of a line that is too long, before its `undefined`, and those of a
 *   byte order mark, before the first block.
 */
export async function* readBlocks(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onSkip: (bytes: number) => void = () => {},
): AsyncGenerator<Block> {
  let isFirst = true;
  for await (const block of cutBlocks(stream, maxBytes, onSkip)) {
    const hasMark = isFirst && block?.subarray(0, 3).equals(BYTE_ORDER_MARK) === true;
    if (hasMark) onSkip(BYTE_ORDER_MARK.length);
    yield hasMark ? block?.subarray(3) : block;
    isFirst = false;
  }
}

async function* cutBlocks(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onSkip: (bytes: number) => void,
): AsyncGenerator<Block> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk.buffer as ArrayBuffer, chunk.byteOffset, chunk.length);
    const end = bytes.lastIndexOf(LF) + 1;
    // A copy, made first: the lines before may be handed to another thread, together with their memory.
    const rest = Uint8Array.from(bytes.subarray(end));
    if (end > 0) {
      let start = 0;
      if (pendingBytes > 0) {
        // The line that began before. The others stay where they are.
        start = bytes.indexOf(LF) + 1;
        const isTooLong = pendingBytes + start - 1 > maxBytes;
        if (isTooLong) onSkip(pendingBytes + start);
        const line = isTooLong ? undefined : Buffer.concat([...pending, bytes.subarray(0, start)]);
        pending = [];
        pendingBytes = 0;
        yield line;
      }
      for (const piece of cutLongLines(bytes.subarray(start, end), maxBytes)) {
        if (typeof piece === 'number') onSkip(piece);
        yield typeof piece === 'number' ? undefined : piece;
      }
    }
    pendingBytes += rest.length;
    if (pendingBytes > maxBytes) pending = [];
    else if (rest.length > 0) pending.push(rest);
    // Each piece is an object: a line of 128 KiB may come byte by byte.
    if (pending.length >= MAX_PIECES) pending = [Buffer.concat(pending)];
  }
  if (pendingBytes > maxBytes) {
    onSkip(pendingBytes);
    yield undefined;
  } else if (pendingBytes > 0) yield Buffer.concat(pending);
}

/**
 * Cuts a block of whole lines at those that are too long, which are replaced by their number of bytes. The pieces are copies, because a block may
 * be handed to another thread before the next one is read.
 */
function cutLongLines(block: Buffer, maxBytes: number): (Buffer | number)[] {
  if (block.length <= maxBytes) return block.length === 0 ? [] : [block];
  const pieces: (Buffer | number)[] = [];
  let from = 0;
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf(LF, start) + 1;
    if (end - 1 - start > maxBytes) {
      if (start > from) pieces.push(Buffer.from(block.subarray(from, start)));
      pieces.push(end - start);
      from = end;
    }
    start = end;
  }
  if (from === 0) return [block];
  if (from < block.length) pieces.push(Buffer.from(block.subarray(from)));
  return pieces;
}

/** Iterates over the lines of a block, without line ends. */
export function* splitLines(block: Buffer): Generator<Buffer> {
  for (let start = 0; start < block.length; ) {
    const end = block.indexOf(LF, start);
    yield block.subarray(start, end < 0 ? block.length : end);
    start = end < 0 ? block.length : end + 1;
  }
}
