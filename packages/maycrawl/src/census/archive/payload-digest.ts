// The field WARC-Payload-Digest: an algorithm, and a digest in base 32 or base 16 (ISO 28500 section 5.9).
import { hash } from 'node:crypto';

/** The algorithms that are checked, and the lengths of their digests in bytes. */
const ALGORITHMS: ReadonlyMap<string, readonly [name: string, bytes: number]> = new Map([
  ['sha1', ['sha1', 20]],
  ['sha-1', ['sha1', 20]],
  ['sha256', ['sha256', 32]],
  ['sha-256', ['sha256', 32]],
  ['md5', ['md5', 16]],
]);

/** Checks whether bytes have a digest. Returns `undefined` if the field is invalid, or its algorithm is not supported. */
export function hasDigest(field: string, bytes: Buffer): boolean | undefined {
  const colon = field.indexOf(':');
  const [name, length] = ALGORITHMS.get(field.slice(0, colon).toLowerCase()) ?? [];
  if (name === undefined || length === undefined) return undefined;
  const value = field.slice(colon + 1).trim();
  const digest = hash(name, bytes, 'buffer');
  if (value.length === 2 * length) return value.toLowerCase() === digest.toString('hex');
  if (value.length < Math.ceil((length * 8) / 5)) return undefined;
  const padding = value.indexOf('=');
  return isBase32(padding < 0 ? value : value.slice(0, padding), digest);
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Whether a text is bytes in base 32 (RFC 4648 section 6), without padding, in upper or lower case. */
function isBase32(text: string, bytes: Uint8Array): boolean {
  if (text.length !== Math.ceil((bytes.length * 8) / 5)) return false;
  const upperCase = text.toUpperCase();
  let bits = 0;
  let value = 0;
  for (let at = 0, next = 0; at < text.length; at++) {
    if (bits < 5) {
      // Zeros follow the last byte.
      value = ((value << 8) | (bytes[next++] ?? 0)) & 0xfff;
      bits += 8;
    }
    bits -= 5;
    if (upperCase.charCodeAt(at) !== DIGITS.charCodeAt((value >>> bits) & 31)) return false;
  }
  return true;
}
