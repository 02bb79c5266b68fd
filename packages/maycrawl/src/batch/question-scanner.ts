/**
 * Reads the usual form of a question from the bytes of its line: one JSON object of strings, numbers, booleans and lists of strings, in
 * which no field of a question occurs twice. The file, which is most of the line, is not read. All other lines are parsed by JSON.parse;
 * a property test compares both.
 *
 * @module
 */
import { findStringEnd } from './json-string.ts';
import { FIELDS, type Field, FORMER_NAMES, MAX_FIELD_CHARS, type Question } from './question.ts';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const BACKSLASH = 0x5c;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** A question in the usual form: its fields with their current names, and the position of its file. */
export class UsualQuestion implements Question {
  id: unknown = undefined;
  agent: unknown = undefined;
  agents: unknown = undefined;
  crawler: unknown = undefined;
  url: unknown = undefined;
  robotsUrl: unknown = undefined;
  profile: unknown = undefined;
  normalize: unknown = undefined;
  readonly purpose = undefined;
  /** The file is text, or base64. Its value is not read. */
  robots: '' | undefined = undefined;
  robotsBase64: '' | undefined = undefined;
  /** The JSON string of the file, between its quotes. */
  fileStart = 0;
  fileEnd = 0;
}

interface Name {
  readonly bytes: Uint8Array;
  readonly field: Field;
}

/** Names of fields, by their length. */
const NAMES: Name[][] = [];
for (const field of FIELDS) addName(field, field);
for (const [name, field] of Object.entries(FORMER_NAMES)) addName(name, field);

function addName(name: string, field: Field): void {
  NAMES[name.length] = [...(NAMES[name.length] ?? []), { bytes: Buffer.from(name), field }];
}

/** Scans a line in valid UTF-8. Returns `undefined` if it does not have the usual form. */
export function scanQuestion(line: Buffer): UsualQuestion | undefined {
  return new QuestionScanner(line).scan();
}

class QuestionScanner {
  readonly #line: Buffer;
  /** The position in the line; -1 after something unusual. */
  #at = 0;

  constructor(line: Buffer) {
    this.#line = line;
  }

  scan(): UsualQuestion | undefined {
    const question = new UsualQuestion();
    if (!this.#skip(OPENING_BRACE)) return undefined;
    do if (!this.#readField(question)) return undefined;
    while (this.#skip(COMMA));
    if (!this.#skip(CLOSING_BRACE)) return undefined;
    this.#skipSpaces();
    const { length } = this.#line;
    const isUsual =
      this.#at === length &&
      (question.robots === undefined) !== (question.robotsBase64 === undefined) &&
      length - (question.fileEnd - question.fileStart) <= MAX_FIELD_CHARS;
    return isUsual ? question : undefined;
  }

  /** Reads a name and its value. Returns `false` if they are unusual. */
  #readField(question: UsualQuestion): boolean {
    const line = this.#line;
    this.#skipSpaces();
    if (line[this.#at] !== QUOTE) return false;
    const nameStart = this.#at + 1;
    const nameEnd = this.#findPlainEnd(nameStart);
    // An escape could make it the name of a field.
    if (line[nameEnd] !== QUOTE) return false;
    this.#at = nameEnd + 1;
    if (!this.#skip(COLON)) return false;
    this.#skipSpaces();
    const field = findField(line, nameStart, nameEnd);
    // Preferences are read from the whole file, and another name may be a misspelled one.
    if (field === undefined || field === 'purpose' || question[field] !== undefined) return false;
    if (field === 'robots' || field === 'robotsBase64') {
      if (line[this.#at] !== QUOTE) return false;
      question[field] = '';
      question.fileStart = this.#at + 1;
      this.#skipString();
      question.fileEnd = this.#at - 1;
      return this.#at >= 0;
    }
    const value = this.#readValue();
    question[field] = value as never;
    return value !== undefined;
  }

  /** Reads a value; `undefined` if it is unusual. */
  #readValue(): unknown {
    const line = this.#line;
    const start = this.#at;
    if (line[start] === QUOTE) {
      const end = this.#findPlainEnd(start + 1);
      if (line[end] === QUOTE) {
        this.#at = end + 1;
        return line.toString('latin1', start + 1, end);
      }
      this.#skipString();
    } else if (line[start] === OPENING_BRACKET) this.#skipStringList();
    else while (isLiteral(line[this.#at])) this.#at++;
    if (this.#at < 0 || this.#at - start > MAX_FIELD_CHARS) return undefined;
    try {
      // `null` is unusual.
      return JSON.parse(line.toString('utf8', start, this.#at)) ?? undefined;
    } catch {
      // JSON.parse of the whole line describes the error.
      return undefined;
    }
  }

  #skipSpaces(): void {
    const line = this.#line;
    let at = this.#at;
    while (line[at] === 0x20 || line[at] === 0x09 || line[at] === 0x0d) at++;
    this.#at = at;
  }

  /** Skips white space and a character. Returns `false` if there is another one. */
  #skip(character: number): boolean {
    this.#skipSpaces();
    if (this.#line[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  /** Returns the position of the first character that is a quote, an escape, or not printable ASCII. */
  #findPlainEnd(from: number): number {
    const line = this.#line;
    let end = from;
    for (; end < line.length; end++) {
      const byte = line[end] as number;
      if (byte === QUOTE || byte === BACKSLASH || byte < 0x20 || byte > 0x7e) break;
    }
    return end;
  }

  #skipString(): void {
    const end = findStringEnd(this.#line, this.#at + 1);
    this.#at = end < 0 ? -1 : end + 1;
  }

  /** Skips a list without lists and objects in it. Its content can be wrong. */
  #skipStringList(): void {
    const line = this.#line;
    this.#at++;
    while (this.#at >= 0 && line[this.#at] !== CLOSING_BRACKET) {
      const byte = line[this.#at];
      if (byte === QUOTE) this.#skipString();
      else if (byte === undefined || byte === OPENING_BRACKET || byte === OPENING_BRACE) this.#at = -1;
      else this.#at++;
    }
    if (this.#at >= 0) this.#at++;
  }
}

function findField(line: Buffer, start: number, end: number): Field | undefined {
  for (const { bytes, field } of NAMES[end - start] ?? []) {
    let index = 0;
    while (index < bytes.length && line[start + index] === bytes[index]) index++;
    if (index === bytes.length) return field;
  }
  return undefined;
}

/** Whether a character occurs in numbers, `true` and `false`. */
function isLiteral(byte: number | undefined): boolean {
  if (byte === undefined || byte === COMMA) return false;
  const lower = byte | 0x20;
  return (byte >= 0x2b && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}
