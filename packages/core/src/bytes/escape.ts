// Escaping of values as in Google's matcher. RFC 9309 section 2.2.2 requires more: see percent-encoding.ts.
import { isHexDigit, PERCENT } from './ascii.ts';
import { fromCharacterCodes, toByteString } from './byte-string.ts';

/**
 * Escapes the value in bytes `start` to `end`: encodes octets from 0x80 on as `%XX`, and converts the hex digits of an existing
 * `%xx` to upper case. The result is ASCII. Its length is the priority of a rule.
 */
export function escapeValue(bytes: Uint8Array, start: number, end: number): string {
  let at = start;
  while (at < end && (bytes[at] as number) < 0x80 && bytes[at] !== PERCENT) at++;
  if (at === end) return fromCharacterCodes(bytes.subarray(start, end));
  const escaped = new Uint8Array(3 * (end - start));
  let length = 0;
  for (at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x80) {
      escaped[length++] = PERCENT;
      escaped[length++] = toHexDigit(byte >> 4);
      escaped[length++] = toHexDigit(byte & 15);
    } else {
      escaped[length++] = byte;
      if (byte === PERCENT && at + 2 < end && isHexDigit(bytes[at + 1]) && isHexDigit(bytes[at + 2])) {
        escaped[length++] = toUpperCase(bytes[++at] as number);
        escaped[length++] = toUpperCase(bytes[++at] as number);
      }
    }
  }
  return toByteString(escaped, 0, length);
}

function toHexDigit(value: number): number {
  return value + (value < 10 ? 0x30 : 0x37);
}

function toUpperCase(digit: number): number {
  return digit >= 0x61 ? digit - 0x20 : digit;
}
