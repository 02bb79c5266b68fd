/**
 * The octets that robots.txt gives a meaning, and the classes of ASCII that its readers need.
 *
 * @module
 */

export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const HASH = 0x23;
export const DOLLAR = 0x24;
export const PERCENT = 0x25;
export const STAR = 0x2a;
export const HYPHEN = 0x2d;
const DOT = 0x2e;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const QUESTION = 0x3f;
const UNDERSCORE = 0x5f;

/** ASCII white space as C's isspace() has it: tab, LF, VT, FF, CR and space. A no-break space is content. */
export function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || (byte !== undefined && byte >= TAB && byte <= CR);
}

/** A letter, `_` or `-`: what a product token is made of (RFC 9309 section 2.2.1). */
export function isTokenByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || byte === HYPHEN || byte === UNDERSCORE;
}

/**
 * A letter, digit, `_`, `-` or `.`: what an extended token is made of. Google's matcher does not read such names; operators
 * of `MJ12bot` or `archive.org_bot` do.
 */
export function isExtendedTokenByte(byte: number | undefined): boolean {
  return isTokenByte(byte) || byte === DOT || (byte !== undefined && byte >= 0x30 && byte <= 0x39);
}

/** A hexadecimal digit in either case. */
export function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}

/** RFC 3986 section 2.3: letters, digits, `-`, `.`, `_` and `~`. */
export function isUnreserved(byte: number): boolean {
  return isExtendedTokenByte(byte) || byte === 0x7e;
}

/** `%XX` of one octet, with upper-case digits. */
export function percentEncode(byte: number): string {
  return `%${byte < 16 ? '0' : ''}${byte.toString(16).toUpperCase()}`;
}
