/**
 * The fast engine: recognises URLs in request form without parsing them, and matches large rule tables with a gram index.
 *
 * @module
 */
import { SLASH } from '../bytes/ascii.ts';
import { estimateStringBytes, OBJECT_BYTES } from '../bytes/memory.ts';
import type { CompiledRules, Engine, StoredMatcher } from './engine.ts';
import { GAVE_UP, GramIndex } from './grams/gram-index.ts';
import { findIndexedEntry, packIndexedTable } from './indexed-table.ts';
import { findLiteral, PartMatcher } from './part-matcher.ts';
import { type RankedPatterns, STAR_FLAG } from './ranked-patterns.ts';
import { PLAIN_CHARACTERS, SEGMENT_START } from './request-path.ts';
import { packRuleTable, RuleTable } from './rule-table.ts';
import type { Scope } from './target.ts';

/**
 * The table alone decides if the number of rules is at most the first constant, which must be less than 256, and their weight at most the
 * second. Each star counts as several rules, because a rule with stars is compared with most paths. At the limits a table takes up to twice as long as
 * a gram index (bench/thresholds.mjs), which would take as much memory as a file of a few kilobytes.
 */
const MAX_TABLE_RULES = 140;
const MAX_TABLE_WEIGHT = 239;
const STAR_WEIGHT = 6;

function compile(content: string, ranked: RankedPatterns): CompiledRules {
  let weight = 0;
  for (let rank = 0; rank < ranked.count; rank++) {
    const hasStar = (ranked.flags(rank) & STAR_FLAG) !== 0;
    weight += hasStar ? STAR_WEIGHT * (ranked.pattern(rank).split('*').length - 1) : 1;
  }
  return ranked.count <= MAX_TABLE_RULES && weight <= MAX_TABLE_WEIGHT
    ? packIndexedTable(ranked)
    : new FastMatcher(new RuleTable(content, packRuleTable(ranked)));
}

/** Limit of character comparisons by the table for entries of one kind. Few callers look for them, and a part matcher takes time to create. */
const MAX_KIND_STEPS = 50_000_000;

/** Number of paths after one on which the gram index gave up for which it is not tried, because they are probably like it. */
const PATHS_AFTER_GIVING_UP = 255;

/** Uses a gram index, and a part matcher for paths on which it gives up and those that follow them. */
class FastMatcher implements StoredMatcher {
  readonly table: RuleTable;
  #index: GramIndex | undefined;
  #pathsByParts = 0;
  #parts: PartMatcher | undefined;

  constructor(table: RuleTable) {
    this.table = table;
  }

  get sizeInBytes(): number {
    return (
      2 * OBJECT_BYTES +
      estimateStringBytes(this.table.packed) +
      (this.#index?.sizeInBytes ?? 0) +
      (this.#parts?.sizeInBytes ?? 0)
    );
  }

  find(text: string, start: number): number {
    this.#index ??= new GramIndex(this.table);
    if (this.#pathsByParts > 0) this.#pathsByParts--;
    else {
      const entry = this.#index.find(text, start);
      if (entry !== GAVE_UP) return entry;
      this.#pathsByParts = PATHS_AFTER_GIVING_UP;
    }
    const literal = this.#index.findLiteral(text, start);
    return this.#findByParts(
      text,
      start,
      literal === GAVE_UP ? findLiteral(this.table, text, start) : literal,
    );
  }

  findOfKind(isAllow: boolean, path: string): number {
    const table = this.table;
    if (table.count * path.length <= MAX_KIND_STEPS) return table.findOfKind(isAllow, path);
    return this.#findByParts(path, 0, findLiteral(table, path, 0, isAllow), isAllow);
  }

  /**
   * @param literal - the winning entry among those without a star.
   * @param isAllow - considers only entries of this kind. @defaultValue entries of both kinds
   */
  #findByParts(text: string, start: number, literal: number, isAllow?: boolean): number {
    this.#parts ??= new PartMatcher(this.table);
    return Math.min(literal, this.#parts.find(text, start, literal, isAllow));
  }
}

/** The engine of `parse` in the main entry point. */
export const FAST_ENGINE: Engine = /* @__PURE__ */ Object.freeze({
  compile,
  readTable: (content, packed) => new RuleTable(content, packed, findIndexedEntry),
} satisfies Engine);

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
