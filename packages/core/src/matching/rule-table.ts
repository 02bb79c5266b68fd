// The rule table: the patterns of a crawler's rules as an array that is sorted by precedence (create-rule-table.ts). The first pattern that
// matches wins.
//
// The array contains numbers, because an object and a string for each rule of a typical file would take more memory than the file.
import { estimateArrayBytes, estimateStringBytes, OBJECT_BYTES } from '../bytes/memory.ts';
import { matchesPatternRange } from './pattern.ts';

/** No entry. It is greater than all entry numbers. */
export const NONE = 0x7fff_ffff;

export const ALLOW_FLAG = 1;
/** The rule is a disallow rule with a value. */
export const FORBIDS_FLAG = 2;
/** The pattern ends with `$`. The stored pattern does not contain it. */
export const ANCHORED_FLAG = 4;
/** The pattern is the directory of an allow rule for an index page. */
export const DIRECTORY_FLAG = 8;
/** The stored pattern is a copy, because it is not a prefix of the value in the file. */
export const COPIED_FLAG = 16;
/** The stored pattern contains a star. */
export const STAR_FLAG = 32;

/**
 * Numbers per entry: the offset of the value in the file, and a sum of flags, length of the stored pattern times {@link LENGTH_UNIT} and line
 * times {@link LINE_UNIT}. A pattern has less than 2^16 characters, and sums are exact below 2^53.
 */
export const STRIDE = 2;
const LENGTH_SHIFT = 6;
export const LENGTH_UNIT: number = 1 << LENGTH_SHIFT;
export const LINE_UNIT: number = 1 << 22;

export interface Entry {
  readonly isAllow: boolean;
  /** Whether the pattern is the directory of an allow rule for an index page. */
  readonly isDirectory: boolean;
  readonly isAnchored: boolean;
  readonly hasStar: boolean;
  /** Offset of the rule's value in the file. */
  readonly valueStart: number;
  /** The reduced pattern in comparison form, without the final `$`. */
  readonly pattern: string;
}

/** Entries are numbered from 0 in order of precedence. */
export class RuleTable {
  readonly count: number;
  /** The file as a byte string. It contains all patterns that are not copied. */
  readonly #content: string;
  readonly #numbers: readonly number[];
  readonly #copies: readonly (string | undefined)[];

  /**
   * @param content - the file as a byte string, or empty if all patterns are copied.
   * @param numbers - {@link STRIDE} numbers per entry.
   * @param copies - the copied patterns by entry; empty if there are none.
   */
  constructor(content: string, numbers: readonly number[], copies: readonly (string | undefined)[]) {
    this.count = numbers.length / STRIDE;
    this.#content = content;
    this.#numbers = numbers;
    this.#copies = copies;
  }

  /** This table, which is the simplest matcher. */
  get table(): this {
    return this;
  }

  /** Memory in bytes (estimate), without the file. */
  get sizeInBytes(): number {
    const copies = this.#copies;
    const bytes = OBJECT_BYTES + estimateArrayBytes(this.#numbers.length);
    return copies.reduce(
      (sum, copy) => sum + (copy === undefined ? 0 : estimateStringBytes(copy)),
      bytes + (copies.length === 0 ? 0 : estimateArrayBytes(copies.length)),
    );
  }

  flags(entry: number): number {
    return this.#sum(entry) & (LENGTH_UNIT - 1);
  }

  forbids(entry: number): boolean {
    return (this.flags(entry) & FORBIDS_FLAG) !== 0;
  }

  line(entry: number): number {
    return Math.floor(this.#sum(entry) / LINE_UNIT);
  }

  read(entry: number): Entry {
    const flags = this.flags(entry);
    const valueStart = this.#numbers[entry * STRIDE] as number;
    const end = valueStart + this.#length(entry);
    return {
      isAllow: (flags & ALLOW_FLAG) !== 0,
      isDirectory: (flags & DIRECTORY_FLAG) !== 0,
      isAnchored: (flags & ANCHORED_FLAG) !== 0,
      hasStar: (flags & STAR_FLAG) !== 0,
      valueStart,
      pattern:
        (flags & COPIED_FLAG) !== 0 ? (this.#copies[entry] as string) : this.#content.slice(valueStart, end),
    };
  }

  /** Finds the winning entry for the path from `start` to the end of `text`; {@link NONE} if no entry matches. */
  find(text: string, start: number): number {
    return this.findFirst(text, start, 0, 0);
  }

  /** Finds the first allow or disallow entry that matches a path; {@link NONE} if no entry matches. */
  findOfKind(isAllow: boolean, path: string): number {
    return this.findFirst(path, 0, ALLOW_FLAG, isAllow ? ALLOW_FLAG : 0);
  }

  /** Finds the winning entry among those whose flags in `mask` are `wanted`. */
  findFirst(text: string, start: number, mask: number, wanted: number): number {
    for (let entry = 0; entry < this.count; entry++)
      if ((this.flags(entry) & mask) === wanted && this.matches(entry, text, start)) return entry;
    return NONE;
  }

  /** Whether the entry's pattern matches the path from `start` to the end of `text`. */
  matches(entry: number, text: string, start: number): boolean {
    const flags = this.flags(entry);
    const isCopied = (flags & COPIED_FLAG) !== 0;
    const source = isCopied ? (this.#copies[entry] as string) : this.#content;
    const from = isCopied ? 0 : (this.#numbers[entry * STRIDE] as number);
    const end = from + this.#length(entry);
    const isAnchored = (flags & ANCHORED_FLAG) !== 0;
    if ((flags & STAR_FLAG) !== 0) return matchesPatternRange(source, from, end, isAnchored, text, start);
    const matchEnd = start + end - from;
    if (isAnchored ? matchEnd !== text.length : matchEnd > text.length) return false;
    for (let i = from, at = start; i < end; i++, at++)
      if (source.charCodeAt(i) !== text.charCodeAt(at)) return false;
    return true;
  }

  #length(entry: number): number {
    return (this.#sum(entry) & (LINE_UNIT - 1)) >>> LENGTH_SHIFT;
  }

  #sum(entry: number): number {
    return this.#numbers[entry * STRIDE + 1] as number;
  }
}
