/**
 * The engine for many decisions: URLs in the form of a request are recognised without parsing, and where rules are many, all of
 * them are matched at once.
 *
 * @module
 */
import { SLASH } from '../bytes/ascii.ts';
import { OBJECT_BYTES } from '../bytes/memory.ts';
import type { Preference } from '../crawler/crawler.ts';
import type { Collected, CollectedRule } from '../syntax/collect.ts';
import { collectInOnePass } from '../syntax/one-pass.ts';
import { Automaton, GAVE_UP } from './automaton.ts';
import type { Engine, Matcher } from './engine.ts';
import { PartMatcher } from './part-matcher.ts';
import { PLAIN_CHARACTERS, SEGMENT_START } from './request-path.ts';
import type { RuleTable } from './rule-table.ts';
import { IndexedTable } from './indexed-table.ts';
import type { Scope } from './target.ts';

/** What the states of an automaton may take in memory: so many bytes for each byte of the rule table, but at least... */
const AUTOMATON_FACTOR = 32;
const MIN_AUTOMATON_BYTES = 524_288;

/** Many files are asked about once or twice; making an automaton for those would be work for nothing. */
const DECISIONS_BEFORE = 8;
/** With so many rules with a star it is not. */
const MANY_WILD = 256;

/** Up to so many rules, and so many of them with a star, the table alone is fast, and takes less memory. */
const MAX_RULES = 160;
const MAX_WILD = 24;

function createMatcher(table: RuleTable): Matcher {
  const { count, wildcardCount } = table;
  if (wildcardCount <= MAX_WILD && count <= MAX_RULES) return table;
  return new FastMatcher(table, wildcardCount > MANY_WILD ? 0 : DECISIONS_BEFORE);
}

/** Up to so many comparisons of a character the table alone is fast enough where the automaton gives up. */
const MAX_TABLE_STEPS = 1_000_000;

/** Searches the table at first, and then has an automaton, and for paths on which that gives up a part matcher. */
class FastMatcher implements Matcher {
  readonly #table: RuleTable;
  #automaton: Automaton | undefined;
  #parts: PartMatcher | undefined;
  #decisionsBefore: number;

  constructor(table: RuleTable, decisionsBefore: number) {
    this.#table = table;
    this.#decisionsBefore = decisionsBefore;
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
      if (this.#decisionsBefore-- > 0) return table.find(text, start);
      const maxBytes = Math.max(MIN_AUTOMATON_BYTES, AUTOMATON_FACTOR * table.sizeInBytes);
      this.#automaton = new Automaton(table, maxBytes);
    }
    const entry = this.#automaton.find(text, start);
    return entry === GAVE_UP ? this.#findWithoutAutomaton(text, start) : entry;
  }

  #findWithoutAutomaton(text: string, start: number): number {
    const table = this.#table;
    if (table.wildcardCount * (text.length - start) <= MAX_TABLE_STEPS) return table.find(text, start);
    this.#parts ??= new PartMatcher(table);
    const literal = table.findLiteral(text, start);
    return Math.min(literal, this.#parts.find(text, start, literal));
  }
}

/** The rules that one pass collects. */
function collectFast(bytes: Uint8Array, exactFields: boolean, preference: Preference): Collected {
  const list = collectInOnePass(bytes, exactFields, preference);
  const { chosen, count } = list;
  const rules: CollectedRule[] = [];
  for (let index = 0; index < count; index++) if (list.isIn(index, chosen)) rules.push(list.rule(index));
  return { chosen, rules };
}

/** The engine that `parse` of the package's main entry uses. */
export const FAST_ENGINE: Engine = {
  collect: collectFast,
  findPathStart: findRequestPathStart,
  createTable: (content, ranked) => new IndexedTable(content, ranked),
  createMatcher: createMatcher,
};

/** Longer URLs are parsed: the engine of regular expressions keeps a note for each character. */
const MAX_URL_LENGTH = 4096;

const PLAIN = `[${PLAIN_CHARACTERS}]*`;
/** A slash, and a segment that begins with neither a dot nor an escaped one. */
const SEGMENT = `/(?:(?:[${SEGMENT_START}]|%(?:2[\\dA-DF]|[013-9A-F][\\dA-F]))${PLAIN}(?:%[\\dA-F]{2}${PLAIN})*)?`;

/**
 * A path and query in the form of a request: no segment begins with a dot, and escapes are in upper case. Of the ways to
 * write it, this is the fastest. The time is linear: each repetition begins with a character that ends the one before.
 */
const REQUEST_PATH = new RegExp(`(?:${SEGMENT})+$`, 'y');

/**
 * An http or https URL with such a path and a host that is plain: lower-case letters, digits, single `-` and `.`, its last
 * label no number.
 */
const REQUEST_URL = new RegExp(`^https?://(?:[a-z\\d]+[.-])*[a-z](?:[a-z\\d]*[a-z])?(?:${SEGMENT})+$`);

/**
 * Where the path starts in a URL that is in the form of a request already, so that nothing needs to be parsed: then it
 * goes on to the end. Most URLs that a crawler meets are of this kind.
 *
 * Regular expressions, because URLs are often strings that V8 has joined or cut, and slow to read one by one character.
 *
 * @returns an index, or -1: then {@link findTarget} must look.
 */
function findRequestPathStart(url: string, scope: Scope | undefined): number {
  if (url.length > MAX_URL_LENGTH) return -1;
  const isPath = url.charCodeAt(0) === SLASH;
  if (scope === undefined && !isPath) return REQUEST_URL.test(url) ? url.indexOf('/', SHORTEST) : -1;
  // A path that starts with two slashes is, without an origin before it, an origin.
  if (isPath && url.charCodeAt(1) === SLASH) return -1;
  if (scope !== undefined && 'outOfScope' in scope) return -1;
  const start = isPath ? 0 : scope !== undefined && url.startsWith(scope.origin) ? scope.origin.length : -1;
  if (start < 0) return -1;
  REQUEST_PATH.lastIndex = start;
  return REQUEST_PATH.test(url) ? start : -1;
}

/** Up to here there can be no path: `http://a`. */
const SHORTEST = 8;
