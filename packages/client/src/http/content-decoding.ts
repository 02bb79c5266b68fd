// Content codings of HTTP (RFC 9110 section 8.4.1): the one set of decoders.
import { type Duplex, PassThrough, pipeline, Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { readStart } from '@maycrawl/core/internal';
import { readFirstChunk } from '../streams.ts';

/** The codings that requests accept: those with a decoder. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** How many codings a body may have, one around the other. */
const MAX_CODINGS = 2;

/**
 * Returns the codings of a body.
 *
 * @returns the content codings in the order in which they were applied, in lower case, and then the transfer codings besides chunks; those
 *   without a decoder included, which all transfer codings are. Names are omitted that some servers write for a body that is not coded: `none`, `8bit`, a
 *   media type of text, a character encoding.
 */
export function getCodings(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): readonly string[] {
  const content = parseNames(headers['content-encoding']).filter(
    (name) => !UNCODED.has(name) && !isCharacterEncoding(name),
  );
  const transfer = parseNames(headers['transfer-encoding']).filter(
    (name) => name !== 'chunked' && name !== 'identity',
  );
  return [...content, ...transfer.map((name) => `transfer-encoding ${name}`)];
}

function parseNames(header: string | readonly string[] | undefined): readonly string[] {
  return [header ?? []]
    .flat()
    .flatMap((line) => line.split(','))
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}

/** Whether a name is a label of the Encoding Standard, such as `utf-8`, with `charset=` before it or not. */
function isCharacterEncoding(name: string): boolean {
  try {
    new TextDecoder(name.replace(/^charset=/, ''));
    return true;
  } catch {
    return false;
  }
}

/**
 * Decodes a body.
 *
 * @param codings - from `getCodings`.
 * @returns a stream that fails if the body does, or is not what its codings say.
 * @throws if there are too many codings, or one without a decoder, or the body fails before its first byte.
 */
export async function decodeBody(body: Readable, codings: readonly string[]): Promise<Readable> {
  if (codings.length > MAX_CODINGS) throw new Error(`more than ${MAX_CODINGS} content codings`);
  const unsupported = codings.find((coding) => !CODINGS.has(coding));
  // Read as it is, a compressed file would have no rules, and everything would be allowed.
  if (unsupported !== undefined) throw new Error(`the coding ${unsupported} is not supported`);
  let stream = body;
  // The last one that was applied is the first to be taken off.
  for (const coding of [...codings].reverse()) {
    const first = await readFirstChunk(stream);
    // Nothing decodes to nothing, though no decoder takes it.
    if (first === undefined) return Readable.from([]);
    stream = decode(stream, coding, first);
  }
  return stream;
}

/**
 * Reads at most `maxBytes` + 1 bytes of a body, after decoding, and destroys the stream then: the byte too many shows that the
 * body was longer. A decompression bomb costs no more than its first `maxBytes`.
 *
 * @param codings - from {@link getCodings}.
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
/** Names for a body that is not coded. */
const UNCODED: ReadonlySet<string> = new Set([
  ...['identity', 'none', 'binary', '7bit', '8bit', 'text', 'text/plain', 'text/html', 'text/xml'],
  // Object stores repeat it for what was uploaded in chunks.
  'aws-chunked',
]);

/** `bytesWritten` is the number of bytes that were decoded. */
type Decoder = Duplex & { readonly bytesWritten: number };

function decode(source: Readable, coding: string, start: Uint8Array): Readable {
  const decoder = createDecoder(coding, start);
  // An error in any stage destroys the last one, whose reader gets it. The callback has nothing to add.
  const ignoreResult = (): void => {};
  if (coding.endsWith('gzip')) return pipeline(source, decoder, ignoreResult);
  // Unlike gunzip, the other decoders ignore data after the end.
  let length = 0;
  const counter = new Transform({
    transform: (chunk: Uint8Array, _encoding, callback) => {
      length += chunk.length;
      callback(null, chunk);
    },
  });
  const checker = new PassThrough({
    flush: (callback) =>
      callback(length > decoder.bytesWritten ? new Error('data after the end of the encoded body') : null),
  });
  return pipeline(source, counter, decoder, checker, ignoreResult);
}

function createDecoder(coding: string, start: Uint8Array): Decoder {
  if (coding === 'br') return createBrotliDecompress();
  if (coding !== 'deflate') return createGunzip();
  // Many servers leave the zlib header away, which says 8 in its first four bits (RFC 1950, RFC 9110 section 8.4.1.2).
  return ((start[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
}
