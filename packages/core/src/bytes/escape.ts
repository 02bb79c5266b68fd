/**
 * Escaping of values as Google's matcher does it (RFC 9309 section 2.2.2 asks for more: percent-encoding.ts).
 *
 * @module
 */
import { isHexDigit, PERCENT, percentEncode } from './ascii.ts';

/**
 * The value in bytes `start` to `end`, escaped: octets from 0x80 on as `%XX`, hex digits of an existing `%xx` in
 * upper case, everything else as it is. The result is ASCII. The length of a rule's is its priority.
 */
export function escapeValue(bytes: Uint8Array, start: number, end: number): string {
  let escaped = '';
  let copied = start;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x80) {
      escaped += decodeAscii(bytes, copied, at) + percentEncode(byte);
      copied = at + 1;
    } else if (byte === PERCENT && at + 2 < end && isHexDigit(bytes[at + 1]) && isHexDigit(bytes[at + 2])) {
      escaped += decodeAscii(bytes, copied, at) + decodeAscii(bytes, at, at + 3).toUpperCase();
      at += 2;
      copied = at + 1;
    }
  }
  return escaped + decodeAscii(bytes, copied, end);
}

/** A line has at most 16,663 bytes, so one call can take all of them as arguments. */
function decodeAscii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode.apply(null, bytes.subarray(start, end) as unknown as number[]);
}
