/**
 * Bytes as a string of one character (U+0000 to U+00FF) for each byte. Engines keep such a string in one byte a
 * character and a small header: for a file of the usual half a kilobyte that is a fifth less memory than a typed
 * array, and nobody can change it afterwards.
 *
 * @module
 */
import { decodeUtf8, encodeUtf8 } from './platform.ts';

/** As many arguments as every engine takes in one call. */
const CHUNK = 8192;

/** The byte string of bytes `start` to `end`. */
export function toByteString(bytes: Uint8Array, start: number, end: number): string {
  const decoded = decodeUtf8(bytes, start, end);
  // Beyond ASCII a character takes several bytes, or its single byte is no UTF-8.
  if (decoded.length === end - start && !decoded.includes('\ufffd')) return decoded;
  let text = '';
  for (let at = start; at < end; at += CHUNK) {
    text += String.fromCharCode.apply(
      null,
      bytes.subarray(at, Math.min(at + CHUNK, end)) as unknown as number[],
    );
  }
  return text;
}

/** The bytes of a byte string. */
export function toBytes(byteString: string): Uint8Array {
  // The UTF-8 of ASCII is itself, and longer than the string otherwise.
  const ascii = encodeUtf8(byteString);
  if (ascii.length === byteString.length) return ascii;
  const bytes = new Uint8Array(byteString.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = byteString.charCodeAt(i);
  return bytes;
}

/** Whether a string is ASCII: then it is the byte string of its UTF-8. */
export function isAsciiString(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return false;
  return true;
}
