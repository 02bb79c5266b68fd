/**
 * Reading a response body: decompressed, and no more of it than counts.
 *
 * @module
 */
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { readStart } from './read-start.ts';

/** How many encodings a body may have, one around the other. */
const MAX_ENCODINGS = 2;

/**
 * Reads at most `maxBytes` + 1 bytes of a body, after decompression, and drops the connection then: the byte too many
 * shows that the body was longer. A decompression bomb costs no more than its first `maxBytes`.
 *
 * @param encodings - the Content-Encoding header, its values in the order in which they were applied. Those that are not
 *   known are taken as none.
 * @throws if the body ends early, stalls, or is not what its encoding says.
 */
export async function readBody(
  body: Readable,
  encodings: readonly string[],
  maxBytes: number,
): Promise<Uint8Array> {
  const known = encodings.filter((name) => ENCODINGS.has(name));
  if (known.length > MAX_ENCODINGS) throw new Error(`more than ${MAX_ENCODINGS} content encodings`);
  let stream = body;
  // The last one that was applied is the first to be taken off.
  for (const encoding of known.reverse()) {
    const first = await firstChunk(stream);
    // Nothing decompresses to nothing, though no decoder takes it.
    if (first === undefined) return new Uint8Array(0);
    // An error in any stage destroys the last one, from which it is thrown below; the callback has nothing to add.
    stream = pipeline(stream, decoderFor(encoding, first), () => {});
  }
  return readStart(stream, maxBytes + 1);
}

/** Waits for the first bytes of a stream and leaves them there; `undefined` if it ends without any. */
export async function firstChunk(stream: Readable): Promise<Uint8Array | undefined> {
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

const ENCODINGS = new Set(['gzip', 'x-gzip', 'br', 'deflate']);

function decoderFor(encoding: string, start: Uint8Array): Duplex {
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding !== 'deflate') return createGunzip();
  // Many servers leave the zlib header away, which says 8 in its first four bits (RFC 1950, RFC 9110 section 8.4.1.2).
  return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}
