/// <reference types="node" preserve="true" />
/**
 * `@maycrawl/client/internal`: reading streams of unknown length within a limit. It loads nothing else.
 *
 * @module
 */
import type { Readable } from 'node:stream';

/** Reads at most `maxBytes` bytes from the start of a stream, and discards the rest. */
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
