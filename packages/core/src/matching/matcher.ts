// Matchers find the rule that decides a path. A small rule table is searched entry by entry, a large one with a gram index.
import { OBJECT_BYTES } from '../bytes/memory.ts';
import type { Profile } from '../crawler/profile.ts';
import type { CollectedRule } from '../syntax/collect.ts';
import { createRuleTable } from './create-rule-table.ts';
import { GAVE_UP, GramIndex } from './grams/gram-index.ts';
import { findLiteral, PartMatcher } from './part-matcher.ts';
import { type RuleTable, STAR_FLAG } from './rule-table.ts';

export interface Matcher {
  readonly table: RuleTable;
  /** Current memory in bytes (estimate), including the table, without the file. */
  readonly sizeInBytes: number;
  /** Finds the winning entry for the path from `start` to the end of `text`; `NONE` if no pattern matches. */
  find(text: string, start: number): number;
  /** Finds the entry that would win for a whole path if only entries of one kind existed; `NONE` if none matches. */
  findOfKind(isAllow: boolean, path: string): number;
}

/**
 * A table without an index has at most this weight. Each star counts as several rules, because a rule with stars is compared with most
 * paths (bench/thresholds.mjs).
 */
const MAX_TABLE_WEIGHT = 60;
const STAR_WEIGHT = 6;

/**
 * Compiles rules.
 *
 * @param content - the file as a byte string, or empty to copy all patterns.
 * @param bytes - the file as bytes.
 * @param rules - the rules in file order.
 */
export function compileRules(
  content: string,
  bytes: Uint8Array,
  rules: readonly CollectedRule[],
  profile: Profile,
): Matcher {
  const table = createRuleTable(content, bytes, rules, profile);
  let weight = 0;
  for (let entry = 0; entry < table.count; entry++) {
    const hasStar = (table.flags(entry) & STAR_FLAG) !== 0;
    weight += hasStar ? STAR_WEIGHT * (table.read(entry).pattern.split('*').length - 1) : 1;
  }
  return weight <= MAX_TABLE_WEIGHT ? table : new IndexedMatcher(table);
}

/** Limit of character comparisons by the table for entries of one kind. Few callers look for them, and a part matcher takes time to create. */
const MAX_KIND_STEPS = 50_000_000;

/** Number of paths after one on which the gram index gave up for which it is not tried, because they are probably like it. */
const PATHS_AFTER_GIVING_UP = 255;

/** Uses a gram index, and a part matcher for paths on which it gives up and those that follow them. */
class IndexedMatcher implements Matcher {
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
      this.table.sizeInBytes +
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
