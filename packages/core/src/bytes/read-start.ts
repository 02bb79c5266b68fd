// Reading streams of unknown length within a limit.

/** Reads at most `maxBytes` bytes from the start of a stream, and discards the rest. */
export async function readStart(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const missing = maxBytes - length;
    chunks.push(chunk.subarray(0, missing));
    length += Math.min(chunk.length, missing);
    if (length === maxBytes) break;
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
