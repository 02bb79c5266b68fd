// ASCII: the octets with a meaning in robots.txt, and character classes.

export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const HASH = 0x23;
export const DOLLAR = 0x24;
export const PERCENT = 0x25;
export const STAR = 0x2a;
const HYPHEN = 0x2d;
const DOT = 0x2e;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const QUESTION = 0x3f;
const UNDERSCORE = 0x5f;

/** ASCII white space as in C's `isspace()`: tab, LF, VT, FF, CR and space. A no-break space is content. */
export function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || (byte !== undefined && byte >= TAB && byte <= CR);
}

/** A character of a product token: a letter, `_` or `-` (RFC 9309 section 2.2.1). */
export function isTokenByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || byte === HYPHEN || byte === UNDERSCORE;
}

/**
 * A character of an extended token: a letter, digit, `_`, `-` or `.`. Google's matcher reads product tokens only; the crawlers
 * `MJ12bot` and `archive.org_bot` look for their whole name.
 */
export function isExtendedTokenByte(byte: number | undefined): boolean {
  return isTokenByte(byte) || byte === DOT || (byte !== undefined && byte >= 0x30 && byte <= 0x39);
}

/** A hexadecimal digit, upper or lower case. */
export function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}

/** An unreserved character: a letter, digit, `-`, `.`, `_` or `~` (RFC 3986 section 2.3). */
export function isUnreserved(byte: number): boolean {
  return isExtendedTokenByte(byte) || byte === 0x7e;
}

/** Percent-encodes one octet as `%XX`, with upper-case digits. */
export function percentEncode(byte: number): string {
  return `%${byte < 16 ? '0' : ''}${byte.toString(16).toUpperCase()}`;
}
