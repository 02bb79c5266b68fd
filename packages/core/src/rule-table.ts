/**
 * A crawler's rules in the order in which they win, packed into one byte string, and the plain way to find the winner:
 * one rule after another. The faster ways are built from the same table.
 *
 * Of all rules that match, the longest wins; of equally long ones an allow rule; of equal ones of a kind the first in the
 * file. That is one order, so the winner is the first rule of the table that matches.
 *
 * @module
 */
import { DOLLAR, SLASH, STAR } from './ascii.ts';
import type { CollectedRule } from './collect.ts';
import { escapeValue } from './escape.ts';
import { stringBytes, TABLE_BYTES } from './memory.ts';
import { directoryPattern } from './pattern.ts';
import { comparedPattern } from './percent-encoding.ts';
import type { Profile } from './profile.ts';
import { searchPart } from './search.ts';

/** No rule. As the offset of an entry it is beyond all others. */
export const NONE = 0x7fff_ffff;

/**
 * Bytes of an entry: flags, hint, line (4), start of the rule's value in the file (4), length of the pattern (2). Where the
 * pattern is not what the value begins with, it stands behind them.
 */
const HEADER = 12;
const HINT = 1;
const LINE = 2;
const VALUE_START = 6;
const LENGTH = 10;
/** No hint. Any other is the second character of the pattern, and a path with another second character cannot match. */
const NO_HINT = 0;

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

/** A value that is compared as it stands: nothing in it is escaped, decoded or special. */
const PLAIN_VALUE = /^\/[!-#&-)+-~]*$/;

interface Candidate {
  readonly flags: number;
  readonly hint: number;
  readonly line: number;
  readonly valueStart: number;
  /** Length of the pattern as it is written. */
  readonly priority: number;
  /** Length of the pattern as it is kept. */
  readonly length: number;
  /** The pattern as it is compared, reduced; empty if the value begins with it. */
  readonly own: string;
}

/**
 * Packs rules, given in the order of the file, into a table.
 *
 * @param content - the file as a byte string.
 * @param bytes - the same as bytes.
 */
export function packRules(
  content: string,
  bytes: Uint8Array,
  rules: readonly CollectedRule[],
  profile: Profile,
): RuleTable {
  const candidates: Candidate[] = [];
  for (const rule of rules) addCandidates(candidates, content, bytes, rule, profile);
  // The sort is stable, so the order of the file decides last.
  candidates.sort((a, b) => b.priority - a.priority || (b.flags & ALLOW_FLAG) - (a.flags & ALLOW_FLAG));
  return new RuleTable(content, pack(candidates));
}

function addCandidates(
  candidates: Candidate[],
  content: string,
  bytes: Uint8Array,
  { isAllow, line, valueStart, valueEnd }: CollectedRule,
  profile: Profile,
): void {
  const written = content.slice(valueStart, valueEnd);
  const isPlain = profile.comparison === 'escaped' && PLAIN_VALUE.test(written);
  const value = isPlain ? written : escapeValue(bytes, valueStart, valueEnd);
  const patterns = patternsOf(value, isAllow, profile);
  for (let further = 0; further < patterns.length; further++) {
    const pattern = patterns[further] as string;
    const first = pattern.charCodeAt(0);
    // Every path starts with a slash, so this can never match.
    if (pattern !== '' && first !== SLASH && first !== STAR) continue;
    let flags = (isAllow ? ALLOW_FLAG : value === '' ? 0 : FORBIDS_FLAG) | (further > 0 ? DIRECTORY_FLAG : 0);
    let kept = pattern;
    if (!isPlain || further > 0) {
      const compared = profile.comparison === 'decoded' ? comparedPattern(pattern) : pattern;
      const reduced = reducePattern(compared);
      kept = reduced.pattern;
      if (reduced.anchored) flags |= ANCHORED_FLAG;
      if (kept.includes('*')) flags |= STAR_FLAG;
      if (!written.startsWith(kept)) flags |= OWN_FLAG;
    }
    const own = (flags & OWN_FLAG) === 0 ? '' : kept;
    candidates.push({
      flags,
      hint: hintOf(kept),
      line,
      valueStart,
      priority: pattern.length,
      length: kept.length,
      own,
    });
  }
}

function hintOf(pattern: string): number {
  const second = pattern.charCodeAt(0) === SLASH && pattern.length > 1 ? pattern.charCodeAt(1) : STAR;
  return second === STAR ? NO_HINT : second;
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
function reducePattern(pattern: string): { pattern: string; anchored: boolean } {
  const hasEnd = pattern.charCodeAt(pattern.length - 1) === DOLLAR;
  const single = (hasEnd ? pattern.slice(0, -1) : pattern).replace(/\*{2,}/g, '*');
  const anchored = hasEnd && !single.endsWith('*');
  return { pattern: single.endsWith('*') ? single.slice(0, -1) : single, anchored };
}

function pack(candidates: readonly Candidate[]): string {
  const parts: string[] = [];
  for (const { flags, hint, line, valueStart, length, own } of candidates) {
    parts.push(header(flags, hint, line, valueStart, length), own);
    // Nothing or a single slash: this one matches every path.
    if (length <= 1 && (flags & ANCHORED_FLAG) === 0) break;
  }
  // Joined, the string is flat; added up, it would keep its parts.
  return parts.join('');
}

function header(flags: number, hint: number, line: number, valueStart: number, length: number): string {
  return String.fromCharCode(
    flags,
    hint,
    ...[line >>> 24, (line >>> 16) & 0xff, (line >>> 8) & 0xff, line & 0xff],
    ...[valueStart >>> 24, (valueStart >>> 16) & 0xff, (valueStart >>> 8) & 0xff, valueStart & 0xff],
    ...[length >>> 8, length & 0xff],
  );
}

/** Rules in the order in which they win. An entry is named by where it starts; the order of these numbers is that order. */
export class RuleTable {
  /** The file as a byte string: most patterns stand there. */
  readonly #content: string;
  readonly #entries: string;

  constructor(content: string, entries: string) {
    this.#content = content;
    this.#entries = entries;
  }

  /** Memory in bytes, without the file. */
  get sizeInBytes(): number {
    return TABLE_BYTES + stringBytes(this.#entries);
  }

  /** All entries in order. */
  *entries(): Generator<number> {
    for (let entry = 0; entry < this.#entries.length; entry = this.#next(entry)) yield entry;
  }

  /** Whether the entry's rule is an allow rule. */
  isAllow(entry: number): boolean {
    return (this.#entries.charCodeAt(entry) & ALLOW_FLAG) !== 0;
  }

  /** Whether the entry's rule forbids what it matches. */
  forbids(entry: number): boolean {
    return (this.#entries.charCodeAt(entry) & FORBIDS_FLAG) !== 0;
  }

  /** Whether the entry is the directory of a rule for an index page. */
  isDirectory(entry: number): boolean {
    return (this.#entries.charCodeAt(entry) & DIRECTORY_FLAG) !== 0;
  }

  /** Whether the entry's pattern ends with `$`. */
  isAnchored(entry: number): boolean {
    return (this.#entries.charCodeAt(entry) & ANCHORED_FLAG) !== 0;
  }

  /** Whether the entry's pattern has a star. */
  hasStar(entry: number): boolean {
    return (this.#entries.charCodeAt(entry) & STAR_FLAG) !== 0;
  }

  /** Line of the entry's rule. */
  line(entry: number): number {
    return readFour(this.#entries, entry + LINE);
  }

  /** Where in the file the value of the entry's rule starts. */
  valueStart(entry: number): number {
    return readFour(this.#entries, entry + VALUE_START);
  }

  /** The entry's pattern as it is compared, reduced: without the `$` at its end. */
  pattern(entry: number): string {
    const from = this.#patternStart(entry);
    return this.#patternText(entry).slice(from, from + this.patternLength(entry));
  }

  patternLength(entry: number): number {
    const entries = this.#entries;
    return (entries.charCodeAt(entry + LENGTH) << 8) | entries.charCodeAt(entry + LENGTH + 1);
  }

  /** The character at `depth` of the entry's pattern, which is longer than that. */
  patternCode(entry: number, depth: number): number {
    return this.#patternText(entry).charCodeAt(this.#patternStart(entry) + depth);
  }

  /**
   * The entry that wins for the path that starts at `start` of `text` and goes to its end, found by trying one after
   * another; {@link NONE} if none matches.
   */
  findWinner(text: string, start: number): number {
    const entries = this.#entries;
    const second = text.charCodeAt(start + 1);
    for (let entry = 0; entry < entries.length; entry = this.#next(entry)) {
      const hint = entries.charCodeAt(entry + HINT);
      if ((hint === NO_HINT || hint === second) && this.matches(entry, text, start)) return entry;
    }
    return NONE;
  }

  /** Whether the entry's pattern matches the path that starts at `start` of `text` and goes to its end. */
  matches(entry: number, text: string, start: number): boolean {
    const flags = this.#entries.charCodeAt(entry);
    const pattern = this.#patternText(entry);
    const from = this.#patternStart(entry);
    const end = from + this.patternLength(entry);
    let at = start;
    for (let i = from; i < end; i++, at++) {
      const code = pattern.charCodeAt(i);
      if (code === STAR) {
        return matchesAfterStar(pattern, i + 1, end, (flags & ANCHORED_FLAG) !== 0, text, at);
      }
      if (at === text.length || text.charCodeAt(at) !== code) return false;
    }
    return (flags & ANCHORED_FLAG) === 0 || at === text.length;
  }

  /** What the entry's pattern is a part of. */
  #patternText(entry: number): string {
    return (this.#entries.charCodeAt(entry) & OWN_FLAG) === 0 ? this.#content : this.#entries;
  }

  #patternStart(entry: number): number {
    const isOwn = (this.#entries.charCodeAt(entry) & OWN_FLAG) !== 0;
    return isOwn ? entry + HEADER : readFour(this.#entries, entry + VALUE_START);
  }

  /** Where the entry after that at `entry` starts. */
  #next(entry: number): number {
    const isOwn = (this.#entries.charCodeAt(entry) & OWN_FLAG) !== 0;
    return entry + HEADER + (isOwn ? this.patternLength(entry) : 0);
  }
}

/** The number in four bytes of a byte string, the highest first. */
export function readFour(byteString: string, at: number): number {
  return (
    (byteString.charCodeAt(at) << 24) |
    (byteString.charCodeAt(at + 1) << 16) |
    (byteString.charCodeAt(at + 2) << 8) |
    byteString.charCodeAt(at + 3)
  );
}

/**
 * Whether what stands behind a star, from `from` to `end` of `pattern`, matches somewhere from `at` on. The parts between
 * stars are found from left to right, each as early as it can be: an earlier place leaves more room for the rest, so there
 * is never anything to come back for.
 */
function matchesAfterStar(
  pattern: string,
  from: number,
  end: number,
  anchored: boolean,
  text: string,
  at: number,
): boolean {
  let partStart = from;
  let place = at;
  for (let i = from; i < end; i++) {
    if (pattern.charCodeAt(i) !== STAR) continue;
    const found = searchPart(text, pattern.slice(partStart, i), place);
    if (found < 0) return false;
    place = found + i - partStart;
    partStart = i + 1;
  }
  const last = pattern.slice(partStart, end);
  if (!anchored) return searchPart(text, last, place) >= 0;
  return text.length - last.length >= place && text.endsWith(last);
}
