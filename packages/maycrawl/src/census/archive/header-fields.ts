// Header fields of WARC records and HTTP responses: only the values that a reader needs are decoded. Lines may end with LF alone, and a line
// that begins with white space continues the one before (obs-fold, RFC 9112 section 5.2).

import { isUtf8 } from 'node:buffer';

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;
const COLON = 58;

interface HeaderOptions {
  readonly isLast?: boolean;
  readonly stopsAt?: ((bytes: Buffer, at: number) => boolean) | undefined;
}

/** Where a value is. */
interface Place {
  readonly start: number;
  end: number;
}

export class HeaderFields<Name extends string> {
  readonly #bytes: Buffer;
  /** The places of the values, by name. */
  readonly #places: Map<string, Place[]> = new Map();
  /** Where the header ends: after its empty line; -1 if the bytes have no empty line. */
  readonly end: number;
  /** Whether the header has its empty line. */
  isComplete = false;
  /** Where a line that belongs to no header ends this one; -1 without such a line. */
  stop = -1;

  /**
   * Reads the lines from `start` to an empty line.
   *
   * @param names - of the fields that are needed, in lower case.
   * @param options - `isLast`: whether the end of the bytes ends the header, too; `stopsAt`: whether a line that begins at an offset
   *   belongs to no header.
   */
  constructor(names: readonly Name[], bytes: Buffer, start: number, options: HeaderOptions = {}) {
    this.#bytes = bytes;
    this.end = this.#read(names, start, options);
  }

  #read(names: readonly string[], start: number, { isLast = false, stopsAt }: HeaderOptions): number {
    const bytes = this.#bytes;
    let current: Place | undefined;
    for (let at = start; at < bytes.length; ) {
      if (stopsAt?.(bytes, at)) {
        this.stop = at;
        return -1;
      }
      const lineEnd = bytes.indexOf(LF, at);
      if (lineEnd < 0 && !isLast) return -1;
      let end = lineEnd < 0 ? bytes.length : lineEnd;
      const next = Math.min(end + 1, bytes.length);
      if (end > at && bytes[end - 1] === CR) end--;
      if (end === at) {
        this.isComplete = true;
        return next;
      }
      if (!isBlank(bytes[at])) current = this.#add(names, at, end);
      else if (current !== undefined) current.end = end;
      at = next;
    }
    return isLast ? bytes.length : -1;
  }

  /** Adds the value of a line. @returns its place; `undefined` if the line has no field, or another one. */
  #add(names: readonly string[], start: number, end: number): Place | undefined {
    const bytes = this.#bytes;
    let colon = start;
    while (colon < end && bytes[colon] !== COLON) colon++;
    let nameEnd = colon;
    while (nameEnd > start && isBlank(bytes[nameEnd - 1])) nameEnd--;
    const name = colon === end ? '' : bytes.toString('latin1', start, nameEnd).toLowerCase();
    if (!names.includes(name)) return undefined;
    const place = { start: colon + 1, end };
    const places = this.#places.get(name);
    if (places === undefined) this.#places.set(name, [place]);
    else places.push(place);
    return place;
  }

  /** Returns the first value of a field; `undefined` if the header does not have it. */
  get(name: Name): string | undefined {
    const [place] = this.#places.get(name) ?? [];
    return place && this.#decode(place);
  }

  /** Returns all values of a field. */
  getAll(name: Name): readonly string[] {
    return (this.#places.get(name) ?? []).map((place) => this.#decode(place));
  }

  #decode({ start, end }: Place): string {
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
