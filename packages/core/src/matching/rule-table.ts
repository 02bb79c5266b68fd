/**
 * A crawler's rules in the order in which they win, packed into one byte string, and the plain way to find the winner: one
 * rule after another. The faster ways are built on it.
 *
 * @module
 */
import { STAR } from '../bytes/ascii.ts';
import { toByteString } from '../bytes/byte-string.ts';
import { OBJECT_BYTES, estimateStringBytes } from '../bytes/memory.ts';
import { matchesPatternRange } from './pattern.ts';
import {
  ALLOW_FLAG,
  ANCHORED_FLAG,
  DIRECTORY_FLAG,
  FORBIDS_FLAG,
  COPIED_FLAG,
  type RankedPatterns,
  STAR_FLAG,
} from './ranked-patterns.ts';

/** No rule. As the number of an entry it is beyond all others. */
export const NONE = 0x7fff_ffff;

/**
 * Bytes of an entry's header: flags, the third character of the pattern (0 if there is none, or a star), length of the
 * pattern (2), line (4), where its value starts (4). Behind the headers stand those patterns that are not what their value begins with, each with where the value starts
 * (4) before it; then the header tells where in the table that is.
 */
const HEADER = 12;
const LINE = 4;
const START = 8;

/** What an entry of a table stands for. */
export interface Entry {
  /** Whether the rule is an allow rule. */
  readonly isAllow: boolean;
  /** Whether the pattern is the directory of a rule for an index page. */
  readonly isDirectory: boolean;
  /** Whether the pattern ends with `$`. */
  readonly isAnchored: boolean;
  readonly hasStar: boolean;
  /** Where in the file the rule's value starts. */
  readonly valueStart: number;
  /** The pattern as it is compared, reduced: without the `$` at its end. */
  readonly pattern: string;
}

/** Rules in the order in which they win. An entry is named by its place in that order. */
export class RuleTable {
  /** How many entries there are. */
  readonly count: number;
  /** How many of them have a star. */
  readonly wildcardCount: number;
  protected readonly packed: string;
  /** The file as a byte string: most patterns stand there. */
  readonly #content: string;

  /** @param further - bytes to keep behind the table. */
  constructor(content: string, ranked: RankedPatterns, further: Uint8Array = NOTHING) {
    const { count, wildcardCount } = ranked;
    let ownLength = 0;
    for (let entry = 0; entry < count; entry++)
      if ((ranked.flags(entry) & COPIED_FLAG) !== 0) ownLength += 4 + ranked.length(entry);
    const bytes = new Uint8Array(count * HEADER + ownLength + further.length);
    let ownStart = count * HEADER;
    for (let entry = 0; entry < count; entry++) {
      const flags = ranked.flags(entry);
      const length = ranked.length(entry);
      let start = ranked.valueStart(entry);
      if ((flags & COPIED_FLAG) !== 0) {
        writeUint32(bytes, ownStart, start);
        for (let i = 0; i < length; i++) bytes[ownStart + 4 + i] = ranked.charCodeAt(entry, i);
        start = ownStart;
        ownStart += 4 + length;
      }
      const third = ranked.charCodeAt(entry, 2);
      const header = entry * HEADER;
      // Without a third character there is no number, which counts as 0.
      writeUint32(bytes, header, (flags << 24) | ((third === STAR ? 0 : third) << 16) | length);
      writeUint32(bytes, header + LINE, ranked.line(entry));
      writeUint32(bytes, header + START, start);
    }
    bytes.set(further, ownStart);
    this.count = count;
    this.wildcardCount = wildcardCount;
    this.#content = content;
    this.packed = toByteString(bytes, 0, bytes.length);
  }

  /** Memory in bytes, without the file. */
  get sizeInBytes(): number {
    return OBJECT_BYTES + estimateStringBytes(this.packed);
  }

  /** Whether the entry's rule forbids what it matches. */
  forbids(entry: number): boolean {
    return (this.#flags(entry) & FORBIDS_FLAG) !== 0;
  }

  /** Line of the entry's rule. */
  line(entry: number): number {
    return readUint32(this.packed, entry * HEADER + LINE);
  }

  /** What else an entry holds. */
  read(entry: number): Entry {
    const flags = this.#flags(entry);
    const isOwn = (flags & COPIED_FLAG) !== 0;
    const header = entry * HEADER;
    const start = readUint32(this.packed, header + START);
    const from = start + (isOwn ? 4 : 0);
    const source = isOwn ? this.packed : this.#content;
    return {
      isAllow: (flags & ALLOW_FLAG) !== 0,
      isDirectory: (flags & DIRECTORY_FLAG) !== 0,
      isAnchored: (flags & ANCHORED_FLAG) !== 0,
      hasStar: (flags & STAR_FLAG) !== 0,
      valueStart: isOwn ? readUint32(this.packed, start) : start,
      pattern: source.slice(from, from + this.#length(entry)),
    };
  }

  /**
   * The entry that wins for the path that starts at `start` of `text` and goes to its end; {@link NONE} if none matches.
   */
  find(text: string, start: number): number {
    for (let entry = 0; entry < this.count; entry++) if (this.matches(entry, text, start)) return entry;
    return NONE;
  }

  /** The same among the entries without a star. */
  findLiteral(text: string, start: number): number {
    for (let entry = 0; entry < this.count; entry++)
      if ((this.#flags(entry) & STAR_FLAG) === 0 && this.matches(entry, text, start)) return entry;
    return NONE;
  }

  /** The first entry of one kind that matches a whole path; {@link NONE} if none does. */
  findOfKind(isAllow: boolean, path: string): number {
    for (let entry = 0; entry < this.count; entry++) {
      if (((this.#flags(entry) & ALLOW_FLAG) !== 0) === isAllow && this.matches(entry, path, 0)) return entry;
    }
    return NONE;
  }

  /** Whether the entry's pattern matches the path that starts at `start` of `text` and goes to its end. */
  protected matches(entry: number, text: string, start: number): boolean {
    const packed = this.packed;
    const header = entry * HEADER;
    const flags = packed.charCodeAt(header);
    const isOwn = (flags & COPIED_FLAG) !== 0;
    const from = readUint32(packed, header + START) + (isOwn ? 4 : 0);
    const end = from + this.#length(entry);
    const isAnchored = (flags & ANCHORED_FLAG) !== 0;
    return matchesPatternRange(isOwn ? packed : this.#content, from, end, isAnchored, text, start);
  }

  /** The third character of the entry's pattern; 0 if there is none, or a star. */
  protected third(entry: number): number {
    return this.packed.charCodeAt(entry * HEADER + 1);
  }

  /** Length of the entry's pattern. */
  #length(entry: number): number {
    return readUint32(this.packed, entry * HEADER) & 0xffff;
  }

  #flags(entry: number): number {
    return this.packed.charCodeAt(entry * HEADER);
  }
}

const NOTHING: Uint8Array = /* @__PURE__ */ new Uint8Array(0);

/** Writes a number as four bytes, the highest first. */
export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

/** The number in four bytes of a byte string. */
export function readUint32(byteString: string, at: number): number {
  return (
    (byteString.charCodeAt(at) << 24) |
    (byteString.charCodeAt(at + 1) << 16) |
    (byteString.charCodeAt(at + 2) << 8) |
    byteString.charCodeAt(at + 3)
  );
}
