/**
 * What makes decisions fast, and can be left out where size counts more than speed: a document is handed an engine, and
 * what it decides does not depend on which.
 *
 * @module
 */
import { findWinner } from './rule-table.ts';
import type { Scope } from './target.ts';

/** Finds the winner of one rule table. */
export interface Matcher {
  /** Where the entry starts that wins for the path from `start` to the end of `text`, or `NONE`. */
  find(text: string, start: number): number;
  /** Memory in bytes that it takes now, without the table. */
  readonly sizeInBytes: number;
}

/** How URLs are read and rules matched. */
export interface Engine {
  /** Where the path starts in a URL that need not be parsed; -1 for any other. */
  pathStart(url: string, scope: Scope | undefined): number;
  matcher(table: string): Matcher;
}

/** Parses each URL and tries one rule after another. */
export const PLAIN_ENGINE: Engine = {
  pathStart: () => -1,
  matcher: (table) => ({ find: (text, start) => findWinner(table, text, start), sizeInBytes: 0 }),
};
