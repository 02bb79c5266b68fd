/**
 * Lines from a stream of bytes, each bounded in length.
 *
 * @module
 */

const LF = 0x0a;

/** A line without its line end; `undefined` if it was too long to keep. */
export type InputLine = Uint8Array | undefined;

/**
 * Splits a stream into lines. Each step gives the lines that a chunk of the stream completed, so that a caller can answer
 * them before it waits for more. Of a line longer than `maxBytes` nothing is kept, and the next line is found all the
 * same. A stream that ends with a line end has no further, empty line.
 */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<InputLine[]> {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  const complete = (end: Uint8Array): InputLine => {
    const length = pendingBytes + end.length;
    const line = pending.length === 0 ? end : Buffer.concat([...pending, end]);
    pending = [];
    pendingBytes = 0;
    return length > maxBytes ? undefined : line;
  };
  for await (const chunk of stream) {
    const lines: InputLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      lines.push(complete(chunk.subarray(start, end)));
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    pendingBytes += rest.length;
    if (pendingBytes > maxBytes) pending = [];
    else if (rest.length > 0) pending.push(rest);
    yield lines;
  }
  if (pendingBytes > 0) yield [complete(new Uint8Array(0))];
}
