/**
 * Reading a response body: decompressed, and no more of it than counts.
 *
 * @module
 */
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Nobody nests encodings; a server that does wants to be decompressed for a long time. */
const MAX_ENCODINGS = 2;

/**
 * Reads at most `maxBytes` + 1 bytes of a body, after decompression, and drops the connection then: the byte too many
 * shows that the body was longer. A decompression bomb costs no more than its first `maxBytes`.
 *
 * @param encoding - the Content-Encoding header. Encodings that are not known are taken as none.
 * @throws if the body ends early, stalls, or is not what its encoding says.
 */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const names = (encoding ?? '').split(',').map((name) => name.trim().toLowerCase());
  // Encodings are listed in the order in which they were applied.
  const decoders = names.flatMap((name) => DECODERS[name] ?? []).reverse();
  if (decoders.length > MAX_ENCODINGS) throw new Error(`more than ${MAX_ENCODINGS} content encodings`);
  const stages = decoders.map((create) => create());
  // An error in any stage destroys the last one, from which it is thrown below; the callback has nothing to add.
  if (stages.length > 0) pipeline([body, ...stages], () => {});
  const stream: Readable = stages.at(-1) ?? body;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    const room = maxBytes + 1 - length;
    chunks.push(chunk.subarray(0, room));
    length += Math.min(chunk.length, room);
    if (length > maxBytes) break;
  }
  return Buffer.concat(chunks, length);
}
