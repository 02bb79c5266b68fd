/**
 * Engines: interchangeable implementations of rule collection, URL recognition and matching. All engines give the same verdicts. The
 * light entry point uses the plain engine to keep the fast one out of its bundle.
 *
 * @module
 */

import type { Preference } from '../crawler/crawler.ts';
import { type Collected, collectRules } from '../syntax/collect.ts';
import { Scanner } from '../syntax/scanner.ts';
import type { RankedPatterns } from './ranked-patterns.ts';
import { RuleTable } from './rule-table.ts';
import type { Scope } from './target.ts';

/** Matches paths against a rule table. */
export interface Matcher {
  /** Finds the winning entry for the path from `start` to the end of `text`; `NONE` if no pattern matches. */
  find(text: string, start: number): number;
  /** Finds the entry that would win for a whole path if only entries of one kind existed; `NONE` if none matches. */
  findOfKind(isAllow: boolean, path: string): number;
  /** Current memory in bytes, including the table. */
  readonly sizeInBytes: number;
}

export interface Engine {
  /** Collects the rules of the groups that apply to a crawler, in file order. */
  collect(bytes: Uint8Array, exactFields: boolean, preference: Preference): Collected;
  /** Returns the index of the path in a URL in request form; -1 if the URL must be parsed. */
  findPathStart(url: string, scope: Scope | undefined): number;
  createTable(content: string, ranked: RankedPatterns): RuleTable;
  createMatcher(table: RuleTable): Matcher;
}

/** The plain engine: scans line by line, parses each URL, and tries the rules one after another. */
export const PLAIN_ENGINE: Engine = {
  collect: (bytes, exactFields, preference) => collectRules(new Scanner(bytes, exactFields), preference),
  findPathStart: () => -1,
  createTable: (content, ranked) => new RuleTable(content, ranked),
  createMatcher: (table) => table,
};
