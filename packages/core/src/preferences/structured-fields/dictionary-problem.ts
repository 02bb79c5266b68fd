/**
 * Why bytes are not a dictionary of structured fields (RFC 9651, section 4.2.2).
 *
 * @module
 */
import { isSpace, STAR } from '../../bytes/ascii.ts';
import { toByteString } from '../../bytes/byte-string.ts';
import { ByteReader } from './byte-reader.ts';
import { readDictionary } from './dictionary.ts';

const [COMMA, EQUALS] = [0x2c, 0x3d] as const;

/** A reason as a clause, and the byte that it is about. */
export interface DictionaryProblem {
  readonly reason: string;
  readonly at: number;
}

/** Explains why bytes `start` to `end` are not a dictionary. */
export function explainDictionary(bytes: Uint8Array, start: number, end: number): DictionaryProblem {
  const problem = (at: number, reason: string): DictionaryProblem => ({ reason, at });
  const reader = new ByteReader(bytes, start, end);
  readDictionary(reader);
  if (reader.isAtEnd) {
    let last = end - 1;
    while (last > start && isSpace(bytes[last])) last--;
    return problem(last, bytes[last] === COMMA ? 'a comma is at its end' : 'it ends too early');
  }
  const char = toByteString(bytes, reader.at, reader.at + 1);
  const before = toByteString(bytes, Math.max(start, reader.at - 1), reader.at);
  const startsWithPath = bytes[start] === STAR && !bytes.subarray(start, reader.at).includes(EQUALS);
  if (startsWithPath || char === '/') return problem(start, 'a path must start with "/"');
  if (/[A-Z]/.test(char)) return problem(reader.at, `"${char}" is upper case, and labels are lower case`);
  if (char === '=' || (before === '=' && char === ' '))
    return problem(reader.at, 'a space beside "=" is not allowed');
  if (char > '~') return problem(reader.at, 'it contains a character outside ASCII');
  if (before === ' ' || before === '\t') return problem(reader.at, `a comma is missing before "${char}"`);
  return problem(reader.at, `"${char}" is not allowed here`);
}
