/**
 * Content codings of HTTP (RFC 9110 section 8.4.1): the one set of decoders.
 *
 * @module
 */
import { type Duplex, pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { readFirstChunk, readStart } from '../streams.ts';

/** The codings that requests accept: those with a decoder. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** How many codings a body may have, one around the other. */
const MAX_CODINGS = 2;

/**
 * Parses the Content-Encoding header.
 *
 * @returns the codings in the order in which they were applied, in lower case, without those that are not registered: some servers
 *   write other things there (a charset, say), and send the body as it is.
 */
export function parseContentEncoding(header: string | readonly string[] | undefined): readonly string[] {
  return [header ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => CODINGS.has(name) || UNSUPPORTED_CODINGS.has(name));
}

/**
 * Decodes a body.
 *
 * @param codings - from {@link parseContentEncoding}.
 * @returns a stream that fails if the body does, or is not what its codings say.
 * @throws if there are too many codings, or one without a decoder, or the body fails before its first byte.
 */
export async function decodeBody(body: Readable, codings: readonly string[]): Promise<Readable> {
  if (codings.length > MAX_CODINGS) throw new Error(`more than ${MAX_CODINGS} content codings`);
  const unsupported = codings.find((coding) => UNSUPPORTED_CODINGS.has(coding));
  // Read as it is, a compressed file would have no rules, and everything would be allowed.
  if (unsupported !== undefined) throw new Error(`the content coding ${unsupported} is not supported`);
  let stream = body;
  // The last one that was applied is the first to be taken off.
  for (const coding of [...codings].reverse()) {
    const first = await readFirstChunk(stream);
    // Nothing decodes to nothing, though no decoder takes it.
    if (first === undefined) return Readable.from([]);
    // An error in any stage destroys the last one, whose reader gets it. The callback has nothing to add.
    stream = pipeline(stream, createDecoder(coding, first), () => {});
  }
  return stream;
}

/**
 * Reads at most `maxBytes` + 1 bytes of a body, after decoding, and destroys the stream then: the byte too many shows that the
 * body was longer. A decompression bomb costs no more than its first `maxBytes`.
 *
 * @param codings - from {@link parseContentEncoding}.
 * @throws if the body ends early, stalls, or is not what its codings say.
 */
export async function readBody(
  body: Readable,
  codings: readonly string[],
  maxBytes: number,
): Promise<Uint8Array> {
  return readStart(await decodeBody(body, codings), maxBytes + 1);
}

const CODINGS: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'br', 'deflate']);
/** Codings without a decoder, which no request accepts (IANA HTTP Content Coding Registry). */
const UNSUPPORTED_CODINGS: ReadonlySet<string> = new Set([
  ...['aes128gcm', 'compress', 'dcb', 'dcz', 'exi', 'pack200-gzip', 'x-compress', 'zstd'],
]);

function createDecoder(coding: string, start: Uint8Array): Duplex {
  if (coding === 'br') return createBrotliDecompress();
  if (coding !== 'deflate') return createGunzip();
  // Many servers leave the zlib header away, which says 8 in its first four bits (RFC 1950, RFC 9110 section 8.4.1.2).
  return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}
