/**
 * Rule tables with an index of the second and third characters of their patterns, because the first is mostly `/`. Most entries that cannot
 * match a path are skipped by one byte.
 *
 * @module
 */
import { STAR } from '../bytes/ascii.ts';
import type { RankedPatterns } from './ranked-patterns.ts';
import { NONE, packRuleTable, pushNumber, type RuleTable, readNumber } from './rule-table.ts';

/** The key of entries with a mask: those whose patterns match paths with different second characters, and the few others with this hash. */
const MASKED = 0xff;
/** Bytes of the mask of such an entry. */
const MASK_BYTES = 4;

/**
 * Packs patterns into a rule table with an index. Its trailer contains the masks of the entries with the key {@link MASKED}, those of the last
 * entry first, and then the key of each entry.
 */
export function packIndexedTable(ranked: RankedPatterns): string {
  const patterns = Array.from({ length: ranked.count }, (_, entry) => ranked.pattern(entry));
  const keys = patterns.map(getPatternKey);
  const trailer: number[] = [];
  for (let entry = keys.length - 1; entry >= 0; entry--)
    if (keys[entry] === MASKED) pushNumber(trailer, MASK_BYTES, getPatternMask(patterns[entry] as string));
  return packRuleTable(ranked, trailer.concat(keys));
}

/** Finds the winning entry of a table with an index for the path from `start` to the end of `text`; {@link NONE} if no entry matches. */
export function findIndexedEntry(table: RuleTable, text: string, start: number): number {
  const { packed, count } = table;
  const second = getCharacter(text, start + 1);
  const key = getKey(second, getCharacter(text, start + 2));
  const shortKey = getKey(second, 0);
  const keysAt = packed.length - count;
  let maskAt = keysAt;
  let pathMask = 0;
  for (let entry = 0; entry < count; entry++) {
    const each = packed.charCodeAt(keysAt + entry);
    if (each === MASKED) {
      maskAt -= MASK_BYTES;
      const mask = readNumber(packed, maskAt, MASK_BYTES);
      if (mask !== 0) {
        if (pathMask === 0) pathMask = getPathMask(text, start);
        if ((mask & ~pathMask) !== 0) continue;
      }
    } else if (each !== key && each !== shortKey) continue;
    if (table.matches(entry, text, start)) return entry;
  }
  return NONE;
}

/** Returns the character at an index; 0 after the end of the text, where `charCodeAt` is slow in V8. */
function getCharacter(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}

/** Returns the set of characters from `start` to the end of `text`: a bit for every 32nd character. It is not 0, because paths contain a slash. */
function getPathMask(text: string, start: number): number {
  let mask = 0;
  for (let at = start; at < text.length; at++) mask |= 1 << text.charCodeAt(at);
  return mask;
}

/** Returns the set of the characters that all paths of a pattern contain, except slashes. */
function getPatternMask(pattern: string): number {
  return getPathMask(pattern.replace(/[*/]/g, ''), 0);
}

/** Returns the key of a second and a third character. The third is 0 if the pattern does not fix it. */
function getKey(second: number, third: number): number {
  return (second ^ (third * 9)) & 0xff;
}

/** Returns the key of a pattern. */
function getPatternKey(pattern: string): number {
  if (pattern.length < 2 || pattern.lastIndexOf('*', 1) >= 0) return MASKED;
  const third = getCharacter(pattern, 2);
  return getKey(pattern.charCodeAt(1), third === STAR ? 0 : third);
}
