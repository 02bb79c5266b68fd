/**
 * A crawler's rules in the order in which they win, packed into one byte string, and the plain way to find the winner: one
 * rule after another. The faster ways are built on it.
 *
 * Of all rules that match, the longest wins; of equally long ones an allow rule; of equal ones of a kind the first in the
 * file. That is one order, so the winner is the first rule of the table that matches.
 *
 * @module
 */
import { SLASH, STAR } from './ascii.ts';
import type { CollectedRule } from './collect.ts';
import { escapeValue } from './escape.ts';
import { OBJECT_BYTES, stringBytes } from './memory.ts';
import { directoryPattern, matchesPart } from './pattern.ts';
import { comparedPattern } from './percent-encoding.ts';
import type { Profile } from './profile.ts';

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

const ALLOW_FLAG = 1;
/** A disallow rule that is not empty. */
const FORBIDS_FLAG = 2;
/** The pattern ends with `$`, which is not part of what is kept of it. */
const ANCHORED_FLAG = 4;
/** The pattern is the further one of a rule for an index page. */
const DIRECTORY_FLAG = 8;
/** The pattern stands in the table. */
const OWN_FLAG = 16;
/** The pattern has a star. */
const STAR_FLAG = 32;

/** What a value must have to be escaped. */
const TO_ESCAPE = /[%\x80-\xff]/;

/** A pattern that could be in a table. */
export interface Candidate {
  readonly flags: number;
  readonly line: number;
  readonly valueStart: number;
  /** Length of the pattern as it is written. */
  readonly priority: number;
  /** The pattern as it is compared, reduced. */
  readonly kept: string;
}

/**
 * Sorts the patterns of rules, given in the order of the file, into the order in which they win.
 *
 * @param content - the file as a byte string.
 * @param bytes - the same as bytes.
 */
export function sortCandidates(
  content: string,
  bytes: Uint8Array,
  rules: readonly CollectedRule[],
  profile: Profile,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const rule of rules) addCandidates(candidates, content, bytes, rule, profile);
  // The sort is stable, so the order of the file decides last.
  return candidates.sort(
    (a, b) => b.priority - a.priority || (b.flags & ALLOW_FLAG) - (a.flags & ALLOW_FLAG),
  );
}

function addCandidates(
  candidates: Candidate[],
  content: string,
  bytes: Uint8Array,
  { isAllow, line, valueStart, valueEnd }: CollectedRule,
  profile: Profile,
): void {
  const written = content.slice(valueStart, valueEnd);
  const value = TO_ESCAPE.test(written) ? escapeValue(bytes, valueStart, valueEnd) : written;
  const kindFlag = isAllow ? ALLOW_FLAG : value === '' ? 0 : FORBIDS_FLAG;
  for (const [further, pattern] of patternsOf(value, isAllow, profile).entries()) {
    const first = pattern.charCodeAt(0);
    // Every path starts with a slash, so this can never match.
    if (pattern !== '' && first !== SLASH && first !== STAR) continue;
    const { kept, flags } = reducePattern(
      profile.comparison === 'decoded' ? comparedPattern(pattern) : pattern,
    );
    candidates.push({
      flags:
        flags | kindFlag | (further > 0 ? DIRECTORY_FLAG : 0) | (written.startsWith(kept) ? 0 : OWN_FLAG),
      line,
      valueStart,
      priority: pattern.length,
      kept,
    });
  }
}

/** The patterns that a rule with that escaped value stands for: itself, and the directory of an index page. */
export function patternsOf(value: string, isAllow: boolean, profile: Profile): string[] {
  const first = value.charCodeAt(0);
  const needsSlash = profile.missingSlash === 'added' && value !== '' && first !== SLASH && first !== STAR;
  const pattern = needsSlash ? `/${value}` : value;
  const directory = profile.indexPages && isAllow ? directoryPattern(pattern) : undefined;
  return directory === undefined ? [pattern] : [pattern, directory];
}

/**
 * The same pattern with less in it: no `*` after another, none at the end, and no `$` at the end but a flag. A `*` before
 * the final `$` makes that one meaningless too.
 */
function reducePattern(pattern: string): { kept: string; flags: number } {
  const hasEnd = pattern.endsWith('$');
  const single = (hasEnd ? pattern.slice(0, -1) : pattern).replace(/\*{2,}/g, '*');
  const isOpen = single.endsWith('*');
  const kept = isOpen ? single.slice(0, -1) : single;
  return {
    kept,
    flags: (hasEnd && !isOpen ? ANCHORED_FLAG : 0) | (kept.includes('*') ? STAR_FLAG : 0),
  };
}

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
  protected readonly packed: string;
  /** The file as a byte string: most patterns stand there. */
  readonly #content: string;

  /** @param further - a byte string to keep behind the table. */
  constructor(content: string, candidates: readonly Candidate[], further: string) {
    const parts: string[] = [];
    const own: string[] = [];
    let ownStart = candidates.length * HEADER;
    for (const { flags, line, valueStart, kept } of candidates) {
      let start = valueStart;
      if ((flags & OWN_FLAG) !== 0) {
        start = ownStart;
        own.push(four(valueStart), kept);
        ownStart += 4 + kept.length;
      }
      // Without a third character there is no number, which counts as 0.
      const third = kept[2] === '*' ? 0 : kept.charCodeAt(2);
      parts.push(four((flags << 24) | (third << 16) | kept.length), four(line), four(start));
    }
    this.count = candidates.length;
    this.#content = content;
    // Joined, the string is flat; added up, it would keep its parts.
    this.packed = [...parts, ...own, further].join('');
  }

  /** Memory in bytes, without the file. */
  get sizeInBytes(): number {
    return OBJECT_BYTES + stringBytes(this.packed);
  }

  /** Whether the entry's rule forbids what it matches. */
  forbids(entry: number): boolean {
    return (this.#flags(entry) & FORBIDS_FLAG) !== 0;
  }

  /** Line of the entry's rule. */
  line(entry: number): number {
    return readFour(this.packed, entry * HEADER + LINE);
  }

  /** What else an entry holds. */
  read(entry: number): Entry {
    const flags = this.#flags(entry);
    const isOwn = (flags & OWN_FLAG) !== 0;
    const header = entry * HEADER;
    const start = readFour(this.packed, header + START);
    const from = start + (isOwn ? 4 : 0);
    const source = isOwn ? this.packed : this.#content;
    return {
      isAllow: (flags & ALLOW_FLAG) !== 0,
      isDirectory: (flags & DIRECTORY_FLAG) !== 0,
      isAnchored: (flags & ANCHORED_FLAG) !== 0,
      hasStar: (flags & STAR_FLAG) !== 0,
      valueStart: isOwn ? readFour(this.packed, start) : start,
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

  /** The first entry of one kind that matches a whole path; {@link NONE} if none does. */
  findKind(isAllow: boolean, path: string): number {
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
    const isOwn = (flags & OWN_FLAG) !== 0;
    const from = readFour(packed, header + START) + (isOwn ? 4 : 0);
    const end = from + this.#length(entry);
    const isAnchored = (flags & ANCHORED_FLAG) !== 0;
    return matchesPart(isOwn ? packed : this.#content, from, end, isAnchored, text, start);
  }

  /** The third character of the entry's pattern; 0 if there is none, or a star. */
  protected third(entry: number): number {
    return this.packed.charCodeAt(entry * HEADER + 1);
  }

  /** Length of the entry's pattern. */
  #length(entry: number): number {
    return readFour(this.packed, entry * HEADER) & 0xffff;
  }

  #flags(entry: number): number {
    return this.packed.charCodeAt(entry * HEADER);
  }
}

/** A number as four bytes of a byte string, the highest first. */
export function four(value: number): string {
  return String.fromCharCode(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

/** The number in four bytes of a byte string. */
export function readFour(byteString: string, at: number): number {
  return (
    (byteString.charCodeAt(at) << 24) |
    (byteString.charCodeAt(at + 1) << 16) |
    (byteString.charCodeAt(at + 2) << 8) |
    byteString.charCodeAt(at + 3)
  );
}
