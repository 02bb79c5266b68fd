/**
 * Rule tables with an index of the second and third characters of their patterns, because the first is mostly `/`. Candidates for a path
 * are found with `indexOf`, which is many times as fast as trying the rules one after another.
 *
 * @module
 */
import { getPathMask } from './path-mask.ts';
import type { RankedPatterns } from './ranked-patterns.ts';
import { NONE, packRuleTable, pushNumber, type RuleTable, readNumber } from './rule-table.ts';

/** The key of entries with a mask: those whose patterns do not fix both characters, and the few others with this hash. */
const MASKED = 0xff;
/** Bytes of the mask of such an entry. */
const MASK_BYTES = 4;

/**
 * Packs at most 255 patterns into a rule table with an index. Its trailer contains each entry with the key {@link MASKED} and its mask, the
 * number of these entries, and the key of each entry.
 */
export function packIndexedTable(ranked: RankedPatterns): string {
  const keys: number[] = [];
  const trailer: number[] = [];
  for (let entry = 0; entry < ranked.count; entry++) {
    const pattern = ranked.pattern(entry);
    const key = getPatternKey(pattern);
    keys.push(key);
    if (key !== MASKED) continue;
    trailer.push(entry);
    pushNumber(trailer, MASK_BYTES, getPatternMask(pattern));
  }
  const maskedCount = trailer.length / (1 + MASK_BYTES);
  return packRuleTable(ranked, trailer.concat(maskedCount, keys));
}

/** Finds the winning entry of a table with an index for the path from `start` to the end of `text`; {@link NONE} if no entry matches. */
export function findIndexedEntry(table: RuleTable, text: string, start: number): number {
  const { packed } = table;
  const keysAt = packed.length - table.count;
  const key = String.fromCharCode(getKey(getCharacter(text, start + 1), getCharacter(text, start + 2)));
  let best = NONE;
  for (let at = packed.indexOf(key, keysAt); at >= 0; at = packed.indexOf(key, at + 1)) {
    if (!table.matches(at - keysAt, text, start)) continue;
    best = at - keysAt;
    break;
  }
  let pathMask = 0;
  const maskedEnd = keysAt - 1;
  let at = maskedEnd - packed.charCodeAt(maskedEnd) * (1 + MASK_BYTES);
  for (; at < maskedEnd && packed.charCodeAt(at) < best; at += 1 + MASK_BYTES) {
    const mask = readNumber(packed, at + 1, MASK_BYTES);
    if (mask !== 0 && pathMask === 0) pathMask = getPathMask(text, start);
    const entry = packed.charCodeAt(at);
    if ((mask & ~pathMask) === 0 && table.matches(entry, text, start)) return entry;
  }
  return best;
}

/** Returns the character at an index; 0 after the end of the text, where `charCodeAt` is slow in V8. */
function getCharacter(text: string, at: number): number {
  return at < text.length ? text.charCodeAt(at) : 0;
}

/** Returns the set of the characters that all paths of a pattern contain, except slashes. */
function getPatternMask(pattern: string): number {
  return getPathMask(pattern.replace(/[*/]/g, ''), 0);
}

/** Returns the key of a second and a third character. */
function getKey(second: number, third: number): number {
  return (second ^ (third * 9)) & 0xff;
}

/** Returns the key of a pattern. */
function getPatternKey(pattern: string): number {
  if (pattern.length < 3 || pattern.lastIndexOf('*', 2) >= 0) return MASKED;
  return getKey(pattern.charCodeAt(1), pattern.charCodeAt(2));
}
