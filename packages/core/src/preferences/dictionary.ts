// Recognition of dictionaries of structured fields (RFC 9651, section 4.2.2): whether a text is one, and its tokens. Other values are
// checked, but not read, because no draft gives them a meaning. The time is linear in the length.
import { isSpace, STAR } from '../bytes/ascii.ts';
import { toByteString } from '../bytes/byte-string.ts';

export interface DictionaryMember {
  /** `null` if the value is not a token. */
  readonly token: string | null;
  /** Offset of the first byte of the key that is in force. */
  readonly start: number;
  /** Offset after its value and parameters. */
  readonly end: number;
}

/**
 * Parses bytes `start` to `end` as a dictionary. The last of several members with the same key is in force.
 *
 * @returns its members by their keys; `null` if the bytes are not a dictionary. Empty bytes are an empty dictionary.
 */
export function parseDictionary(
  bytes: Uint8Array,
  start: number,
  end: number,
): ReadonlyMap<string, DictionaryMember> | null {
  return new DictionaryReader(bytes, start, end).read();
}

/** A reason as a clause, and the byte that it is about. */
interface DictionaryProblem {
  readonly reason: string;
  readonly at: number;
}

/** Explains why bytes `start` to `end` are not a dictionary. */
export function explainDictionary(bytes: Uint8Array, start: number, end: number): DictionaryProblem {
  const problem = (at: number, reason: string): DictionaryProblem => ({ reason, at });
  const reader = new DictionaryReader(bytes, start, end);
  reader.read();
  const at = start + reader.at;
  if (at >= end) {
    let last = end - 1;
    while (last > start && isSpace(bytes[last])) last--;
    const isComma = toByteString(bytes, last, last + 1) === ',';
    return problem(last, isComma ? 'a comma is at its end' : 'it ends too early');
  }
  const char = toByteString(bytes, at, at + 1);
  const before = toByteString(bytes, Math.max(start, at - 1), at);
  const startsWithPath = bytes[start] === STAR && !toByteString(bytes, start, at).includes('=');
  if (startsWithPath || char === '/') return problem(start, 'a path must start with "/"');
  if (/[A-Z]/.test(char)) return problem(at, `"${char}" is upper case, and labels are lower case`);
  if (char === '=' || (before === '=' && char === ' '))
    return problem(at, 'a space beside "=" is not allowed');
  if (char > '~') return problem(at, 'it contains a character outside ASCII');
  if (before === ' ' || before === '\t') return problem(at, `a comma is missing before "${char}"`);
  return problem(at, `"${char}" is not allowed here`);
}

const KEY = /[a-z*][a-z\d_.*-]*/y;
const TOKEN = /[A-Za-z*][\w!#$%&'*+.^`|~:/-]*/y;
const INTEGER = /-?(\d*)/y;
const FRACTION = /\.(\d*)/y;
/** Captures a backslash that escapes neither a quote nor a backslash. */
const STRING = /"(?:[ !#-[\]-~]|\\["\\])*(\\?)/y;
/** Padding may be missing, and the unused bits need not be zero, as section 4.2.7 allows. */
const BYTE_SEQUENCE = /:([A-Za-z\d+/]*)(=*)/y;
const DISPLAY_STRING = /(?:[ !#$&-~]|%[\da-f]{2})*/y;
const SPACES = / */y;
/** Optional white space, as RFC 9110 defines it. */
const WHITE_SPACE = /[ \t]*/y;

const MAX_INTEGER_DIGITS = 15;
const MAX_WHOLE_DIGITS = 12;
const MAX_FRACTION_DIGITS = 3;

/** Reads one dictionary. If the text is not one, the reader stays where the error is. */
class DictionaryReader {
  at = 0;
  readonly #text: string;
  readonly #start: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#text = toByteString(bytes, start, end);
    this.#start = start;
  }

  read(): ReadonlyMap<string, DictionaryMember> | null {
    const members = new Map<string, DictionaryMember>();
    this.#match(SPACES);
    while (this.at < this.#text.length) {
      const start = this.#start + this.at;
      const [key] = this.#match(KEY) ?? [];
      if (key === undefined) return null;
      const token = this.#readMember();
      if (token === undefined) return null;
      members.set(key, { token, start, end: this.#start + this.at });
      this.#match(WHITE_SPACE);
      if (this.at === this.#text.length) return members;
      if (!this.#take(',')) return null;
      this.#match(WHITE_SPACE);
      // A comma at the end is an error; spaces at the end are not.
      if (this.at === this.#text.length) return null;
    }
    return members;
  }

  /** Returns the token of a member; `null` for another value, and `undefined` if it is invalid. */
  #readMember(): string | null | undefined {
    if (!this.#take('=')) return this.#hasParameters() ? null : undefined;
    if (this.#take('(')) return this.#isInnerList() && this.#hasParameters() ? null : undefined;
    return this.#readItem();
  }

  /** Reads an item with its parameters, as {@link #readMember} does. */
  #readItem(): string | null | undefined {
    const [token] = this.#match(TOKEN) ?? [null];
    return (token !== null || this.#isBareItem()) && this.#hasParameters() ? token : undefined;
  }

  /** Recognises the rest of an inner list, after its opening parenthesis. */
  #isInnerList(): boolean {
    for (;;) {
      this.#match(SPACES);
      if (this.#take(')')) return true;
      if (this.#readItem() === undefined) return false;
      if (this.#peek() !== ' ' && this.#peek() !== ')') return false;
    }
  }

  #hasParameters(): boolean {
    while (this.#take(';')) {
      this.#match(SPACES);
      if (this.#match(KEY) === null) return false;
      if (this.#take('=') && this.#match(TOKEN) === null && !this.#isBareItem()) return false;
    }
    return true;
  }

  /** Recognises an item that is not a token, without its parameters (sections 4.2.4 to 4.2.10). */
  #isBareItem(): boolean {
    switch (this.#peek()) {
      case '"':
        return this.#match(STRING)?.[1] === '' && this.#take('"');
      case ':':
        return this.#isByteSequence();
      case '?':
        this.at++;
        return this.#take('0') || this.#take('1');
      case '@':
        this.at++;
        return this.#isNumber(false);
      case '%':
        this.at++;
        return this.#isDisplayString();
      default:
        return /[\d-]/.test(this.#peek()) && this.#isNumber(true);
    }
  }

  #isNumber(canBeDecimal: boolean): boolean {
    const digits = this.#match(INTEGER)?.[1]?.length ?? 0;
    if (digits === 0 || digits > MAX_INTEGER_DIGITS) return false;
    const fraction = this.#match(FRACTION)?.[1]?.length;
    if (fraction === undefined) return true;
    return canBeDecimal && digits <= MAX_WHOLE_DIGITS && fraction > 0 && fraction <= MAX_FRACTION_DIGITS;
  }

  #isByteSequence(): boolean {
    const [, content = '', equals = ''] = this.#match(BYTE_SEQUENCE) ?? [];
    const [length, padding] = [content.length, equals.length];
    const isPadded = padding === 0 || (padding <= 2 && (length + padding) % 4 === 0);
    return length % 4 !== 1 && isPadded && this.#take(':');
  }

  /** Recognises the rest of a display string, whose escaped bytes are UTF-8. */
  #isDisplayString(): boolean {
    if (!this.#take('"')) return false;
    const [content = ''] = this.#match(DISPLAY_STRING) ?? [];
    // An error in an escape is reported after it.
    if (this.#peek() === '%') this.at += '%XX'.length;
    else if (this.#take('"')) return isUtf8Escaped(content);
    return false;
  }

  /** Returns the next character; empty at the end. */
  #peek(): string {
    return this.#text.charAt(this.at);
  }

  #take(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.at++;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text);
    if (match !== null) this.at = pattern.lastIndex;
    return match;
  }
}

function isUtf8Escaped(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
