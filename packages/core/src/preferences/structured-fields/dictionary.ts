/**
 * Dictionaries of structured fields, parsed from bytes (RFC 9651 section 4.2.2). The time is linear in the length.
 *
 * @module
 */
import { quoteValue } from '../../bytes/check-options.ts';
import { parseBareItem, parseKey, type StructuredValue } from './bare-item.ts';
import { ByteReader } from './byte-reader.ts';

/** The parameters of a member or an item, in order. A later parameter replaces an earlier one of the same name. */
export type Parameters = ReadonlyMap<string, StructuredValue>;

/** An item of an inner list. */
export interface StructuredItem {
  readonly value: StructuredValue;
  readonly parameters: Parameters;
}

/** A member of a dictionary: an item, or an inner list if `value` is an array. */
export interface DictionaryMember {
  readonly value: StructuredValue | readonly StructuredItem[];
  readonly parameters: Parameters;
  /** Offset of the first byte of the key that is in force. */
  readonly start: number;
  /** Offset after its value and parameters. */
  readonly end: number;
}

const [TAB, SPACE, OPEN, CLOSE, COMMA, SEMICOLON, EQUALS] = [
  0x09, 0x20, 0x28, 0x29, 0x2c, 0x3b, 0x3d,
] as const;

/**
 * Parses bytes `start` to `end` as a dictionary. The last of several members with the same key is in force.
 *
 * @returns `null` if the bytes are not a dictionary. Empty bytes are an empty dictionary.
 * @throws {TypeError} if `bytes` is not a Uint8Array.
 */
export function parseDictionary(
  bytes: Uint8Array,
  start: number = 0,
  end: number = bytes.length,
): ReadonlyMap<string, DictionaryMember> | null {
  if (!(bytes instanceof Uint8Array)) throw new TypeError(`not a Uint8Array: ${quoteValue(bytes)}`);
  return readDictionary(new ByteReader(bytes, start, end));
}

/** Parses all bytes of a reader as a dictionary. If they are not one, the reader stays where the error is. */
export function readDictionary(reader: ByteReader): ReadonlyMap<string, DictionaryMember> | null {
  const members = new Map<string, DictionaryMember>();
  skipSpaces(reader);
  while (!reader.isAtEnd) {
    const at = reader.at;
    const key = parseKey(reader);
    if (key === null) return null;
    const member = parseMember(reader);
    if (member === null) return null;
    members.set(key, { ...member, start: at, end: reader.at });
    skipWhiteSpace(reader);
    if (reader.isAtEnd) return members;
    if (!reader.take(COMMA)) return null;
    skipWhiteSpace(reader);
    // A comma at the end is an error; spaces at the end are not.
    if (reader.isAtEnd) return null;
  }
  return members;
}

function parseMember(reader: ByteReader): Omit<DictionaryMember, 'start' | 'end'> | null {
  if (!reader.take(EQUALS)) {
    const parameters = parseParameters(reader);
    return parameters === null ? null : { value: { type: 'boolean', value: true }, parameters };
  }
  if (reader.take(OPEN)) {
    const value = parseInnerList(reader);
    const parameters = value === null ? null : parseParameters(reader);
    return value === null || parameters === null ? null : { value, parameters };
  }
  return parseItem(reader);
}

/** Parses the rest of an inner list, after its opening parenthesis. */
function parseInnerList(reader: ByteReader): StructuredItem[] | null {
  const items: StructuredItem[] = [];
  for (;;) {
    skipSpaces(reader);
    if (reader.take(CLOSE)) return items;
    const item = parseItem(reader);
    if (item === null) return null;
    if (reader.peek() !== SPACE && reader.peek() !== CLOSE) return null;
    items.push(item);
  }
}

function parseItem(reader: ByteReader): StructuredItem | null {
  const value = parseBareItem(reader);
  const parameters = value === null ? null : parseParameters(reader);
  return value === null || parameters === null ? null : { value, parameters };
}

function parseParameters(reader: ByteReader): Parameters | null {
  if (reader.peek() !== SEMICOLON) return new Map();
  const parameters = new Map<string, StructuredValue>();
  while (reader.take(SEMICOLON)) {
    skipSpaces(reader);
    const name = parseKey(reader);
    if (name === null) return null;
    const value: StructuredValue | null = reader.take(EQUALS)
      ? parseBareItem(reader)
      : { type: 'boolean', value: true };
    if (value === null) return null;
    parameters.set(name, value);
  }
  return parameters;
}

function skipSpaces(reader: ByteReader): void {
  while (reader.take(SPACE));
}

/** Skips optional white space, as RFC 9110 defines it. */
function skipWhiteSpace(reader: ByteReader): void {
  while (reader.take(SPACE) || reader.take(TAB));
}
