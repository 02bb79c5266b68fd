/**
 * The patterns of a crawler's rules, sorted by precedence: longer patterns first, then allow before disallow, then file order. The
 * winner is the first pattern that matches.
 *
 * The patterns are stored in columns. A file of 500 KiB can contain 60,000 rules, and an object per pattern would take longer to create
 * than the decision.
 *
 * @module
 */
import { DOLLAR, PERCENT, SLASH, STAR } from '../bytes/ascii.ts';
import { escapeValue } from '../bytes/escape.ts';
import { toComparedPattern } from '../bytes/percent-encoding.ts';
import type { Profile } from '../crawler/profile.ts';
import type { CollectedRule } from '../syntax/collect.ts';
import { mayEndWithIndexPage, toDirectoryPattern } from './pattern.ts';

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

/** Numbers per pattern: flags, length of the stored pattern, start of the value in the file, line, length of the original pattern. */
const STRIDE = 5;
/** Of these, those that a rule table contains. */
export const STORED_NUMBERS = 4;

/** Patterns sorted by precedence. The rank of a pattern is its index in this order. */
export class RankedPatterns {
  readonly count: number;
  readonly #content: string;
  readonly #columns: readonly number[];
  readonly #order: Float64Array;
  readonly #copies: ReadonlyMap<number, string>;

  /** @param list - the patterns in file order. */
  constructor(content: string, list: PatternList) {
    const { columns, copies } = list;
    const count = columns.length / STRIDE;
    this.count = count;
    this.#content = content;
    this.#columns = columns;
    this.#copies = copies;
    const order = new Float64Array(count);
    for (let index = 0; index < count; index++) {
      const at = index * STRIDE;
      const shortness = MAX_PRIORITY - (columns[at + 4] as number);
      const kind = 1 - ((columns[at] as number) & ALLOW_FLAG);
      // The index in file order is the last criterion. The next loop reads it from the sort key.
      order[index] = (shortness * 2 + kind) * count + index;
    }
    order.sort();
    for (let rank = 0; rank < count; rank++) order[rank] = (order[rank] as number) % count;
    this.#order = order;
  }

  /** Returns the flags of a pattern. */
  flags(rank: number): number {
    return this.#read(rank, 0);
  }

  /** Appends the flags of a pattern, the length of the stored pattern, the start of the value in the file, and the line. */
  copyNumbers(rank: number, numbers: number[]): void {
    for (let column = 0; column < STORED_NUMBERS; column++) numbers.push(this.#read(rank, column));
  }

  /** Returns the stored pattern. */
  pattern(rank: number): string {
    const copy = this.#copies.size > 0 ? this.#copies.get(this.#order[rank] as number) : undefined;
    if (copy !== undefined) return copy;
    const valueStart = this.#read(rank, 2);
    return this.#content.slice(valueStart, valueStart + this.#read(rank, 1));
  }

  #read(rank: number, column: number): number {
    return this.#columns[(this.#order[rank] as number) * STRIDE + column] as number;
  }
}

/** Greater than the length of any pattern: a line has at most 16,663 bytes, and each is escaped to at most three. */
const MAX_PRIORITY = 0xffff;

/** Patterns in file order. */
interface PatternList {
  readonly columns: number[];
  /** The copied patterns by index. */
  readonly copies: Map<number, string>;
}

/**
 * Sorts the patterns of rules by precedence.
 *
 * @param content - the file as a byte string, which then contains the patterns that are not copied; empty to copy all patterns.
 * @param bytes - the file as bytes.
 * @param rules - the rules in file order.
 */
export function rankPatterns(
  content: string,
  bytes: Uint8Array,
  rules: readonly CollectedRule[],
  profile: Profile,
): RankedPatterns {
  const list: PatternList = { columns: [], copies: new Map() };
  for (const rule of rules)
    if (content === '' || !addUncopied(list, bytes, rule, profile))
      addPatterns(list, content, bytes, rule, profile);
  return new RankedPatterns(content, list);
}

/** Adds the pattern of a rule without copying it. Returns `false` if the rule needs a copy or several patterns. */
function addUncopied(
  list: PatternList,
  bytes: Uint8Array,
  { isAllow, line, valueStart, valueEnd }: CollectedRule,
  profile: Profile,
): boolean {
  if (profile.comparison !== 'escaped') return false;
  const first = bytes[valueStart];
  if (valueStart < valueEnd && first !== SLASH && first !== STAR) return false;
  if (isAllow && profile.matchesIndexPages && mayEndWithIndexPage(bytes, valueStart, valueEnd)) return false;
  const hasDollar = valueStart < valueEnd && bytes[valueEnd - 1] === DOLLAR;
  let end = hasDollar ? valueEnd - 1 : valueEnd;
  const hasFinalStar = end > valueStart && bytes[end - 1] === STAR;
  while (end > valueStart && bytes[end - 1] === STAR) end--;
  let hasStar = false;
  for (let at = valueStart; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x80 || byte === PERCENT || (byte === STAR && bytes[at + 1] === STAR)) return false;
    if (byte === STAR) hasStar = true;
  }
  const kindFlag = isAllow ? ALLOW_FLAG : valueStart === valueEnd ? 0 : FORBIDS_FLAG;
  const flags = kindFlag | (hasDollar && !hasFinalStar ? ANCHORED_FLAG : 0) | (hasStar ? STAR_FLAG : 0);
  list.columns.push(flags, end - valueStart, valueStart, line, valueEnd - valueStart);
  return true;
}

/** Adds all patterns of a rule. */
function addPatterns(
  list: PatternList,
  content: string,
  bytes: Uint8Array,
  { isAllow, line, valueStart, valueEnd }: CollectedRule,
  profile: Profile,
): void {
  const value = escapeValue(bytes, valueStart, valueEnd);
  const kindFlag = isAllow ? ALLOW_FLAG : value === '' ? 0 : FORBIDS_FLAG;
  for (const [index, pattern] of toPatterns(value, isAllow, profile).entries()) {
    const first = pattern.charCodeAt(0);
    // All paths start with a slash, so other patterns never match.
    if (pattern !== '' && first !== SLASH && first !== STAR) continue;
    const compared = profile.comparison === 'decoded' ? toComparedPattern(pattern) : pattern;
    const { stored, flags } = reducePattern(compared);
    const isCopied = stored.length > valueEnd - valueStart || !content.startsWith(stored, valueStart);
    if (isCopied) list.copies.set(list.columns.length / STRIDE, stored);
    const allFlags = flags | kindFlag | (index > 0 ? DIRECTORY_FLAG : 0) | (isCopied ? COPIED_FLAG : 0);
    list.columns.push(allFlags, stored.length, valueStart, line, pattern.length);
  }
}

/** Converts the escaped value of a rule to its patterns: the value, and the directory if it is an allow rule for an index page. */
export function toPatterns(value: string, isAllow: boolean, profile: Profile): string[] {
  const first = value.charCodeAt(0);
  const needsSlash = profile.missingSlash === 'add' && value !== '' && first !== SLASH && first !== STAR;
  const pattern = needsSlash ? `/${value}` : value;
  const directory = profile.matchesIndexPages && isAllow ? toDirectoryPattern(pattern) : undefined;
  return directory === undefined ? [pattern] : [pattern, directory];
}

/**
 * Reduces a pattern: replaces repeated stars with one, and removes a star at the end. A `$` at the end becomes a flag, or is removed
 * if it follows a star.
 */
export function reducePattern(pattern: string): { stored: string; flags: number } {
  const hasDollar = pattern.endsWith('$');
  const collapsed = (hasDollar ? pattern.slice(0, -1) : pattern).replace(/\*{2,}/g, '*');
  const hasFinalStar = collapsed.endsWith('*');
  const stored = hasFinalStar ? collapsed.slice(0, -1) : collapsed;
  return {
    stored,
    flags: (hasDollar && !hasFinalStar ? ANCHORED_FLAG : 0) | (stored.includes('*') ? STAR_FLAG : 0),
  };
}
