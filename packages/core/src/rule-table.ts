/**
 * A crawler's rules in the order in which they win, packed into one byte string, and the plain way to find the winner:
 * one rule after another. The automaton is built from the same table.
 *
 * Of all rules that match, the longest wins; of equally long ones an allow rule; of equal ones of a kind the first in the
 * file. That is one order, so the winner is the first rule of the table that matches.
 *
 * @module
 */
import { DOLLAR, SLASH, STAR } from './ascii.ts';
import type { CollectedRule } from './collect.ts';
import { escapeValue } from './escape.ts';
import { directoryPattern } from './pattern.ts';
import { comparedPattern } from './percent-encoding.ts';
import type { Profile } from './profile.ts';
import { searchPart } from './search.ts';

/** No rule. As the offset of an entry it is beyond all others. */
export const NONE = 0x7fff_ffff;

/** Bytes of an entry before its pattern: flags, line (4), start of the rule's value (4), length of the pattern (2). */
const HEADER = 11;
const ALLOW_FLAG = 1;
/** A disallow rule that is not empty. */
const FORBIDS_FLAG = 2;
/** The pattern ends with `$`, which is not part of the packed pattern. */
const ANCHORED_FLAG = 4;
/** The pattern is the further one of a rule for an index page. */
const DIRECTORY_FLAG = 8;

/** Up to this cost one rule is tried after another: a rule counts 1, one with a star more. */
const SHORT_TABLE_COST = 12;
const WILDCARD_COST = 6;

interface Candidate {
  readonly flags: number;
  readonly line: number;
  readonly valueStart: number;
  /** Length of the pattern as it is written. */
  readonly priority: number;
  /** The pattern as it is compared, reduced. */
  readonly pattern: string;
}

/** Packs rules, given in the order of the file, into a table. */
export function packRules(bytes: Uint8Array, rules: readonly CollectedRule[], profile: Profile): string {
  const candidates: Candidate[] = [];
  for (const { isAllow, line, valueStart, valueEnd } of rules) {
    const value = escapeValue(bytes, valueStart, valueEnd);
    for (const [further, pattern] of patternsOf(value, isAllow, profile).entries()) {
      const first = pattern.charCodeAt(0);
      // Every path starts with a slash, so this can never match.
      if (pattern !== '' && first !== SLASH && first !== STAR) continue;
      const compared = profile.comparison === 'decoded' ? comparedPattern(pattern) : pattern;
      const reduced = reducePattern(compared);
      const forbids = !isAllow && value !== '';
      const flags =
        (isAllow ? ALLOW_FLAG : 0) | (forbids ? FORBIDS_FLAG : 0) | (further > 0 ? DIRECTORY_FLAG : 0);
      candidates.push({
        flags: flags | (reduced.anchored ? ANCHORED_FLAG : 0),
        line,
        valueStart,
        priority: pattern.length,
        pattern: reduced.pattern,
      });
    }
  }
  // The sort is stable, so the order of the file decides last.
  candidates.sort((a, b) => b.priority - a.priority || (b.flags & ALLOW_FLAG) - (a.flags & ALLOW_FLAG));
  return pack(candidates);
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
  const packed = new Set<string>();
  for (const { flags, line, valueStart, pattern } of candidates) {
    const anchored = flags & ANCHORED_FLAG;
    // What another rule of the same pattern always wins against need not be there.
    const key = `${anchored}${pattern}`;
    if (packed.has(key)) continue;
    packed.add(key);
    const length = String.fromCharCode(pattern.length >>> 8, pattern.length & 0xff);
    parts.push(String.fromCharCode(flags), four(line), four(valueStart), length, pattern);
    // This one matches every path.
    if (!anchored && (pattern === '' || pattern === '/')) break;
  }
  // Joined, the string is flat; added up, it would keep its parts.
  return parts.join('');
}

function four(value: number): string {
  return String.fromCharCode(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

function readFour(table: string, at: number): number {
  return (
    (table.charCodeAt(at) << 24) |
    (table.charCodeAt(at + 1) << 16) |
    (table.charCodeAt(at + 2) << 8) |
    table.charCodeAt(at + 3)
  );
}

/** Whether the rule of the entry at `entry` is an allow rule. */
export function isAllowEntry(table: string, entry: number): boolean {
  return (table.charCodeAt(entry) & ALLOW_FLAG) !== 0;
}

/** Whether the rule of the entry at `entry` forbids what it matches. */
export function forbids(table: string, entry: number): boolean {
  return (table.charCodeAt(entry) & FORBIDS_FLAG) !== 0;
}

/** Whether the entry at `entry` is the directory of a rule for an index page. */
export function isDirectoryEntry(table: string, entry: number): boolean {
  return (table.charCodeAt(entry) & DIRECTORY_FLAG) !== 0;
}

/** Whether the pattern of the entry at `entry` ends with `$`. */
export function isAnchoredEntry(table: string, entry: number): boolean {
  return (table.charCodeAt(entry) & ANCHORED_FLAG) !== 0;
}

/** Line of the entry's rule. */
export function lineOfEntry(table: string, entry: number): number {
  return readFour(table, entry + 1);
}

/** Where in the file the value of the entry's rule starts. */
export function valueStartOfEntry(table: string, entry: number): number {
  return readFour(table, entry + 5);
}

/** Where in the table the entry's pattern starts. It ends where the next entry starts. */
export function patternStart(entry: number): number {
  return entry + HEADER;
}

/** Where the entry after that at `entry` starts; the table's length after the last. */
export function nextEntry(table: string, entry: number): number {
  return entry + HEADER + ((table.charCodeAt(entry + 9) << 8) | table.charCodeAt(entry + 10));
}

/** Whether a table is so short that {@link findWinner} is the fastest way. */
export function isShortTable(table: string): boolean {
  let cost = 0;
  for (let entry = 0; entry < table.length && cost <= SHORT_TABLE_COST; ) {
    const next = nextEntry(table, entry);
    const star = table.indexOf('*', patternStart(entry));
    cost += star >= 0 && star < next ? WILDCARD_COST : 1;
    entry = next;
  }
  return cost <= SHORT_TABLE_COST;
}

/**
 * The entry that wins for the path that starts at `start` of `text` and goes to its end, found by trying one after
 * another.
 *
 * @returns where the entry starts in the table, or {@link NONE}.
 */
export function findWinner(table: string, text: string, start: number): number {
  let entry = 0;
  while (entry < table.length) {
    const next = nextEntry(table, entry);
    if (matchesEntry(table, entry, next, text, start)) return entry;
    entry = next;
  }
  return NONE;
}

function matchesEntry(table: string, entry: number, next: number, text: string, start: number): boolean {
  const flags = table.charCodeAt(entry);
  let at = start;
  for (let i = entry + HEADER; i < next; i++, at++) {
    const code = table.charCodeAt(i);
    if (code === STAR) return matchesAfterStar(table, i + 1, next, (flags & ANCHORED_FLAG) !== 0, text, at);
    if (at === text.length || text.charCodeAt(at) !== code) return false;
  }
  return (flags & ANCHORED_FLAG) === 0 || at === text.length;
}

/**
 * Whether what stands behind a star, from `from` to `end` of the table, matches somewhere from `at` on. The parts between
 * stars are found from left to right, each as early as it can be: an earlier place leaves more room for the rest, so there
 * is never anything to come back for.
 */
function matchesAfterStar(
  table: string,
  from: number,
  end: number,
  anchored: boolean,
  text: string,
  at: number,
): boolean {
  let partStart = from;
  let place = at;
  for (let i = from; i < end; i++) {
    if (table.charCodeAt(i) !== STAR) continue;
    const found = searchPart(text, table.slice(partStart, i), place);
    if (found < 0) return false;
    place = found + i - partStart;
    partStart = i + 1;
  }
  const last = table.slice(partStart, end);
  if (!anchored) return searchPart(text, last, place) >= 0;
  return text.length - last.length >= place && text.endsWith(last);
}
