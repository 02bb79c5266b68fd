/**
 * The patterns of a crawler's rules in the order in which they win, in columns: a file of 500 KiB can have 60,000 of them, and
 * an object for each would take longer to make than the decision.
 *
 * Of all rules that match, the longest wins; of equally long ones an allow rule; of equal ones of a kind the first in the
 * file. That is one order, so the winner is the first pattern that matches.
 *
 * @module
 */
import { DOLLAR, PERCENT, SLASH, STAR } from '../bytes/ascii.ts';
import { escapeValue } from '../bytes/escape.ts';
import { toComparedPattern } from '../bytes/percent-encoding.ts';
import type { Profile } from '../crawler/profile.ts';
import type { CollectedRule } from '../syntax/collect.ts';
import { toDirectoryPattern, mayEndWithIndexPage } from './pattern.ts';

export const ALLOW_FLAG = 1;
/** A disallow rule that is not empty. */
export const FORBIDS_FLAG = 2;
/** The pattern ends with `$`, which is not part of what is stored of it. */
export const ANCHORED_FLAG = 4;
/** The pattern is the further one of a rule for an index page. */
export const DIRECTORY_FLAG = 8;
/** The pattern is not the beginning of the value in the file. */
export const COPIED_FLAG = 16;
/** The pattern has a star. */
export const STAR_FLAG = 32;

/** Numbers of a pattern: flags, line, start of its value in the file, length as it is stored, length as it is written. */
const STRIDE = 5;

/** Patterns in the order in which they win. One is named by its place in that order. */
export class RankedPatterns {
  readonly count: number;
  /** How many have a star. */
  readonly wildcardCount: number;
  readonly #content: string;
  readonly #columns: readonly number[];
  readonly #order: Float64Array;
  readonly #own: ReadonlyMap<number, string>;

  /** @param list - the patterns in the order of the file. */
  constructor(content: string, list: PatternList) {
    const { columns, own } = list;
    const count = columns.length / STRIDE;
    this.count = count;
    this.wildcardCount = list.wildcardCount;
    this.#content = content;
    this.#columns = columns;
    this.#own = own;
    const order = new Float64Array(count);
    for (let index = 0; index < count; index++) {
      const at = index * STRIDE;
      const shortness = MAX_PRIORITY - (columns[at + 4] as number);
      const kind = 1 - ((columns[at] as number) & ALLOW_FLAG);
      // The place in the file decides last, and is read back from the key.
      order[index] = (shortness * 2 + kind) * count + index;
    }
    order.sort();
    for (let rank = 0; rank < count; rank++) order[rank] = (order[rank] as number) % count;
    this.#order = order;
  }

  flags(rank: number): number {
    return this.#number(rank, 0);
  }

  line(rank: number): number {
    return this.#number(rank, 1);
  }

  valueStart(rank: number): number {
    return this.#number(rank, 2);
  }

  /** Length of the pattern as it is stored. */
  length(rank: number): number {
    return this.#number(rank, 3);
  }

  /** The pattern as it is stored, if it is not the beginning of the value in the file. */
  own(rank: number): string | undefined {
    return this.#own.get(this.#order[rank] as number);
  }

  /** The character at `depth` of the pattern; NaN behind its end. */
  charCodeAt(rank: number, depth: number): number {
    if (depth >= this.length(rank)) return Number.NaN;
    const own = (this.flags(rank) & COPIED_FLAG) === 0 ? undefined : this.own(rank);
    return own === undefined
      ? this.#content.charCodeAt(this.valueStart(rank) + depth)
      : own.charCodeAt(depth);
  }

  #number(rank: number, column: number): number {
    return this.#columns[(this.#order[rank] as number) * STRIDE + column] as number;
  }
}

/** Longer than any pattern: a line has 16,663 bytes, each of which can be escaped to three. */
const MAX_PRIORITY = 0xffff;

/** Patterns in the order of the file. */
interface PatternList {
  readonly columns: number[];
  readonly own: Map<number, string>;
  wildcardCount: number;
}

/**
 * Ranks the patterns of rules, given in the order of the file.
 *
 * @param content - the file as a byte string.
 * @param bytes - the same as bytes.
 */
export function rankPatterns(
  content: string,
  bytes: Uint8Array,
  rules: readonly CollectedRule[],
  profile: Profile,
): RankedPatterns {
  const list: PatternList = { columns: [], own: new Map(), wildcardCount: 0 };
  for (const rule of rules)
    if (!addPlain(list, bytes, rule, profile)) addAny(list, content, bytes, rule, profile);
  return new RankedPatterns(content, list);
}

/** Adds the pattern of a rule that can be matched where it stands in the file. @returns whether it could. */
function addPlain(
  list: PatternList,
  bytes: Uint8Array,
  { isAllow, line, valueStart, valueEnd }: CollectedRule,
  profile: Profile,
): boolean {
  if (profile.comparison !== 'escaped') return false;
  const first = bytes[valueStart];
  if (valueStart < valueEnd && first !== SLASH && first !== STAR) return false;
  if (isAllow && profile.indexPages && mayEndWithIndexPage(bytes, valueStart, valueEnd)) return false;
  const hasEnd = valueStart < valueEnd && bytes[valueEnd - 1] === DOLLAR;
  let end = hasEnd ? valueEnd - 1 : valueEnd;
  const isOpen = end > valueStart && bytes[end - 1] === STAR;
  while (end > valueStart && bytes[end - 1] === STAR) end--;
  let stars = 0;
  for (let at = valueStart; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x80 || byte === PERCENT || (byte === STAR && bytes[at + 1] === STAR)) return false;
    if (byte === STAR) stars++;
  }
  const kindFlag = isAllow ? ALLOW_FLAG : valueStart === valueEnd ? 0 : FORBIDS_FLAG;
  const flags = kindFlag | (hasEnd && !isOpen ? ANCHORED_FLAG : 0) | (stars > 0 ? STAR_FLAG : 0);
  list.columns.push(flags, line, valueStart, end - valueStart, valueEnd - valueStart);
  if (stars > 0) list.wildcardCount++;
  return true;
}

/** What a value must have to be escaped. */
const NEEDS_ESCAPING = /[%\x80-\xff]/;

/** Adds the patterns of any rule. */
function addAny(
  list: PatternList,
  content: string,
  bytes: Uint8Array,
  { isAllow, line, valueStart, valueEnd }: CollectedRule,
  profile: Profile,
): void {
  const written = content.slice(valueStart, valueEnd);
  const value = NEEDS_ESCAPING.test(written) ? escapeValue(bytes, valueStart, valueEnd) : written;
  const kindFlag = isAllow ? ALLOW_FLAG : value === '' ? 0 : FORBIDS_FLAG;
  for (const [further, pattern] of toPatterns(value, isAllow, profile).entries()) {
    const first = pattern.charCodeAt(0);
    // Every path starts with a slash, so this can never match.
    if (pattern !== '' && first !== SLASH && first !== STAR) continue;
    const compared = profile.comparison === 'decoded' ? toComparedPattern(pattern) : pattern;
    const { stored, flags } = reducePattern(compared);
    const isOwn = !written.startsWith(stored);
    if (isOwn) list.own.set(list.columns.length / STRIDE, stored);
    if ((flags & STAR_FLAG) !== 0) list.wildcardCount++;
    const allFlags = flags | kindFlag | (further > 0 ? DIRECTORY_FLAG : 0) | (isOwn ? COPIED_FLAG : 0);
    list.columns.push(allFlags, line, valueStart, stored.length, pattern.length);
  }
}

/** The patterns that a rule with that escaped value stands for: itself, and the directory of an index page. */
export function toPatterns(value: string, isAllow: boolean, profile: Profile): string[] {
  const first = value.charCodeAt(0);
  const needsSlash = profile.missingSlash === 'added' && value !== '' && first !== SLASH && first !== STAR;
  const pattern = needsSlash ? `/${value}` : value;
  const directory = profile.indexPages && isAllow ? toDirectoryPattern(pattern) : undefined;
  return directory === undefined ? [pattern] : [pattern, directory];
}

/**
 * Reduces a pattern: no `*` after another, none at the end, and no `$` at the end but a flag. A `*` before the final `$` makes
 * that one meaningless too.
 */
function reducePattern(pattern: string): { stored: string; flags: number } {
  const hasEnd = pattern.endsWith('$');
  const single = (hasEnd ? pattern.slice(0, -1) : pattern).replace(/\*{2,}/g, '*');
  const isOpen = single.endsWith('*');
  const stored = isOpen ? single.slice(0, -1) : single;
  return {
    stored,
    flags: (hasEnd && !isOpen ? ANCHORED_FLAG : 0) | (stored.includes('*') ? STAR_FLAG : 0),
  };
}
