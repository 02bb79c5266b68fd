/**
 * The fast engine: recognises URLs in request form without parsing them, and matches large rule tables with an automaton.
 *
 * @module
 */
import { SLASH } from '../bytes/ascii.ts';
import { OBJECT_BYTES } from '../bytes/memory.ts';
import { Automaton, GAVE_UP } from './automaton.ts';
import type { Engine, Matcher } from './engine.ts';
import { IndexedTable } from './indexed-table.ts';
import { PartMatcher } from './part-matcher.ts';
import { PLAIN_CHARACTERS, SEGMENT_START } from './request-path.ts';
import type { RuleTable } from './rule-table.ts';
import type { Scope } from './target.ts';

/** Memory limit of an automaton's states: bytes per byte of the rule table, and the minimum in bytes. */
const AUTOMATON_FACTOR = 32;
const MIN_AUTOMATON_BYTES = 524_288;

/** Number of decisions by the table before an automaton is created: it does not pay off for one or two URLs. */
const DECISIONS_BEFORE_AUTOMATON = 8;
/** With more wildcard patterns than this, the automaton is created for the first decision. */
const MANY_WILDCARDS = 256;

/** Within both limits the table alone is fast, and takes less memory than an automaton. */
const MAX_TABLE_RULES = 160;
const MAX_TABLE_WILDCARDS = 24;

function createMatcher(table: RuleTable): Matcher {
  const { count, wildcardCount } = table;
  if (wildcardCount <= MAX_TABLE_WILDCARDS && count <= MAX_TABLE_RULES) return table;
  return new FastMatcher(table, wildcardCount > MANY_WILDCARDS ? 0 : DECISIONS_BEFORE_AUTOMATON);
}

/** Limit of character comparisons for using the table where the automaton gives up. */
const MAX_TABLE_STEPS = 1_000_000;
/** The same limit for entries of one kind. It is higher because few callers look for them, and a part matcher takes time to create. */
const MAX_KIND_STEPS = 50_000_000;

/** Uses the table for the first decisions, then an automaton, and a part matcher for paths on which the automaton gives up. */
class FastMatcher implements Matcher {
  readonly #table: RuleTable;
  #automaton: Automaton | undefined;
  #parts: PartMatcher | undefined;
  #decisionsBeforeAutomaton: number;

  constructor(table: RuleTable, decisionsBeforeAutomaton: number) {
    this.#table = table;
    this.#decisionsBeforeAutomaton = decisionsBeforeAutomaton;
  }

  get sizeInBytes(): number {
    return (
      OBJECT_BYTES +
      this.#table.sizeInBytes +
      (this.#automaton?.sizeInBytes ?? 0) +
      (this.#parts?.sizeInBytes ?? 0)
    );
  }

  find(text: string, start: number): number {
    const table = this.#table;
    if (this.#automaton === undefined) {
      if (this.#decisionsBeforeAutomaton-- > 0) return table.find(text, start);
      const maxBytes = Math.max(MIN_AUTOMATON_BYTES, AUTOMATON_FACTOR * table.sizeInBytes);
      this.#automaton = new Automaton(table, maxBytes);
    }
    const entry = this.#automaton.find(text, start);
    return entry === GAVE_UP ? this.#findWithoutAutomaton(text, start) : entry;
  }

  findOfKind(isAllow: boolean, path: string): number {
    const table = this.#table;
    if (table.wildcardCount * path.length <= MAX_KIND_STEPS) return table.findOfKind(isAllow, path);
    return this.#findByParts(path, 0, isAllow);
  }

  #findWithoutAutomaton(text: string, start: number): number {
    const table = this.#table;
    if (table.wildcardCount * (text.length - start) <= MAX_TABLE_STEPS) return table.find(text, start);
    return this.#findByParts(text, start);
  }

  /** @param isAllow - considers only entries of this kind. @defaultValue entries of both kinds */
  #findByParts(text: string, start: number, isAllow?: boolean): number {
    this.#parts ??= new PartMatcher(this.#table);
    const literal = this.#table.findLiteral(text, start, isAllow);
    return Math.min(literal, this.#parts.find(text, start, literal, isAllow));
  }
}

/** The engine of `parse` in the main entry point. */
export const FAST_ENGINE: Engine = {
  createTable: (content, ranked) => new IndexedTable(content, ranked),
  createMatcher: createMatcher,
};

/** Longer URLs are parsed: V8's regular expressions take memory per character. */
const MAX_URL_LENGTH = 4096;

const PLAIN = `[${PLAIN_CHARACTERS}]*`;
/** A slash, and a segment that does not begin with `.` or `%2E`. */
const SEGMENT = `/(?:(?:[${SEGMENT_START}]|%(?:2[\\dA-DF]|[013-9A-F][\\dA-F]))${PLAIN}(?:%[\\dA-F]{2}${PLAIN})*)?`;

/**
 * A path and query in request form: no segment begins with a dot, and the digits of `%XX` are in upper case. The time is linear,
 * because each repetition begins with a character that cannot continue the previous one.
 */
const REQUEST_PATH = new RegExp(`(?:${SEGMENT})+$`, 'y');

/**
 * An http or https URL with such a path and a simple host: lower-case letters, digits, single `-` and `.`, and a last label that is
 * not a number.
 */
const REQUEST_URL = new RegExp(`^https?://(?:[a-z\\d]+[.-])*[a-z](?:[a-z\\d]*[a-z])?(?:${SEGMENT})+$`);

/**
 * Finds the path in a URL that is already in request form, as most URLs are. The path extends to the end of the URL.
 *
 * It uses regular expressions because reading single characters of concatenated or sliced strings is slow in V8.
 *
 * @returns the index of the path, or -1 if {@link findTarget} must parse the URL.
 */
export function findRequestPathStart(url: string, scope: Scope | undefined): number {
  if (url.length > MAX_URL_LENGTH) return -1;
  const isPath = url.charCodeAt(0) === SLASH;
  if (scope === undefined && !isPath) return REQUEST_URL.test(url) ? url.indexOf('/', MIN_PATH_START) : -1;
  // `//host/path` is a scheme-relative URL, not a path.
  if (isPath && url.charCodeAt(1) === SLASH) return -1;
  if (scope !== undefined && 'outOfScope' in scope) return -1;
  const start = isPath ? 0 : scope !== undefined && url.startsWith(scope.origin) ? scope.origin.length : -1;
  if (start < 0) return -1;
  REQUEST_PATH.lastIndex = start;
  return REQUEST_PATH.test(url) ? start : -1;
}

/** Length of `http://a`: no path starts before this index. */
const MIN_PATH_START = 8;
