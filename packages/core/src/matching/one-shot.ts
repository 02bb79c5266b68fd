/**
 * One decision about a file that is not kept: one pass over the bytes collects the rules that concern the crawler, and
 * they are matched where they stand. No document, no table, no strings until somebody asks for the reason.
 *
 * It answers only the questions that most callers ask; for others it says so, and the long way is taken. The tests hold
 * the two ways together.
 *
 * @module
 */
import { DOLLAR, PERCENT, STAR } from '../bytes/ascii.ts';
import { escapeValue } from '../bytes/escape.ts';
import type { Preference } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import { collectInOnePass, type RuleList } from '../syntax/one-pass.ts';
import { toDirectoryPattern, mayEndWithIndexPage, matchesPattern } from './pattern.ts';

/** What was decided. Overwritten by the next decision. */
export interface OneShotResult {
  /** The bit of the groups that were used (collect.ts); 0 for none. */
  chosen: number;
  /** Line of the deciding rule; 0 if none matched. */
  line: number;
  allowed: boolean;
}

const answer: OneShotResult = { chosen: 0, line: 0, allowed: true };

/** Whether a profile compares patterns as they are written, so that they can be matched where they stand. */
export function comparesAsWritten({ comparison, missingSlash, robotsTxtAllowed }: Profile): boolean {
  return comparison === 'escaped' && missingSlash === 'never-matches' && !robotsTxtAllowed;
}

/** Matching costs up to so many steps; where it could be more, the automaton is worth its making. */
const MAX_STEPS = 100_000;

/**
 * Decides about the path that starts at `start` of `text` and goes to its end, under a profile that
 * {@link comparesAsWritten}.
 *
 * @returns what the next call overwrites; `undefined` if it would take long.
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
  answer.chosen = chosen;
  answer.allowed = disallow <= Math.max(allow, 0);
  answer.line = disallow > allow ? disallowLine : allowLine;
  return answer;
}

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
  if (priority >= 0 || !profile.indexPages || !mayEndWithIndexPage(bytes, valueStart, valueEnd))
    return priority;
  const directory = toDirectoryPattern(escapeValue(bytes, valueStart, valueEnd));
  return directory !== undefined && matchesPattern(text.slice(start), directory) ? directory.length : -1;
}

/** The priority with which the value in bytes `from` to `end` matches, or -1. */
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

/** The same for a value that has something special at `special`, up to where it has matched. */
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
/** It takes escaping, or a search that is better left to one that is sure to be linear. */
const UNDECIDED = 2;
const MAX_PART = 24;

/** Whether the parts between stars, from byte `from` on, stand in `text` one after another, from `at` on. */
function matchParts(bytes: Uint8Array, from: number, end: number, text: string, at: number): number {
  let place = at;
  let partStart = from;
  for (let i = from; i <= end; i++) {
    const byte = i < end ? (bytes[i] as number) : STAR;
    if (byte >= 0x80 || byte === PERCENT || i - partStart > MAX_PART) return UNDECIDED;
    if (byte !== STAR) continue;
    if (i === end && bytes[end - 1] === DOLLAR) {
      const length = end - 1 - partStart;
      const last = text.length - length;
      return last >= place && isPartAt(bytes, partStart, length, text, last) ? MATCH : NO_MATCH;
    }
    const length = i - partStart;
    const last = text.length - length;
    while (place <= last && !isPartAt(bytes, partStart, length, text, place)) place++;
    if (place > last) return NO_MATCH;
    place += length;
    partStart = i + 1;
  }
  return MATCH;
}

function isPartAt(bytes: Uint8Array, from: number, length: number, text: string, at: number): boolean {
  for (let i = 0; i < length; i++) if (text.charCodeAt(at + i) !== bytes[from + i]) return false;
  return true;
}
