/**
 * Keys and bare items of structured fields (RFC 9651 sections 4.2.3.1 and 4.2.3.3 to 4.2.10).
 *
 * @module
 */
import { isHexDigit } from '../../bytes/ascii.ts';
import { toByteString } from '../../bytes/byte-string.ts';
import { decodeUtf8, isUtf8 } from '../../bytes/platform.ts';
import type { ByteReader } from './byte-reader.ts';

/** A value of a structured field. A date is in seconds since 1970. The value of a byte sequence is its base64 text. */
export type StructuredValue =
  | { readonly type: 'integer' | 'decimal' | 'date'; readonly value: number }
  | { readonly type: 'string' | 'token' | 'display-string' | 'bytes'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean };

const [QUOTE, PERCENT, STAR, MINUS, DOT, SLASH, COLON, EQUALS, QUESTION, AT, BACKSLASH, UNDERSCORE] = [
  ...([0x22, 0x25, 0x2a, 0x2d, 0x2e, 0x2f, 0x3a, 0x3d, 0x3f, 0x40, 0x5c, 0x5f] as const),
] as const;
const [ZERO, ONE] = [0x30, 0x31] as const;

/** Parses a key: a lower-case letter or `*`, then lower-case letters, digits, `_`, `-`, `.` and `*`. */
export function parseKey(reader: ByteReader): string | null {
  const start = reader.at;
  if (!isLowerCase(reader.peek()) && reader.peek() !== STAR) return null;
  reader.skip(isKeyByte);
  return toByteString(reader.bytes, start, reader.at);
}

/** Parses an item without its parameters. */
export function parseBareItem(reader: ByteReader): StructuredValue | null {
  const byte = reader.peek();
  if (byte === MINUS || isDigit(byte)) return parseNumber(reader);
  if (byte === QUOTE) return parseString(reader);
  if (byte === COLON) return parseByteSequence(reader);
  if (byte === QUESTION) return parseBoolean(reader);
  if (byte === AT) return parseDate(reader);
  if (byte === PERCENT) return parseDisplayString(reader);
  if (byte !== STAR && !isLetter(byte)) return null;
  const start = reader.at;
  reader.skip(isTokenByte);
  return { type: 'token', value: toByteString(reader.bytes, start, reader.at) };
}

const MAX_INTEGER_DIGITS = 15;
const MAX_WHOLE_DIGITS = 12;
const MAX_FRACTION_DIGITS = 3;

function parseNumber(reader: ByteReader): StructuredValue | null {
  const start = reader.at;
  reader.take(MINUS);
  const digits = reader.skip(isDigit);
  if (digits === 0 || digits > MAX_INTEGER_DIGITS) return null;
  const isDecimal = reader.take(DOT);
  if (isDecimal) {
    const fraction = reader.skip(isDigit);
    if (digits > MAX_WHOLE_DIGITS || fraction === 0 || fraction > MAX_FRACTION_DIGITS) return null;
  }
  const value = Number(toByteString(reader.bytes, start, reader.at));
  return { type: isDecimal ? 'decimal' : 'integer', value };
}

function parseDate(reader: ByteReader): StructuredValue | null {
  reader.take(AT);
  const number = parseNumber(reader);
  return number?.type === 'integer' ? { type: 'date', value: number.value } : null;
}

function parseString(reader: ByteReader): StructuredValue | null {
  reader.take(QUOTE);
  let value = '';
  for (let start = reader.at; ; ) {
    reader.skip((byte) => byte !== QUOTE && byte !== BACKSLASH && byte >= 0x20 && byte < 0x7f);
    value += toByteString(reader.bytes, start, reader.at);
    if (reader.take(QUOTE)) return { type: 'string', value };
    if (!reader.take(BACKSLASH)) return null;
    start = reader.at;
    if (!reader.take(QUOTE) && !reader.take(BACKSLASH)) return null;
  }
}

function parseBoolean(reader: ByteReader): StructuredValue | null {
  reader.take(QUESTION);
  if (reader.take(ONE)) return { type: 'boolean', value: true };
  return reader.take(ZERO) ? { type: 'boolean', value: false } : null;
}

/** Padding may be missing, and the unused bits need not be zero, as section 4.2.7 allows. */
function parseByteSequence(reader: ByteReader): StructuredValue | null {
  reader.take(COLON);
  const start = reader.at;
  const length = reader.skip(isBase64Byte);
  const padding = reader.skip((byte) => byte === EQUALS);
  const value = toByteString(reader.bytes, start, reader.at);
  const isPadded = padding === 0 || (padding <= 2 && (length + padding) % 4 === 0);
  return length % 4 !== 1 && isPadded && reader.take(COLON) ? { type: 'bytes', value } : null;
}

function parseDisplayString(reader: ByteReader): StructuredValue | null {
  reader.take(PERCENT);
  if (!reader.take(QUOTE)) return null;
  const octets: number[] = [];
  for (;;) {
    const byte = reader.peek();
    if (byte < 0x20 || byte >= 0x7f) return null;
    reader.at++;
    if (byte === QUOTE) break;
    if (byte !== PERCENT) octets.push(byte);
    else {
      const digits = reader.at;
      reader.at += 2;
      if (reader.at > reader.end || !isLowerCaseHex(reader, digits) || !isLowerCaseHex(reader, digits + 1))
        return null;
      octets.push(Number.parseInt(toByteString(reader.bytes, digits, reader.at), 16));
    }
  }
  const bytes = Uint8Array.from(octets);
  if (!isUtf8(bytes, 0, bytes.length)) return null;
  return { type: 'display-string', value: decodeUtf8(bytes, 0, bytes.length) };
}

function isLowerCaseHex({ bytes }: ByteReader, at: number): boolean {
  const byte = bytes[at] as number;
  return isHexDigit(byte) && !(byte >= 0x41 && byte <= 0x46);
}

function isLowerCase(byte: number): boolean {
  return byte >= 0x61 && byte <= 0x7a;
}

function isLetter(byte: number): boolean {
  return isLowerCase(byte) || (byte >= 0x41 && byte <= 0x5a);
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= 0x39;
}

function isKeyByte(byte: number): boolean {
  return isLowerCase(byte) || isDigit(byte) || [UNDERSCORE, MINUS, DOT, STAR].includes(byte as never);
}

/** The characters of a token of RFC 9110, `:` and `/`. */
const TOKEN_SYMBOLS: ReadonlySet<number> = new Set(
  [..."!#$%&'*+-.^_`|~:/"].map((symbol) => symbol.charCodeAt(0)),
);

function isTokenByte(byte: number): boolean {
  return isLetter(byte) || isDigit(byte) || TOKEN_SYMBOLS.has(byte);
}

function isBase64Byte(byte: number): boolean {
  return isLetter(byte) || isDigit(byte) || byte === 0x2b || byte === SLASH;
}
