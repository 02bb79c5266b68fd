/**
 * Engines: interchangeable implementations of matching by compiled rules. All engines give the same verdicts. The light entry point uses
 * the plain engine to keep the fast one out of its bundle.
 *
 * @module
 */

import type { RankedPatterns } from './ranked-patterns.ts';
import { packRuleTable, RuleTable } from './rule-table.ts';

/** Matches paths against the compiled rules. */
export interface Matcher {
  readonly table: RuleTable;
  /** Finds the winning entry for the path from `start` to the end of `text`; `NONE` if no pattern matches. */
  find(text: string, start: number): number;
  /** Finds the entry that would win for a whole path if only entries of one kind existed; `NONE` if none matches. */
  findOfKind(isAllow: boolean, path: string): number;
}

/** A matcher that is stored with the ruleset. */
export interface StoredMatcher extends Matcher {
  /** Current memory in bytes, including the table. */
  readonly sizeInBytes: number;
}

/** Compiled rules: a packed rule table, which is read by {@link Engine.readTable}, or a matcher with more memory. */
export type CompiledRules = string | StoredMatcher;

export interface Engine {
  /** @param content - the file as a byte string, or empty if all patterns are copied. */
  compile(content: string, ranked: RankedPatterns): CompiledRules;
  /** Creates the matcher of a packed table. This is fast: a matcher is created for each decision. */
  readTable(content: string, packed: string): Matcher;
}

/** The plain engine tries the rules one after another. */
export const PLAIN_ENGINE: Engine = /* @__PURE__ */ Object.freeze({
  compile: (_content, ranked) => packRuleTable(ranked),
  readTable: (content, packed) => new RuleTable(content, packed),
} satisfies Engine);
