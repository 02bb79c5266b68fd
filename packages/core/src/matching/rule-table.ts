/**
 * The rule table: the patterns of a crawler's rules, sorted by precedence and packed into one byte string. Its own search tries the
 * entries one after another. The faster matchers are built on it.
 *
 * A typical file has ten rules, so a table is only a string. {@link RuleTable} reads it.
 *
 * @module
 */
import { fromCharacterCodes } from '../bytes/byte-string.ts';
import { matchesPatternRange } from './pattern.ts';
import {
  ALLOW_FLAG,
  ANCHORED_FLAG,
  COPIED_FLAG,
  DIRECTORY_FLAG,
  FORBIDS_FLAG,
  type RankedPatterns,
  STAR_FLAG,
  STORED_NUMBERS,
} from './ranked-patterns.ts';

/** No entry. It is greater than all entry numbers. */
export const NONE = 0x7fff_ffff;

/**
 * Bytes of the table's header: the bytes of a length, of an offset and of an entry (1 each), and the number of entries (4).
 *
 * An entry contains its flags (1), the length of the pattern, the offset of the value in the file, and the line. These three numbers take as
 * many bytes as the greatest of the table needs. Copied patterns follow the entries, each after the offset of its value (4). The entry of a
 * copied pattern contains the offset of the copy, relative to the end of the entries, instead.
 */
const HEADER_BYTES = 7;
/** Bytes of the number of entries, and of the offset before a copy. */
const WIDEST = 4;

/** An entry of a rule table. */
export interface Entry {
  /** Whether the rule is an allow rule. */
  readonly isAllow: boolean;
  /** Whether the pattern is the directory of an allow rule for an index page. */
  readonly isDirectory: boolean;
  /** Whether the pattern ends with `$`. */
  readonly isAnchored: boolean;
  readonly hasStar: boolean;
  /** Offset of the rule's value in the file. */
  readonly valueStart: number;
  /** The reduced pattern in comparison form, without the final `$`. */
  readonly pattern: string;
}

/**
 * Packs patterns into a table.
 *
 * @param trailer - bytes to append to the table.
 */
export function packRuleTable(ranked: RankedPatterns, trailer: readonly number[] = []): string {
  const numbers: number[] = [];
  const copies: number[] = [];
  for (let entry = 0; entry < ranked.count; entry++) {
    const at = numbers.length;
    ranked.copyNumbers(entry, numbers);
    if (((numbers[at] as number) & COPIED_FLAG) === 0) continue;
    pushNumber(copies, WIDEST, numbers[at + 2] as number);
    numbers[at + 2] = copies.length;
    for (const character of ranked.pattern(entry)) copies.push(character.charCodeAt(0));
  }
  const widths = getWidths(numbers);
  const [, lengthBytes, startBytes, lineBytes] = widths;
  const bytes = [lengthBytes, startBytes, 1 + lengthBytes + startBytes + lineBytes];
  pushNumber(bytes, WIDEST, ranked.count);
  for (let i = 0; i < numbers.length; i++)
    pushNumber(bytes, widths[i % STORED_NUMBERS] as number, numbers[i] as number);
  return fromCharacterCodes(bytes.concat(copies, trailer));
}

/** Returns the bytes that the greatest number of each column needs. */
function getWidths(numbers: readonly number[]): [number, number, number, number] {
  const widths: [number, number, number, number] = [1, 1, 1, 1];
  for (let i = 0; i < numbers.length; i++) {
    const column = i % STORED_NUMBERS;
    widths[column] = Math.max(widths[column] as number, (39 - Math.clz32(numbers[i] as number)) >> 3);
  }
  return widths;
}

/** Finds the winning entry for the path from `start` to the end of `text`; {@link NONE} if no entry matches. */
export type Search = (table: RuleTable, text: string, start: number) => number;

/** Reads a packed table. Entries are numbered from 0 in order of precedence. */
export class RuleTable {
  readonly packed: string;
  /** The file as a byte string. It contains all patterns that are not copied. */
  readonly #content: string;
  readonly #search: Search;

  /**
   * @param content - the file as a byte string, or empty if all patterns are copied.
   * @param search - Default: tries the entries one after another.
   */
  constructor(content: string, packed: string, search: Search = findFirst) {
    this.packed = packed;
    this.#content = content;
    this.#search = search;
  }

  /** Number of entries. */
  get count(): number {
    return getCount(this.packed);
  }

  /** Returns the flags of an entry (ranked-patterns.ts). */
  flags(entry: number): number {
    return this.packed.charCodeAt(getEntryAt(this.packed, entry));
  }

  /** Whether the entry's rule disallows the paths that it matches. */
  forbids(entry: number): boolean {
    return (this.flags(entry) & FORBIDS_FLAG) !== 0;
  }

  /** Returns the line of the entry's rule. */
  line(entry: number): number {
    const { packed } = this;
    const at = getEntryAt(packed, entry) + 1 + packed.charCodeAt(0) + packed.charCodeAt(1);
    return readNumber(packed, at, getEntryAt(packed, entry + 1) - at);
  }

  /** Reads an entry. */
  read(entry: number): Entry {
    const { packed } = this;
    const at = getEntryAt(packed, entry);
    const flags = packed.charCodeAt(at);
    const isCopied = (flags & COPIED_FLAG) !== 0;
    const start = getPatternStart(packed, at, isCopied);
    return {
      isAllow: (flags & ALLOW_FLAG) !== 0,
      isDirectory: (flags & DIRECTORY_FLAG) !== 0,
      isAnchored: (flags & ANCHORED_FLAG) !== 0,
      hasStar: (flags & STAR_FLAG) !== 0,
      valueStart: isCopied ? readNumber(packed, start - WIDEST, WIDEST) : start,
      pattern: (isCopied ? packed : this.#content).slice(start, start + getPatternLength(packed, at)),
    };
  }

  /** This table, which is the simplest matcher. */
  get table(): this {
    return this;
  }

  /** Finds the winning entry for the path from `start` to the end of `text`; {@link NONE} if no entry matches. */
  find(text: string, start: number): number {
    return this.#search(this, text, start);
  }

  /** Finds the first allow or disallow entry that matches a path; {@link NONE} if no entry matches. */
  findOfKind(isAllow: boolean, path: string): number {
    return findFirst(this, path, 0, ALLOW_FLAG, isAllow ? ALLOW_FLAG : 0);
  }

  /** Whether the entry's pattern matches the path from `start` to the end of `text`. */
  matches(entry: number, text: string, start: number): boolean {
    const { packed } = this;
    const at = getEntryAt(packed, entry);
    const flags = packed.charCodeAt(at);
    const isCopied = (flags & COPIED_FLAG) !== 0;
    const from = getPatternStart(packed, at, isCopied);
    const end = from + getPatternLength(packed, at);
    const isAnchored = (flags & ANCHORED_FLAG) !== 0;
    const source = isCopied ? packed : this.#content;
    if ((flags & STAR_FLAG) !== 0) return matchesPatternRange(source, from, end, isAnchored, text, start);
    const matchEnd = start + end - from;
    if (isAnchored ? matchEnd !== text.length : matchEnd > text.length) return false;
    for (let i = from, at = start; i < end; i++, at++)
      if (source.charCodeAt(i) !== text.charCodeAt(at)) return false;
    return true;
  }
}

/** Finds the winning entry among those whose flags in `mask` are `wanted`. */
export function findFirst(table: RuleTable, text: string, start: number, mask = 0, wanted = 0): number {
  const { count } = table;
  for (let entry = 0; entry < count; entry++)
    if ((table.flags(entry) & mask) === wanted && table.matches(entry, text, start)) return entry;
  return NONE;
}

/** Returns the length of the pattern of the entry at an index. */
function getPatternLength(packed: string, at: number): number {
  return readNumber(packed, at + 1, packed.charCodeAt(0));
}

/** Returns the offset of the same pattern in the table if it is copied, otherwise in the file. */
function getPatternStart(packed: string, at: number, isCopied: boolean): number {
  const start = readNumber(packed, at + 1 + packed.charCodeAt(0), packed.charCodeAt(1));
  return isCopied ? getEntryAt(packed, getCount(packed)) + start : start;
}

function getCount(packed: string): number {
  return readNumber(packed, HEADER_BYTES - WIDEST, WIDEST);
}

/** Returns the index of an entry in a packed table. */
function getEntryAt(packed: string, entry: number): number {
  return HEADER_BYTES + entry * packed.charCodeAt(2);
}

/** Appends a number in big-endian order. */
export function pushNumber(bytes: number[], width: number, value: number): void {
  for (let left = width - 1; left >= 0; left--) bytes.push((value >>> (8 * left)) & 0xff);
}

/** Reads a number in big-endian order. */
export function readNumber(packed: string, at: number, width: number): number {
  // A loop is slower.
  let number = packed.charCodeAt(at);
  if (width > 1) number = (number << 8) | packed.charCodeAt(at + 1);
  if (width > 2) number = (number << 8) | packed.charCodeAt(at + 2);
  if (width > 3) number = (number << 8) | packed.charCodeAt(at + 3);
  return number;
}
