/**
 * Reading a stream only as far as it counts.
 *
 * @module
 */

/** At most `maxBytes` bytes from the start of a stream, which is dropped then. */
export async function readStart(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(chunks, Math.min(length, maxBytes));
}
