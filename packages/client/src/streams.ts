// The first chunk of a stream, for formats that are recognised by their first bytes.
import type { Readable } from 'node:stream';

/** Waits for the first chunk of a stream and leaves it in the stream. Returns `undefined` if the stream ends without one. */
export async function readFirstChunk(stream: Readable): Promise<Uint8Array | undefined> {
  for (;;) {
    const chunk = stream.read() as Uint8Array | null;
    if (chunk !== null && chunk.length > 0) {
      stream.unshift(chunk);
      return chunk;
    }
    if (stream.readableEnded) return undefined;
    const isOver = await new Promise<boolean>((resolve, reject) => {
      stream
        .once('readable', () => resolve(false))
        .once('end', () => resolve(true))
        .once('error', reject);
    });
    if (isOver) return undefined;
  }
}
