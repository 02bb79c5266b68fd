// Header fields of WARC records and HTTP responses, read without a string for each line. Lines may end with LF alone, and a line that
// begins with white space continues the one before (obs-fold, RFC 9112 section 5.2).

import { isUtf8 } from 'node:buffer';

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;
const COLON = 58;

/** The names of the fields that a reader needs. */
export class FieldNames<Name extends string> {
  /** The numbers and characters in lower case of the names, by length. */
  readonly #byLength: (readonly { readonly index: number; readonly codes: readonly number[] }[])[] = [];
  readonly names: readonly Name[];

  constructor(names: readonly Name[]) {
    this.names = names;
    for (const [index, name] of names.entries()) {
      const codes = Array.from(name, (character) => character.charCodeAt(0));
      this.#byLength[name.length] = [...(this.#byLength[name.length] ?? []), { index, codes }];
    }
  }

  /** Finds the number of a name in any case; -1 if the reader does not need it. */
  find(bytes: Uint8Array, start: number, end: number): number {
    const candidates = this.#byLength[end - start];
    if (candidates === undefined) return -1;
    for (const { index, codes } of candidates) {
      let at = 0;
      while (at < codes.length && toLowerCase(bytes[start + at] as number) === codes[at]) at++;
      if (at === codes.length) return index;
    }
    return -1;
  }
}

function toLowerCase(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

interface HeaderOptions {
  readonly isLast?: boolean;
  readonly stopsAt?: ((bytes: Buffer, at: number) => boolean) | undefined;
}

export class HeaderFields<Name extends string> {
  readonly #names: FieldNames<Name>;
  readonly #bytes: Buffer;
  /** Start and end of the values, by number of the name. */
  readonly #values: (number[] | undefined)[] = [];
  /** Where the header ends: after its empty line; -1 if the bytes have no empty line. */
  readonly end: number;
  /** Whether the header has its empty line. */
  isComplete = false;
  /** Where a line that belongs to no header ends this one; -1 without such a line. */
  stop = -1;

  /**
   * Reads the lines from `start` to an empty line.
   *
   * @param options - `isLast`: whether the end of the bytes ends the header, too; `stopsAt`: whether a line that begins at an offset
   *   belongs to no header.
   */
  constructor(
    names: FieldNames<Name>,
    bytes: Buffer,
    start: number,
    { isLast = false, stopsAt }: HeaderOptions = {},
  ) {
    this.#names = names;
    this.#bytes = bytes;
    this.end = this.#read(start, isLast, stopsAt);
  }

  #read(start: number, isLast: boolean, stopsAt: HeaderOptions['stopsAt']): number {
    const bytes = this.#bytes;
    let current: number[] | undefined;
    for (let at = start; at < bytes.length; ) {
      if (stopsAt?.(bytes, at)) {
        this.stop = at;
        return -1;
      }
      let colon = at;
      while (colon < bytes.length && bytes[colon] !== COLON && bytes[colon] !== LF) colon++;
      let end = colon;
      while (end < bytes.length && bytes[end] !== LF) end++;
      const next = end + 1;
      if (end === bytes.length && !isLast) return -1;
      if (end > at && bytes[end - 1] === CR) end--;
      if (end === at) {
        this.isComplete = true;
        return Math.min(next, bytes.length);
      }
      const first = bytes[at];
      if (first === SPACE || first === TAB) {
        if (current !== undefined) current[current.length - 1] = end;
      } else if (colon > at && colon < end) {
        current = this.#add(at, colon, end);
      } else current = undefined;
      at = next;
    }
    return isLast ? bytes.length : -1;
  }

  #add(nameStart: number, colon: number, end: number): number[] | undefined {
    const bytes = this.#bytes;
    let nameEnd = colon;
    while (isBlank(bytes[nameEnd - 1])) nameEnd--;
    const index = this.#names.find(bytes, nameStart, nameEnd);
    if (index < 0) return undefined;
    let values = this.#values[index];
    if (values === undefined) {
      values = [];
      this.#values[index] = values;
    }
    values.push(colon + 1, end);
    return values;
  }

  /** Returns the first value of a field; `undefined` if the header does not have it. */
  get(name: Name): string | undefined {
    const values = this.#values[this.#names.names.indexOf(name)];
    return values === undefined ? undefined : this.#decode(values[0] as number, values[1] as number);
  }

  /** Returns all values of a field. */
  getAll(name: Name): readonly string[] {
    const values = this.#values[this.#names.names.indexOf(name)] ?? [];
    return values.flatMap((start, index) =>
      index % 2 === 0 ? [this.#decode(start, values[index + 1] as number)] : [],
    );
  }

  #decode(start: number, end: number): string {
    const bytes = this.#bytes;
    let from = start;
    let to = end;
    while (from < to && isBlank(bytes[from])) from++;
    while (to > from && isBlank(bytes[to - 1])) to--;
    // Some servers and archives write UTF-8, which browsers read in a Location.
    const text = bytes.toString(isUtf8(bytes.subarray(from, to)) ? 'utf8' : 'latin1', from, to);
    return text.includes('\n') ? text.replaceAll(/\r?\n[\t ]+/g, ' ').trim() : text;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB;
}
