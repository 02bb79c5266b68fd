/**
 * The comparison form of RFC 9309 section 2.2.2, used by profiles that compare `decoded`.
 *
 * Percent-encoded unreserved characters are decoded; all other octets are compared encoded, so that `:` and `%3A` or
 * `*` in a URL and `%2A` in a pattern are the same. `/` and `?` delimit, and RFC 3986 section 2.2 tells a delimiter
 * from its encoded form: `/a%2Fb` is not `/a/b`. Inside a query they delimit nothing, and both forms are the same, as
 * the RFC's own example `?baz=https%3A%2F%2Ffoo.bar` has it.
 *
 * @module
 */
import { DOLLAR, isHexDigit, isTokenByte, PERCENT, percentEncode, QUESTION, SLASH, STAR } from './ascii.ts';
import { encodeUtf8 } from './platform.ts';

/** A path with its query (or a pattern, whose `*` and final `$` stay special) in comparison form. */
export function comparisonForm(text: string, isPattern: boolean): string {
  const bytes = encodeUtf8(text);
  let form = '';
  let inQuery = false;
  for (let at = 0; at < bytes.length; at++) {
    let byte = bytes[at] as number;
    const encoded = byte === PERCENT && isHexDigit(bytes[at + 1]) && isHexDigit(bytes[at + 2]);
    if (encoded) {
      byte = Number.parseInt(String.fromCharCode(bytes[at + 1] as number, bytes[at + 2] as number), 16);
      at += 2;
    }
    const delimiter = byte === SLASH || byte === QUESTION;
    const special = isPattern && (byte === STAR || (byte === DOLLAR && at === bytes.length - 1));
    const plain =
      isUnreserved(byte) ||
      (delimiter && (inQuery || !encoded)) ||
      (!encoded && (special || byte === PERCENT));
    form += plain ? String.fromCharCode(byte) : percentEncode(byte);
    if (byte === QUESTION && !encoded) inQuery = true;
  }
  return form;
}

/** RFC 3986 section 2.3: letters, digits, `-`, `.`, `_` and `~`. */
function isUnreserved(byte: number): boolean {
  return isTokenByte(byte) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2e || byte === 0x7e;
}
