// A decision without a rule table: one pass over the lines of the file, in which each rule that applies is matched in the bytes of the
// file.
//
// It supports profiles that compare patterns as written, and limits the number of steps. Property tests compare its results with those
// of the rule table.
import { DOLLAR, PERCENT, STAR } from '../bytes/ascii.ts';
import { escapeValue } from '../bytes/escape.ts';
import { type AgentTokens, MAX_TOKENS } from '../crawler/crawler.ts';
import type { Profile } from '../crawler/profile.ts';
import { createNamedTokens, matchTokenSets, type NamedTokens } from '../syntax/collect.ts';
import { ALLOW, DISALLOW, USER_AGENT } from '../syntax/fields.ts';
import type { RuleLines } from '../syntax/rule-lines.ts';
import { getPathMask } from './path-mask.ts';
import { matchesPattern, mayEndWithIndexPage, toDirectoryPattern } from './pattern.ts';

interface RuleDecision {
  /** The bit of the selected groups (collect.ts); 0 if no group applies. */
  readonly chosen: number;
  /** Line of the deciding rule; 0 if none matched. */
  readonly line: number;
  readonly allowed: boolean;
}

export interface MatchedRule {
  readonly line: number;
  /** Offset of the rule's value in the file. */
  readonly valueStart: number;
  /** Whether it matches as the directory of an index page. */
  readonly isDirectory: boolean;
}

/** Whether the profile allows matching the patterns as written in the file. */
export function comparesAsWritten({ comparison, missingSlash }: Profile): boolean {
  return comparison === 'escaped' && missingSlash === 'no-match';
}

/** Limit of characters of the path that are compared with patterns with stars and escapes. Beyond it, a rule table is faster. */
const MAX_STEPS = 100_000;

/** The best matches of a decision by rank of the token set, disallow before allow. Priorities are -1 without a match. */
const MAX_RANKS: number = MAX_TOKENS + 1;
const priorities: Int32Array = /* @__PURE__ */ new Int32Array(2 * MAX_RANKS);
const matchedLines: Int32Array = /* @__PURE__ */ new Int32Array(2 * MAX_RANKS);
const valueStarts: Int32Array = /* @__PURE__ */ new Int32Array(2 * MAX_RANKS);

/** Number of characters that the current decision may still compare. */
let steps = 0;
/** The set of characters of the current path: a bit for every 32nd character. 0 until it is needed. */
let pathMask = 0;
/** Whether the last rule matched as the directory of an index page. */
let isDirectoryMatch = false;

/** The decision that {@link decideOnce} returns. */
export class OnceDecision implements RuleDecision {
  chosen = 0;
  line = 0;
  allowed = true;
  named: NamedTokens = undefined;
  /** Index of the deciding match. */
  winner = 0;
}

const result: OnceDecision = /* @__PURE__ */ new OnceDecision();

/**
 * Decides the path from `start` to the end of `text`, under a profile that {@link comparesAsWritten}.
 *
 * @returns a result that is valid until the next call; `undefined` if the decision exceeds the limit of steps.
 */
export function decideOnce(
  lines: RuleLines,
  profile: Profile,
  agentTokens: AgentTokens,
  text: string,
  start: number,
): OnceDecision | undefined {
  const { bytes } = lines;
  const ranks = agentTokens.tokenSets.length + 1;
  for (let at = 0; at < 2 * ranks; at++) priorities[at] = -1;
  steps = MAX_STEPS;
  pathMask = 0;
  let seen = 0;
  let groupBits = 0;
  let isListClosed = false;
  const named = createNamedTokens(agentTokens);
  while (lines.next()) {
    const { kind, valueStart, valueEnd } = lines;
    if (kind === USER_AGENT) {
      if (isListClosed) groupBits = 0;
      isListClosed = false;
      groupBits |= matchTokenSets(bytes, valueStart, valueEnd, agentTokens, named);
      seen |= groupBits;
      // Groups of a token set that is less preferred than another one in the file do not apply.
      groupBits &= 2 * (seen & -seen) - 1;
    } else if (kind === ALLOW || kind === DISALLOW) {
      isListClosed = true;
      if (groupBits === 0) continue;
      const isAllow = kind === ALLOW;
      const priority = matchRule(bytes, valueStart, valueEnd, isAllow, profile, text, start);
      if (steps < 0) return undefined;
      if (priority >= 0) recordMatch(groupBits, isAllow, priority, lines.line, valueStart);
    }
  }
  const chosen = seen & -seen;
  const first = chosen === 0 ? 0 : 2 * getRank(chosen);
  const disallow = priorities[first] as number;
  const allow = priorities[first + 1] as number;
  result.chosen = chosen;
  result.named = named;
  result.allowed = disallow <= Math.max(allow, 0);
  result.winner = disallow > allow ? first : first + 1;
  result.line = Math.max(disallow, allow) < 0 ? 0 : (matchedLines[result.winner] as number);
  return result;
}

/**
 * Reads a match of the last decision, which must be the argument.
 *
 * @param isOverridden - reads the best match of the opposite kind of the deciding rule instead of that rule.
 */
export function readMatch({ winner }: OnceDecision, isOverridden: boolean): MatchedRule | undefined {
  const at = isOverridden ? winner ^ 1 : winner;
  if ((priorities[winner] as number) < 0 || (priorities[at] as number) < 0) return undefined;
  const valueStart = valueStarts[at] as number;
  return {
    line: matchedLines[at] as number,
    valueStart: valueStart >> 1,
    isDirectory: (valueStart & 1) === 1,
  };
}

function getRank(bit: number): number {
  return 31 - Math.clz32(bit);
}

/** Records a match of a rule in groups of all ranks with a bit. Of equal priorities, the first one in the file counts. */
function recordMatch(
  bits: number,
  isAllow: boolean,
  priority: number,
  line: number,
  valueStart: number,
): void {
  for (let rest = bits; rest !== 0; rest &= rest - 1) {
    const at = 2 * getRank(rest & -rest) + (isAllow ? 1 : 0);
    if (priority <= (priorities[at] as number)) continue;
    priorities[at] = priority;
    matchedLines[at] = line;
    valueStarts[at] = 2 * valueStart + (isDirectoryMatch ? 1 : 0);
  }
}

/** Returns the priority of a rule that matches, an allow rule also by the directory of an index page; -1 if it does not match. */
function matchRule(
  bytes: Uint8Array,
  valueStart: number,
  valueEnd: number,
  isAllow: boolean,
  profile: Profile,
  text: string,
  start: number,
): number {
  isDirectoryMatch = false;
  const priority = matchValue(bytes, valueStart, valueEnd, text, start);
  if (priority >= 0 || !isAllow) return priority;
  if (!profile.matchesIndexPages || !mayEndWithIndexPage(bytes, valueStart, valueEnd)) return -1;
  const directory = toDirectoryPattern(escapeValue(bytes, valueStart, valueEnd));
  if (directory === undefined) return -1;
  steps -= text.length - start;
  isDirectoryMatch = matchesPattern(text.slice(start), directory);
  return isDirectoryMatch ? directory.length : -1;
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
  steps -= text.length - start;
  const byte = bytes[special];
  if (byte === DOLLAR) return at === text.length ? end - from : -1;
  if (pathMask === 0) pathMask = getPathMask(text, start);
  if (lacksCharacter(bytes, special, end)) return -1;
  const found = byte === STAR ? matchParts(bytes, special + 1, end, text, at) : UNDECIDED;
  if (found !== UNDECIDED) return found === MATCH ? end - from : -1;
  const pattern = escapeValue(bytes, from, end);
  return matchesPattern(text.slice(start), pattern) ? pattern.length : -1;
}

/** Whether a literal character of a value does not occur in the path. Most patterns with stars that do not match have one, such as `?`. */
function lacksCharacter(bytes: Uint8Array, from: number, end: number): boolean {
  for (let i = from; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte >= 0x80 || byte === PERCENT || byte === DOLLAR) return false;
    if (byte !== STAR && ((pathMask >>> byte) & 1) === 0) return true;
  }
  return false;
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
