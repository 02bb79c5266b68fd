/**
 * Engines: interchangeable implementations of matching by compiled rules. All engines give the same verdicts. The light entry point uses
 * the plain engine to keep the fast one out of its bundle.
 *
 * @module
 */

import type { RankedPatterns } from './ranked-patterns.ts';
import { RuleTable } from './rule-table.ts';

/** Matches paths against a rule table. */
export interface Matcher {
  readonly table: RuleTable;
  /** Finds the winning entry for the path from `start` to the end of `text`; `NONE` if no pattern matches. */
  find(text: string, start: number): number;
  /** Finds the entry that would win for a whole path if only entries of one kind existed; `NONE` if none matches. */
  findOfKind(isAllow: boolean, path: string): number;
  /** Current memory in bytes, including the table. */
  readonly sizeInBytes: number;
}

export interface Engine {
  /** @param content - the file as a byte string, or empty if all patterns are copied. */
  createMatcher(content: string, ranked: RankedPatterns): Matcher;
}

/** The plain engine tries the rules one after another. */
export const PLAIN_ENGINE: Engine = {
  createMatcher: (content, ranked) => new RuleTable(content, ranked),
};
