/**
 * Decodes the file of a question in the usual form to bytes, without a JavaScript string of its text.
 *
 * @module
 */
import { JsonStringDecoder, MAX_STRING_BYTES } from './json-string.ts';
import type { UsualQuestion } from './question-scanner.ts';

/** Decodes files, one after another, to the same memory. */
export class FileDecoder {
  readonly #strings: JsonStringDecoder = new JsonStringDecoder();
  /** For files in base64. */
  readonly #bytes: Buffer = Buffer.allocUnsafeSlow(MAX_STRING_BYTES);

  /**
   * Decodes the file of a question.
   *
   * @returns the bytes, valid until the next call; `undefined` if JSON.parse must read the line: the file is too long, or not a valid
   *   string or base64.
   */
  decode(line: Buffer, { robots, fileStart, fileEnd }: UsualQuestion): Uint8Array | undefined {
    if (robots !== undefined) return this.#strings.decode(line, fileStart, fileEnd);
    const length = fileEnd - fileStart > MAX_STRING_BYTES ? -1 : this.#decodeBase64(line, fileStart, fileEnd);
    return length < 0 ? undefined : new Uint8Array(this.#bytes.buffer, 0, length);
  }

  /** Returns the number of bytes; -1 if it is not base64 with padding (RFC 4648, section 4). */
  #decodeBase64(line: Buffer, start: number, end: number): number {
    let contentEnd = end;
    while (contentEnd > end - 2 && line[contentEnd - 1] === PADDING) contentEnd--;
    const text = line.toString('latin1', start, contentEnd);
    // Node.js accepts these characters of base64url, and skips all others.
    if ((end - start) % 4 !== 0 || text.includes('-') || text.includes('_')) return -1;
    const length = this.#bytes.write(text, 0, 'base64');
    return length === Math.floor(((contentEnd - start) * 3) / 4) ? length : -1;
  }
}

const PADDING = 0x3d;
