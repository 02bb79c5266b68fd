// Creates rule tables: converts rules to patterns, and sorts them by precedence: longer patterns first, then allow before disallow, then
// file order.
//
// The patterns are stored in columns. A file of 500 KiB can contain 60,000 rules, and an object per pattern would take longer to create
// than the decision.
import { DOLLAR, PERCENT, SLASH, STAR } from '../bytes/ascii.ts';
import { escapeValue } from '../bytes/escape.ts';
import { toComparedPattern } from '../bytes/percent-encoding.ts';
import type { Profile } from '../crawler/profile.ts';
import type { CollectedRule } from '../syntax/collect.ts';
import { mayEndWithIndexPage, toDirectoryPattern } from './pattern.ts';
import {
  ALLOW_FLAG,
  ANCHORED_FLAG,
  COPIED_FLAG,
  DIRECTORY_FLAG,
  FORBIDS_FLAG,
  LENGTH_UNIT,
  LINE_UNIT,
  RuleTable,
  STAR_FLAG,
  STRIDE,
} from './rule-table.ts';

/** Greater than the length of any pattern: a line has at most 16,663 bytes, and each is escaped to at most three. */
const MAX_PRIORITY = 0xffff;

const NO_COPIES: readonly string[] = [];

/** Patterns in file order. */
interface PatternList {
  /** {@link STRIDE} numbers per pattern, as in a rule table. */
  readonly numbers: number[];
  /** The length of each pattern before it was reduced. */
  readonly priorities: number[];
  /** The copied patterns by index. */
  readonly copies: Map<number, string>;
}

/**
 * Creates the table of some rules.
 *
 * @param content - the file as a byte string, which then contains the patterns that are not copied; empty to copy all patterns.
 * @param bytes - the file as bytes.
 * @param rules - the rules in file order.
 */
export function createRuleTable(
  content: string,
  bytes: Uint8Array,
  rules: readonly CollectedRule[],
  profile: Profile,
): RuleTable {
  const list: PatternList = { numbers: [], priorities: [], copies: new Map() };
  for (const rule of rules)
    if (content === '' || !addUncopied(list, bytes, rule, profile))
      addPatterns(list, content, bytes, rule, profile);
  return sortPatterns(content, list);
}

function sortPatterns(content: string, list: PatternList): RuleTable {
  const count = list.priorities.length;
  const order = new Float64Array(count);
  for (let index = 0; index < count; index++) {
    const shortness = MAX_PRIORITY - (list.priorities[index] as number);
    const kind = 1 - ((list.numbers[index * STRIDE + 1] as number) & ALLOW_FLAG);
    // The index in file order is the last criterion. The next loop reads it from the sort key.
    order[index] = (shortness * 2 + kind) * count + index;
  }
  order.sort();
  for (let entry = 0; entry < count; entry++) order[entry] = (order[entry] as number) % count;
  const numbers = new Array<number>(count * STRIDE);
  for (let entry = 0; entry < count; entry++) {
    const at = (order[entry] as number) * STRIDE;
    for (let column = 0; column < STRIDE; column++)
      numbers[entry * STRIDE + column] = list.numbers[at + column] as number;
  }
  const { copies } = list;
  return new RuleTable(
    content,
    numbers,
    copies.size === 0 ? NO_COPIES : Array.from(order, (index) => copies.get(index)),
  );
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
  addPattern(list, flags, end - valueStart, valueStart, line, valueEnd - valueStart);
  return true;
}

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
    if (isCopied) list.copies.set(list.priorities.length, stored);
    const allFlags = flags | kindFlag | (index > 0 ? DIRECTORY_FLAG : 0) | (isCopied ? COPIED_FLAG : 0);
    addPattern(list, allFlags, stored.length, valueStart, line, pattern.length);
  }
}

function addPattern(
  { numbers, priorities }: PatternList,
  flags: number,
  length: number,
  valueStart: number,
  line: number,
  priority: number,
): void {
  numbers.push(valueStart, line * LINE_UNIT + length * LENGTH_UNIT + flags);
  priorities.push(priority);
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
