/**
 * The field WARC-Payload-Digest: an algorithm, and a digest in base 32 or base 16 (ISO 28500 section 5.9).
 *
 * @module
 */
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
  return (padding < 0 ? value : value.slice(0, padding)).toUpperCase() === toBase32(digest);
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Encodes bytes in base 32 (RFC 4648 section 6), without padding. */
function toBase32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += DIGITS[(value >>> bits) & 31];
    }
  }
  return bits === 0 ? text : text + DIGITS[(value << (5 - bits)) & 31];
}
