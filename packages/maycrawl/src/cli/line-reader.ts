/**
 * Lines from a stream of bytes, each bounded in length.
 *
 * @module
 */

const LF = 0x0a;

/** A line without its line end; `text` is empty if the line was too long to keep. */
export interface InputLine {
  readonly text: string;
  readonly tooLong: boolean;
}

/**
 * Splits a stream into lines, decoded as UTF-8. Of a line longer than `maxBytes` nothing is kept; the next line is
 * found all the same. A stream that ends with a line end has no further, empty line.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<InputLine> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  const take = (): InputLine => {
    const tooLong = pendingBytes > maxBytes;
    const text = tooLong ? '' : Buffer.concat(pending, pendingBytes).toString('utf8');
    pending = [];
    pendingBytes = 0;
    return { text, tooLong };
  };
  const add = (part: Uint8Array): void => {
    pendingBytes += part.length;
    if (pendingBytes > maxBytes) pending = [];
    else pending.push(part);
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  }
  if (pendingBytes > 0) yield take();
}
