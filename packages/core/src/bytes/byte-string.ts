// Byte strings: strings with one character (U+0000 to U+00FF) per byte. JavaScript engines store them with one byte per character
// and a small header. For a typical file of 500 bytes that takes a fifth less memory than a typed array, and it is immutable.
import { decodeUtf8, encodeUtf8 } from './platform.ts';

/** Number of arguments that every JavaScript engine accepts in one call. */
const CHUNK = 8192;

export function toByteString(bytes: Uint8Array, start: number, end: number): string {
  const decoded = decodeUtf8(bytes, start, end);
  // UTF-8 encodes a non-ASCII character in several bytes, and a lone byte above 0x7f is not valid UTF-8.
  if (decoded.length === end - start && !decoded.includes('\ufffd')) return decoded;
  return fromCharacterCodes(bytes.subarray(start, end));
}

/** Creates a string from character codes, such as bytes. */
export function fromCharacterCodes(codes: readonly number[] | Uint8Array): string {
  // Nearly all texts are short, and need no copy.
  if (codes.length <= CHUNK) return String.fromCharCode.apply(null, codes as number[]);
  let text = '';
  for (let at = 0; at < codes.length; at += CHUNK)
    text += String.fromCharCode.apply(null, codes.slice(at, at + CHUNK) as number[]);
  return text;
}

export function toBytes(byteString: string): Uint8Array {
  // The UTF-8 encoding has the same length only if the string is ASCII.
  const ascii = encodeUtf8(byteString);
  if (ascii.length === byteString.length) return ascii;
  const bytes = new Uint8Array(byteString.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = byteString.charCodeAt(i);
  return bytes;
}
