/**
 * The engine for many decisions: URLs in the form of a request are recognised without parsing, and where rules are many, all of
 * them are matched at once.
 *
 * @module
 */
import { SLASH } from './ascii.ts';
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

/** Longer URLs are parsed: the engine of regular expressions keeps a note for each character. */
const MAX_URL_LENGTH = 4096;

/** A path and query in the form of a request: no segment begins with a dot, and escapes are in upper case. */
const NORMAL_PATH = /(?=\/)(?:[\w\-~!$&()*+,;=:@?[\]|.]|\/(?!\.|%2E)|%[\dA-F]{2})*$/y;

/**
 * An http or https URL with such a path and a host that is plain: lower-case letters, digits, single `-` and `.`, its last
 * label no number.
 */
const NORMAL_URL = new RegExp(`^https?://(?:[a-z\\d]+[.-])*[a-z](?:[a-z\\d]*[a-z])?${NORMAL_PATH.source}`);

/**
 * Where the path starts in a URL that is in the form of a request already, so that nothing needs to be parsed: then it
 * goes on to the end. Most URLs that a crawler meets are of this kind.
 *
 * Regular expressions, because URLs are often strings that V8 has joined or cut, and slow to read one by one character.
 *
 * @returns an index, or -1: then {@link findTarget} must look.
 */
function normalPathStart(url: string, scope: Scope | undefined): number {
  if (url.length > MAX_URL_LENGTH) return -1;
  const isPath = url.charCodeAt(0) === SLASH;
  if (scope === undefined && !isPath) return NORMAL_URL.test(url) ? url.indexOf('/', SHORTEST) : -1;
  // A path that starts with two slashes is, without an origin before it, an origin.
  if (isPath && url.charCodeAt(1) === SLASH) return -1;
  if (scope !== undefined && 'outOfScope' in scope) return -1;
  const start = isPath ? 0 : scope !== undefined && url.startsWith(scope.origin) ? scope.origin.length : -1;
  if (start < 0) return -1;
  NORMAL_PATH.lastIndex = start;
  return NORMAL_PATH.test(url) ? start : -1;
}

/** Up to here there can be no path: `http://a`. */
const SHORTEST = 8;
