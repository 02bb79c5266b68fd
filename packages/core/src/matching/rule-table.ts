/**
 * The rule table: the patterns of a crawler's rules, sorted by precedence and packed into one byte string. Its own search tries the
 * entries one after another. The faster matchers are built on it.
 *
 * @module
 */
import { STAR } from '../bytes/ascii.ts';
import { toByteString } from '../bytes/byte-string.ts';
import { estimateStringBytes, OBJECT_BYTES } from '../bytes/memory.ts';
import { matchesPatternRange } from './pattern.ts';
import {
  ALLOW_FLAG,
  ANCHORED_FLAG,
  COPIED_FLAG,
  DIRECTORY_FLAG,
  FORBIDS_FLAG,
  type RankedPatterns,
  STAR_FLAG,
} from './ranked-patterns.ts';

/** No entry. It is greater than all entry numbers. */
export const NONE = 0x7fff_ffff;

/**
 * Bytes of an entry's header: flags (1), third character of the pattern, 0 if there is none or it is a star (1), length of the pattern
 * (2), line (4), offset of the value in the file (4). Copied patterns follow the headers, each after the offset of its value (4). The
 * header of a copied pattern contains the offset of the copy in the table instead.
 */
const HEADER_BYTES = 12;
const LINE_OFFSET = 4;
const START_OFFSET = 8;

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

/** Patterns sorted by precedence. Entries are numbered from 0 in this order. */
export class RuleTable {
  /** Number of entries. */
  readonly count: number;
  /** Number of entries with a star. */
  readonly wildcardCount: number;
  protected readonly packed: string;
  /** The file as a byte string. It contains all patterns that are not copied. */
  readonly #content: string;

  /** @param trailer - bytes to append to the table. */
  constructor(content: string, ranked: RankedPatterns, trailer: Uint8Array = EMPTY) {
    const { count, wildcardCount } = ranked;
    let copiedLength = 0;
    for (let entry = 0; entry < count; entry++)
      if ((ranked.flags(entry) & COPIED_FLAG) !== 0) copiedLength += 4 + ranked.length(entry);
    const bytes = new Uint8Array(count * HEADER_BYTES + copiedLength + trailer.length);
    let copyStart = count * HEADER_BYTES;
    for (let entry = 0; entry < count; entry++) {
      const flags = ranked.flags(entry);
      const length = ranked.length(entry);
      let start = ranked.valueStart(entry);
      if ((flags & COPIED_FLAG) !== 0) {
        writeUint32(bytes, copyStart, start);
        for (let i = 0; i < length; i++) bytes[copyStart + 4 + i] = ranked.charCodeAt(entry, i);
        start = copyStart;
        copyStart += 4 + length;
      }
      const third = ranked.charCodeAt(entry, 2);
      const header = entry * HEADER_BYTES;
      // If there is no third character, it is NaN, which becomes 0.
      writeUint32(bytes, header, (flags << 24) | ((third === STAR ? 0 : third) << 16) | length);
      writeUint32(bytes, header + LINE_OFFSET, ranked.line(entry));
      writeUint32(bytes, header + START_OFFSET, start);
    }
    bytes.set(trailer, copyStart);
    this.count = count;
    this.wildcardCount = wildcardCount;
    this.#content = content;
    this.packed = toByteString(bytes, 0, bytes.length);
  }

  /** This table, which is the simplest matcher. */
  get table(): this {
    return this;
  }

  /** Memory in bytes, without the content of the file. */
  get sizeInBytes(): number {
    return OBJECT_BYTES + estimateStringBytes(this.packed);
  }

  /** Whether the entry's rule disallows the paths that it matches. */
  forbids(entry: number): boolean {
    return (this.#flags(entry) & FORBIDS_FLAG) !== 0;
  }

  /** Returns the line of the entry's rule. */
  line(entry: number): number {
    return readUint32(this.packed, entry * HEADER_BYTES + LINE_OFFSET);
  }

  /** Reads an entry. */
  read(entry: number): Entry {
    const flags = this.#flags(entry);
    const isCopied = (flags & COPIED_FLAG) !== 0;
    const header = entry * HEADER_BYTES;
    const start = readUint32(this.packed, header + START_OFFSET);
    const from = start + (isCopied ? 4 : 0);
    const source = isCopied ? this.packed : this.#content;
    return {
      isAllow: (flags & ALLOW_FLAG) !== 0,
      isDirectory: (flags & DIRECTORY_FLAG) !== 0,
      isAnchored: (flags & ANCHORED_FLAG) !== 0,
      hasStar: (flags & STAR_FLAG) !== 0,
      valueStart: isCopied ? readUint32(this.packed, start) : start,
      pattern: source.slice(from, from + this.#length(entry)),
    };
  }

  /** Finds the winning entry for the path from `start` to the end of `text`; {@link NONE} if no entry matches. */
  find(text: string, start: number): number {
    for (let entry = 0; entry < this.count; entry++) if (this.matches(entry, text, start)) return entry;
    return NONE;
  }

  /**
   * Finds the winning entry among those without a star.
   *
   * @param isAllow - considers only entries of this kind. Default: both kinds.
   */
  findLiteral(text: string, start: number, isAllow?: boolean): number {
    for (let entry = 0; entry < this.count; entry++) {
      const flags = this.#flags(entry);
      if ((flags & STAR_FLAG) !== 0 || (isAllow !== undefined && isAllow !== ((flags & ALLOW_FLAG) !== 0)))
        continue;
      if (this.matches(entry, text, start)) return entry;
    }
    return NONE;
  }

  /** Finds the first allow or disallow entry that matches a path; {@link NONE} if no entry matches. */
  findOfKind(isAllow: boolean, path: string): number {
    for (let entry = 0; entry < this.count; entry++) {
      if (((this.#flags(entry) & ALLOW_FLAG) !== 0) === isAllow && this.matches(entry, path, 0)) return entry;
    }
    return NONE;
  }

  /** Whether the entry's pattern matches the path from `start` to the end of `text`. */
  matches(entry: number, text: string, start: number): boolean {
    const packed = this.packed;
    const header = entry * HEADER_BYTES;
    const flags = packed.charCodeAt(header);
    const isCopied = (flags & COPIED_FLAG) !== 0;
    const from = readUint32(packed, header + START_OFFSET) + (isCopied ? 4 : 0);
    const end = from + this.#length(entry);
    const isAnchored = (flags & ANCHORED_FLAG) !== 0;
    return matchesPatternRange(isCopied ? packed : this.#content, from, end, isAnchored, text, start);
  }

  /** Returns the third character of the entry's pattern; 0 if there is none or it is a star. */
  protected third(entry: number): number {
    return this.packed.charCodeAt(entry * HEADER_BYTES + 1);
  }

  #length(entry: number): number {
    return readUint32(this.packed, entry * HEADER_BYTES) & 0xffff;
  }

  #flags(entry: number): number {
    return this.packed.charCodeAt(entry * HEADER_BYTES);
  }
}

const EMPTY: Uint8Array = /* @__PURE__ */ new Uint8Array(0);

/** Writes a 32-bit integer in big-endian order. */
export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

/** Reads a big-endian 32-bit integer from a byte string. */
export function readUint32(byteString: string, at: number): number {
  return (
    (byteString.charCodeAt(at) << 24) |
    (byteString.charCodeAt(at + 1) << 16) |
    (byteString.charCodeAt(at + 2) << 8) |
    byteString.charCodeAt(at + 3)
  );
}
