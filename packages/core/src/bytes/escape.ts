/**
 * Escaping of values as in Google's matcher. RFC 9309 section 2.2.2 requires more: see percent-encoding.ts.
 *
 * @module
 */
import { isHexDigit, PERCENT, percentEncode } from './ascii.ts';

/**
 * Escapes the value in bytes `start` to `end`: encodes octets from 0x80 on as `%XX`, and converts the hex digits of an existing
 * `%xx` to upper case. The result is ASCII. Its length is the priority of a rule.
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

/** A line has at most 16,663 bytes, so they fit into the arguments of one call. */
function decodeAscii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode.apply(null, bytes.subarray(start, end) as unknown as number[]);
}
