/**
 * A single decision about a file, without a document or rule table: one pass over the bytes collects the rules of the crawler, and the
 * rules are matched in the bytes of the file.
 *
 * It supports profiles that compare patterns as written, and limits the number of steps. In other cases the caller parses the file.
 * Property tests compare both results.
 *
 * @module
 */
import { DOLLAR, PERCENT, STAR } from '../bytes/ascii.ts';
import { escapeValue } from '../bytes/escape.ts';
import type { Preference } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import { collectInOnePass, type RuleList } from '../syntax/one-pass.ts';
import { matchesPattern, mayEndWithIndexPage, toDirectoryPattern } from './pattern.ts';

/** The result of a decision, valid until the next one. */
export interface OneShotResult {
  /** The bit of the selected groups (collect.ts); 0 if no group applies. */
  chosen: number;
  /** Line of the deciding rule; 0 if none matched. */
  line: number;
  allowed: boolean;
}

const result: OneShotResult = { chosen: 0, line: 0, allowed: true };

/** Whether the profile allows matching the patterns as written in the file. */
export function comparesAsWritten({ comparison, missingSlash, isRobotsTxtAllowed }: Profile): boolean {
  return comparison === 'escaped' && missingSlash === 'no-match' && !isRobotsTxtAllowed;
}

/** Limit of character comparisons. Beyond it, an automaton is faster. */
const MAX_STEPS = 100_000;

/**
 * Decides the path from `start` to the end of `text`, under a profile that {@link comparesAsWritten}.
 *
 * @returns a result that is valid until the next call; `undefined` if the decision could exceed the limit of steps.
 */
export function decideOnce(
  bytes: Uint8Array,
  profile: Profile,
  preference: Preference,
  text: string,
  start: number,
): OneShotResult | undefined {
  const list = collectInOnePass(bytes, profile.fieldNames === 'exact', preference, text, start);
  if (list.count * (text.length - start) > MAX_STEPS) return undefined;
  const { chosen } = list;
  let allow = -1;
  let allowLine = 0;
  let disallow = -1;
  let disallowLine = 0;
  for (let index = 0; index < list.count; index++) {
    if (!list.isIn(index, chosen)) continue;
    if (list.isAllow(index)) {
      const priority = matchAllow(bytes, list, index, text, start, profile);
      if (priority > allow) {
        allow = priority;
        allowLine = list.line(index);
      }
    } else {
      const priority = matchValue(bytes, list.valueStart(index), list.valueEnd(index), text, start);
      if (priority > disallow) {
        disallow = priority;
        disallowLine = list.line(index);
      }
    }
  }
  result.chosen = chosen;
  result.allowed = disallow <= Math.max(allow, 0);
  result.line = disallow > allow ? disallowLine : allowLine;
  return result;
}

/** Returns the priority of an allow rule that matches, also by the directory of an index page; -1 if it does not match. */
function matchAllow(
  bytes: Uint8Array,
  list: RuleList,
  index: number,
  text: string,
  start: number,
  profile: Profile,
): number {
  const valueStart = list.valueStart(index);
  const valueEnd = list.valueEnd(index);
  const priority = matchValue(bytes, valueStart, valueEnd, text, start);
  if (priority >= 0 || !profile.matchesIndexPages || !mayEndWithIndexPage(bytes, valueStart, valueEnd))
    return priority;
  const directory = toDirectoryPattern(escapeValue(bytes, valueStart, valueEnd));
  return directory !== undefined && matchesPattern(text.slice(start), directory) ? directory.length : -1;
}

/** Returns the priority of the rule with the value in bytes `from` to `end` if it matches; -1 if it does not. */
function matchValue(bytes: Uint8Array, from: number, end: number, text: string, start: number): number {
  let at = start;
  for (let i = from; i < end; i++, at++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80 || byte === STAR || byte === PERCENT || (byte === DOLLAR && i === end - 1)) {
      return matchSpecial(bytes, from, end, i, text, start, at);
    }
    if (at === text.length || text.charCodeAt(at) !== byte) return -1;
  }
  return end - from;
}

/** The same for a value whose bytes before `special` have matched `text` up to `at`, and whose byte at `special` is not literal. */
function matchSpecial(
  bytes: Uint8Array,
  from: number,
  end: number,
  special: number,
  text: string,
  start: number,
  at: number,
): number {
  const byte = bytes[special];
  if (byte === DOLLAR) return at === text.length ? end - from : -1;
  const found = byte === STAR ? matchParts(bytes, special + 1, end, text, at) : UNDECIDED;
  if (found !== UNDECIDED) return found === MATCH ? end - from : -1;
  const pattern = escapeValue(bytes, from, end);
  return matchesPattern(text.slice(start), pattern) ? pattern.length : -1;
}

const NO_MATCH = 0;
const MATCH = 1;
/** The value contains octets that must be escaped, or a part that needs a linear-time search. */
const UNDECIDED = 2;
const MAX_PART_LENGTH = 24;

/** Matches the parts between stars from byte `from` on: each must occur in `text` after the previous one, the first from `at` on. */
function matchParts(bytes: Uint8Array, from: number, end: number, text: string, at: number): number {
  let position = at;
  let partStart = from;
  for (let i = from; i <= end; i++) {
    const byte = i < end ? (bytes[i] as number) : STAR;
    if (byte >= 0x80 || byte === PERCENT || i - partStart > MAX_PART_LENGTH) return UNDECIDED;
    if (byte !== STAR) continue;
    if (i === end && bytes[end - 1] === DOLLAR) {
      const length = end - 1 - partStart;
      const last = text.length - length;
      return last >= position && isPartAt(bytes, partStart, length, text, last) ? MATCH : NO_MATCH;
    }
    const length = i - partStart;
    const last = text.length - length;
    while (position <= last && !isPartAt(bytes, partStart, length, text, position)) position++;
    if (position > last) return NO_MATCH;
    position += length;
    partStart = i + 1;
  }
  return MATCH;
}

function isPartAt(bytes: Uint8Array, from: number, length: number, text: string, at: number): boolean {
  for (let i = 0; i < length; i++) if (text.charCodeAt(at + i) !== bytes[from + i]) return false;
  return true;
}
