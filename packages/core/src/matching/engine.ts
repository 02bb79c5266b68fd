/**
 * What makes decisions fast, and can be left out where size counts more than speed: a document is handed an engine, and
 * what it decides does not depend on which.
 *
 * @module
 */

import type { Preference } from '../crawler/crawler.ts';
import { type Collected, collectRules } from '../syntax/collect.ts';
import { Scanner } from '../syntax/scanner.ts';
import type { RankedPatterns } from './ranked-patterns.ts';
import { RuleTable } from './rule-table.ts';
import type { Scope } from './target.ts';

/** Finds the winner of one rule table. */
export interface Matcher {
  /** Where the entry starts that wins for the path from `start` to the end of `text`, or `NONE`. */
  find(text: string, start: number): number;
  /** Memory in bytes that it takes now, with the table. */
  readonly sizeInBytes: number;
}

/** How rules are found, URLs read and rules matched. */
export interface Engine {
  /** The rules of the groups that apply to a crawler, in the order of the file. */
  collect(bytes: Uint8Array, exactFields: boolean, preference: Preference): Collected;
  /** Where the path starts in a URL that need not be parsed; -1 for any other. */
  findPathStart(url: string, scope: Scope | undefined): number;
  /** The table of patterns that are ranked as they win. */
  createTable(content: string, ranked: RankedPatterns): RuleTable;
  createMatcher(table: RuleTable): Matcher;
}

/** Reads line after line, parses each URL and tries one rule after another. */
export const PLAIN_ENGINE: Engine = {
  collect: (bytes, exactFields, preference) => collectRules(new Scanner(bytes, exactFields), preference),
  findPathStart: () => -1,
  createTable: (content, ranked) => new RuleTable(content, ranked),
  createMatcher: (table) => table,
};
