/**
 * The engine for many decisions: URLs in the form of a request are recognised without parsing, and where rules are many, all of
 * them are matched at once.
 *
 * @module
 */
import { HYPHEN, SLASH } from './ascii.ts';
import { Automaton, GIVEN_UP } from './automaton.ts';
import type { Engine, Matcher } from './engine.ts';
import { findWinner, isShortTable } from './rule-table.ts';
import type { Scope } from './target.ts';

/** What the states of an automaton may take in memory: so many bytes for each byte of the rule table, but at least... */
const AUTOMATON_FACTOR = 8;
const MIN_AUTOMATON_BYTES = 131_072;

/** Many files are asked about once or twice; making an automaton for those would be work for nothing. */
const DECISIONS_BEFORE_AUTOMATON = 8;

/** Tries one rule after another while that is the fastest way, and then has an automaton. */
class FastMatcher implements Matcher {
  readonly #table: string;
  readonly #isShort: boolean;
  #automaton: Automaton | undefined;
  #decisions = 0;

  constructor(table: string) {
    this.#table = table;
    this.#isShort = isShortTable(table);
  }

  get sizeInBytes(): number {
    return this.#automaton?.sizeInBytes ?? 0;
  }

  find(text: string, start: number): number {
    const table = this.#table;
    if (this.#isShort || this.#decisions++ < DECISIONS_BEFORE_AUTOMATON)
      return findWinner(table, text, start);
    this.#automaton ??= new Automaton(table, Math.max(MIN_AUTOMATON_BYTES, AUTOMATON_FACTOR * table.length));
    const entry = this.#automaton.find(text, start);
    return entry === GIVEN_UP ? findWinner(table, text, start) : entry;
  }
}

/** The engine that `parse` of the package's main entry uses. */
export const FAST_ENGINE: Engine = { pathStart: normalPathStart, matcher: (table) => new FastMatcher(table) };

/**
 * Where the path starts in a URL that is in the form of a request already, so that nothing needs to be parsed: then it
 * goes on to the end. Most URLs that a crawler meets are of this kind.
 *
 * @returns an index, or -1: then {@link findTarget} must look.
 */
function normalPathStart(url: string, scope: Scope | undefined): number {
  let start: number;
  if (url.charCodeAt(0) === SLASH) start = 0;
  else if (scope === undefined) start = normalHostEnd(url);
  else start = 'origin' in scope && url.startsWith(scope.origin) ? scope.origin.length : -1;
  // A path that starts with two slashes is, without an origin before it, an origin.
  if (start < 0 || url.charCodeAt(start) !== SLASH || (start === 0 && url.charCodeAt(1) === SLASH)) return -1;
  if (scope !== undefined && 'outOfScope' in scope) return -1;
  for (let at = start, previous = 0; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code >= 128) return -1;
    switch (CHARACTERS[code]) {
      case PLAIN:
        break;
      case DOT:
        // A segment that begins with a dot may be `.` or `..`.
        if (previous === SLASH) return -1;
        break;
      case ESCAPE:
        // `%2e` is a dot too, and hexadecimal digits must be in upper case.
        if (!isNormalEscape(url, at) || (previous === SLASH && url.startsWith('%2E', at))) return -1;
        break;
      default:
        return -1;
    }
    previous = code;
  }
  return start;
}

/** What a character of a path or query means to {@link normalPathStart}; any other needs a closer look. */
const PLAIN = 1;
const DOT = 2;
const ESCAPE = 3;
const DOT_CODE = 0x2e;
const CHARACTERS: Uint8Array = /* @__PURE__ */ makeCharacters();

function makeCharacters(): Uint8Array {
  const characters = new Uint8Array(128);
  const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~!$&()*+,;=:@/?[]|';
  for (let i = 0; i < plain.length; i++) characters[plain.charCodeAt(i)] = PLAIN;
  characters['.'.charCodeAt(0)] = DOT;
  characters['%'.charCodeAt(0)] = ESCAPE;
  return characters;
}

/** Whether `%` and two hexadecimal digits in upper case stand at `at`. */
function isNormalEscape(url: string, at: number): boolean {
  return isUpperHex(url.charCodeAt(at + 1)) && isUpperHex(url.charCodeAt(at + 2));
}

function isUpperHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46);
}

/**
 * Where the host ends in an http or https URL whose host is plain: lower-case letters, digits, `-` and `.`, its last label
 * with a letter at either end (so no number), and no two `-` in a row (so no international label). -1 for any other.
 */
function normalHostEnd(url: string): number {
  const start = url.startsWith('https://') ? 8 : url.startsWith('http://') ? 7 : -1;
  if (start < 0) return -1;
  let previous = DOT_CODE;
  let labelStartsWithLetter = false;
  let at = start;
  for (; at < url.length; at++) {
    const code = url.charCodeAt(at);
    const isLetter = isLowerLetter(code);
    if (!isLetter && code !== DOT_CODE && (code < 0x30 || code > 0x39)) {
      if (code !== HYPHEN) break;
      if (previous === HYPHEN) return -1;
    }
    if (previous === DOT_CODE) labelStartsWithLetter = isLetter;
    previous = code;
  }
  return labelStartsWithLetter && isLowerLetter(previous) ? at : -1;
}

function isLowerLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}
