// The structured fields of HTTP that signatures use: dictionaries of items and inner lists (RFC 9651). Each value has its serialized
// form, which is a part of what is signed. Display strings are not read: no field of a signature has one.

/** A value without parameters. */
export interface BareItem {
  readonly kind: 'string' | 'token' | 'integer' | 'decimal' | 'bytes' | 'boolean' | 'date';
  /** Strings are unescaped. */
  readonly value: string | number | boolean | Uint8Array;
  /** As RFC 9651 section 4.1 serializes it. */
  readonly text: string;
}

/** Parameters, in their order. */
type Parameters = ReadonlyMap<string, BareItem>;

/** A value with parameters. */
export interface Item {
  readonly bare: BareItem;
  readonly parameters: Parameters;
}

/** A list of items with parameters. */
export interface InnerList {
  readonly items: readonly Item[];
  readonly parameters: Parameters;
}

/** The members of a dictionary by their keys. */
export type Dictionary = ReadonlyMap<string, Item | InnerList>;

/** Longer fields are not read. */
const MAX_LENGTH = 65_536;
const MAX_MEMBERS = 256;

// Each pattern has one way to match, so that matching is linear.
const OWS = /[ \t]*/y;
const SPACES = / */y;
const KEY = /[a-z*][a-z0-9_.*-]*/y;
const STRING = /"(?:[ !#-[\]-~]|\\["\\])*"/y;
const TOKEN = /[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*/y;
const NUMBER = /-?\d{1,15}(?:\.\d{1,3})?(?![\d.])/y;
const BYTES = /:[A-Za-z0-9+/]*={0,2}:/y;
const BOOLEAN = /\?[01]/y;

class InvalidFieldError extends Error {}

class Scanner {
  readonly #text: string;
  #index = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#index >= this.#text.length;
  }

  /** Reads what a sticky pattern matches here. */
  take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#index;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#index += found.length;
    return found;
  }

  /** Reads one character if it is here. */
  skip(character: string): boolean {
    if (this.#text[this.#index] !== character) return false;
    this.#index++;
    return true;
  }
}

/** Parses a dictionary. Of members with the same key the last value counts. @returns `undefined` if the text is not valid. */
export function parseDictionary(text: string): Dictionary | undefined {
  return parse(text, (scanner) => {
    const members = new Map<string, Item | InnerList>();
    while (!scanner.isAtEnd) {
      const key = require(scanner.take(KEY));
      // A later member of the same key replaces the value, at the same position (section 4.2.2).
      members.set(
        key,
        scanner.skip('=') ? readMember(scanner) : { bare: TRUE, parameters: readParameters(scanner) },
      );
      if (members.size > MAX_MEMBERS) throw new InvalidFieldError();
      scanner.take(OWS);
      if (scanner.isAtEnd) break;
      if (!scanner.skip(',')) throw new InvalidFieldError();
      scanner.take(OWS);
      if (scanner.isAtEnd) throw new InvalidFieldError();
    }
    return members;
  });
}

/** Parses one item. @returns `undefined` if the text is not valid. */
export function parseItem(text: string): Item | undefined {
  return parse(text, readItem);
}

/** Creates a string. @throws {RangeError} if a character is not visible ASCII or a space. */
export function createString(value: string): BareItem {
  if (!/^[ -~]*$/.test(value))
    throw new RangeError('a string of a structured field has only ASCII characters');
  return { kind: 'string', value, text: `"${value.replace(/["\\]/g, '\\$&')}"` };
}

/** Creates an integer. @param value - a whole number of at most 15 digits. */
export function createInteger(value: number): BareItem {
  return { kind: 'integer', value, text: String(value) };
}

/** Creates a sequence of bytes. */
export function createBytes(value: Uint8Array): BareItem {
  return { kind: 'bytes', value, text: `:${Buffer.from(value).toString('base64')}:` };
}

/** Checks whether a member is an inner list. */
export function isInnerList(member: Item | InnerList): member is InnerList {
  return 'items' in member;
}

/** Serializes an item. */
export function serializeItem({ bare, parameters }: Item): string {
  return bare.text + serializeParameters(parameters);
}

/** Serializes an inner list. */
export function serializeInnerList({ items, parameters }: InnerList): string {
  return `(${items.map(serializeItem).join(' ')})${serializeParameters(parameters)}`;
}

function serializeParameters(parameters: Parameters): string {
  return [...parameters]
    .map(([key, { kind, value, text }]) =>
      kind === 'boolean' && value === true ? `;${key}` : `;${key}=${text}`,
    )
    .join('');
}

const TRUE: BareItem = { kind: 'boolean', value: true, text: '?1' };

function parse<T>(text: string, read: (scanner: Scanner) => T): T | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    const scanner = new Scanner(text.replace(/^ +/, '').trimEnd());
    const value = read(scanner);
    return scanner.isAtEnd ? value : undefined;
  } catch (error) {
    if (error instanceof InvalidFieldError) return undefined;
    throw error;
  }
}

function require(found: string | undefined): string {
  if (found === undefined) throw new InvalidFieldError();
  return found;
}

function readMember(scanner: Scanner): Item | InnerList {
  return scanner.skip('(') ? readInnerList(scanner) : readItem(scanner);
}

function readInnerList(scanner: Scanner): InnerList {
  const items: Item[] = [];
  for (;;) {
    const isSeparated = scanner.take(SPACES) !== '' || items.length === 0;
    if (scanner.skip(')')) return { items, parameters: readParameters(scanner) };
    if (!isSeparated || items.length >= MAX_MEMBERS) throw new InvalidFieldError();
    items.push(readItem(scanner));
  }
}

function readItem(scanner: Scanner): Item {
  return { bare: readBareItem(scanner), parameters: readParameters(scanner) };
}

function readParameters(scanner: Scanner): Parameters {
  const parameters = new Map<string, BareItem>();
  while (scanner.skip(';')) {
    scanner.take(SPACES);
    const key = require(scanner.take(KEY));
    parameters.set(key, scanner.skip('=') ? readBareItem(scanner) : TRUE);
    if (parameters.size > MAX_MEMBERS) throw new InvalidFieldError();
  }
  return parameters;
}

function readBareItem(scanner: Scanner): BareItem {
  const string = scanner.take(STRING);
  if (string !== undefined)
    return { kind: 'string', value: string.slice(1, -1).replace(/\\(.)/g, '$1'), text: string };
  const token = scanner.take(TOKEN);
  if (token !== undefined) return { kind: 'token', value: token, text: token };
  const bytes = scanner.take(BYTES);
  if (bytes !== undefined) return readBytes(bytes);
  const boolean = scanner.take(BOOLEAN);
  if (boolean !== undefined) return { kind: 'boolean', value: boolean === '?1', text: boolean };
  if (!scanner.skip('@')) return readNumber(scanner);
  const date = readNumber(scanner);
  if (date.kind !== 'integer') throw new InvalidFieldError();
  return { ...date, kind: 'date', text: `@${date.text}` };
}

function readBytes(written: string): BareItem {
  return createBytes(Buffer.from(written.slice(1, -1), 'base64'));
}

function readNumber(scanner: Scanner): BareItem {
  const written = require(scanner.take(NUMBER));
  const [whole = '', fraction] = written.split('.');
  const value = Number(written);
  if (fraction === undefined) return { kind: 'integer', value, text: String(value === 0 ? 0 : value) };
  if (whole.replace('-', '').length > 12) throw new InvalidFieldError();
  const shortest = String(Number(`0.${fraction}`)).slice(2) || '0';
  return {
    kind: 'decimal',
    value,
    text: `${String(Number(whole)).replace(/^0$/, written.startsWith('-') ? '-0' : '0')}.${shortest}`,
  };
}
