// Quotes the rules of robots.txt files that disallow files of a page.
import { getOrigin } from '@maycrawl/core/url';
import { formatCount } from '../../text/counts.ts';
import type { RunStore } from '../run/run-store.ts';
import { RobotsLines } from './robots-lines.ts';

/** Rules that are quoted. */
const MAX_RULES = 3;

/** A file, and the line of the robots.txt of its site that disallows it. */
export interface BlockedFile {
  readonly url: string;
  readonly line: number;
}

/** Quotes rules of the sites of a run. */
export class RuleQuotes {
  readonly #lines: RobotsLines;

  constructor(run: RunStore) {
    this.#lines = new RobotsLines(run);
  }

  /** Quotes rules in the order of their sites and lines; `null` if no file is blocked. @param origin - of the page. */
  quote(files: readonly BlockedFile[], origin: string): string | null {
    const rules = new Map<string, BlockedFile>();
    for (const file of files) rules.set(`${getOrigin(file.url)} ${file.line}`, file);
    if (rules.size === 0) return null;
    const quotes: string[] = [];
    for (const [, { url, line }] of [...rules].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, MAX_RULES)) {
      const site = getOrigin(url) === origin ? '' : `${getOrigin(url)} `;
      quotes.push(`${site}line ${line}: ${this.#lines.line(url, line) ?? ''}`);
    }
    const more = rules.size - quotes.length;
    return more === 0 ? quotes.join(', ') : `${quotes.join(', ')} and ${formatCount(more, 'other rule')}`;
  }
}
