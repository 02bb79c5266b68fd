// The chunked transfer coding (RFC 9112 section 7.1).

const LF = 10;
const CR = 13;

/** Maximum length of a line with the size of a chunk, in bytes. */
const MAX_LINE_BYTES = 1024;

export interface DecodedChunks {
  readonly bytes: Buffer;
  /** Whether the last chunk is there. */
  readonly isComplete: boolean;
}

/**
 * Decodes a chunked body.
 *
 * @param maxBytes - the limit after which the rest is not read.
 * @returns `undefined` if the body does not begin with a chunk: some archives contain the decoded body, and the field of the coding.
 */
export function decodeChunks(body: Buffer, maxBytes: number): DecodedChunks | undefined {
  const chunks: Buffer[] = [];
  let length = 0;
  for (let at = 0; ; ) {
    const size = readSize(body, at);
    if (size === undefined && at === 0) return undefined;
    if (size === undefined) return { bytes: Buffer.concat(chunks, length), isComplete: false };
    if (size.value === 0 || length > maxBytes)
      return { bytes: Buffer.concat(chunks, length), isComplete: true };
    const chunk = body.subarray(size.end, size.end + size.value);
    chunks.push(chunk);
    length += chunk.length;
    at = size.end + size.value;
    if (body[at] === CR) at++;
    if (body[at] === LF) at++;
  }
}

/** Reads the line with the size of a chunk, and its extensions. */
function readSize(body: Buffer, at: number): { readonly value: number; readonly end: number } | undefined {
  const end = body.subarray(at, at + MAX_LINE_BYTES).indexOf(LF);
  if (end < 0) return undefined;
  const digits = /^([0-9a-f]{1,8})[\t ]*(?:;|\r?$)/i.exec(body.toString('latin1', at, at + end))?.[1];
  return digits === undefined ? undefined : { value: Number.parseInt(digits, 16), end: at + end + 1 };
}
