/**
 * Why a Content-Usage or Content-Signal line declares nothing.
 *
 * @module
 */
import { isSpace, STAR } from '../../bytes/ascii.ts';
import { toByteString } from '../../bytes/byte-string.ts';
import { ByteReader } from '../../preferences/byte-reader.ts';
import { readDictionary } from '../../preferences/dictionary.ts';
import { getColumn } from '../../syntax/record.ts';
import type { PreferenceLine } from './lines.ts';

const [COMMA, EQUALS] = [0x2c, 0x3d] as const;

/** A reason, and the place in the value where it is: in UTF-16 code units from 0. */
export interface SyntaxProblem {
  readonly reason: string;
  readonly offset: number;
}

/** Finds out why a line declares nothing. `undefined` if it declares something, or if only its labels or values are unknown. */
export function findSyntaxProblem(line: PreferenceLine): SyntaxProblem | undefined {
  const { format, declaration, keys, valueStart } = line;
  if (declaration.isClean && declaration.keys.length > 0) return undefined;
  const { bytes, start, end } = keys;
  const at = (offset: number, reason: string): SyntaxProblem => ({
    reason,
    offset: getColumn(bytes, valueStart, offset) - 1,
  });
  if (start === end) return at(start, 'it has no labels');
  if (format === 'content-usage') return explainDictionary(bytes, start, end, at);
  // Other members of a content signal count.
  return declaration.keys.length > 0
    ? undefined
    : at(start, 'no part of it has the form "label=yes" or "label=no"');
}

/** Explains why bytes are not a dictionary of structured fields (RFC 9651 section 4.2.2). */
function explainDictionary(
  bytes: Uint8Array,
  start: number,
  end: number,
  at: (offset: number, reason: string) => SyntaxProblem,
): SyntaxProblem {
  const reader = new ByteReader(bytes, start, end);
  readDictionary(reader);
  if (reader.isAtEnd) {
    let last = end - 1;
    while (last > start && isSpace(bytes[last])) last--;
    return at(last, bytes[last] === COMMA ? 'a comma is at its end' : 'it ends too early');
  }
  const char = toByteString(bytes, reader.at, reader.at + 1);
  const before = toByteString(bytes, Math.max(start, reader.at - 1), reader.at);
  const startsWithPath = bytes[start] === STAR && !bytes.subarray(start, reader.at).includes(EQUALS);
  if (startsWithPath || char === '/') return at(start, 'a path must start with "/"');
  if (/[A-Z]/.test(char)) return at(reader.at, `"${char}" is upper case, and labels are lower case`);
  if (char === '=' || (before === '=' && char === ' '))
    return at(reader.at, 'a space beside "=" is not allowed');
  if (char > '~') return at(reader.at, 'it contains a character outside ASCII');
  if (before === ' ' || before === '\t') return at(reader.at, `a comma is missing before "${char}"`);
  return at(reader.at, `"${char}" is not allowed here`);
}
