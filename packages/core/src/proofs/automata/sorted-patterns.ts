// The patterns of a rule table in lexicographic order. Patterns with a common prefix are adjacent, so a range of patterns and a depth
// represent a node of their trie.
import { type Entry, NONE, type RuleTable } from '../../matching/rule-table.ts';

/** Terminates an anchored pattern. It sorts before all characters of patterns. */
export const END = 0;

/** Number of patterns per block. The least entry of each block is precomputed. */
const BLOCK = 32;

/** Sorted patterns, each with its entry in the rule table. Of the matching patterns, the one with the least entry wins. */
export class SortedPatterns {
  readonly count: number;
  readonly #text: string;
  /** The start of each pattern in `#text`, and the end of the last one. */
  readonly #starts: Int32Array;
  readonly #entries: Int32Array;
  /** The least entry of each block. */
  readonly #blocks: Int32Array;

  static from(table: Pick<RuleTable, 'count' | 'read'>): SortedPatterns {
    const winners = new Map<string, number>();
    for (let entry = 0; entry < table.count; entry++) {
      const text = toSortKey(table.read(entry));
      // Only the first of several entries with the same pattern can win.
      if (!winners.has(text)) winners.set(text, entry);
    }
    // The default order is by code unit. It is several times as fast as a comparison function.
    const texts = [...winners.keys()].sort();
    const starts = new Int32Array(texts.length + 1);
    const entries = new Int32Array(texts.length);
    for (const [index, text] of texts.entries()) {
      starts[index + 1] = (starts[index] as number) + text.length;
      entries[index] = winners.get(text) as number;
    }
    return new SortedPatterns(texts.join(''), starts, entries);
  }

  private constructor(text: string, starts: Int32Array, entries: Int32Array) {
    this.count = entries.length;
    this.#text = text;
    this.#starts = starts;
    this.#entries = entries;
    this.#blocks = new Int32Array(Math.ceil(this.count / BLOCK)).fill(NONE);
    for (const [index, entry] of entries.entries()) {
      const block = Math.floor(index / BLOCK);
      this.#blocks[block] = Math.min(this.#blocks[block] as number, entry);
    }
  }

  /** Returns the same patterns with other entries. A pattern with the entry `NONE` never wins. */
  withEntries(toEntry: (entry: number) => number): SortedPatterns {
    return new SortedPatterns(this.#text, this.#starts, this.#entries.map(toEntry));
  }

  /** Returns the set of characters that occur in patterns, including stars and {@link END}. */
  characters(): Set<number> {
    const found = new Set<number>();
    for (let i = 0; i < this.#text.length; i++) found.add(this.#text.charCodeAt(i));
    return found;
  }

  entry(index: number): number {
    return this.#entries[index] as number;
  }

  length(index: number): number {
    return (this.#starts[index + 1] as number) - (this.#starts[index] as number);
  }

  /** Returns the character at `depth` of a pattern, which must be longer than `depth`. */
  at(index: number, depth: number): number {
    return this.#text.charCodeAt((this.#starts[index] as number) + depth);
  }

  /**
   * Binary search: returns the first of the patterns `low` to `high` (exclusive) whose character at `depth` is not less than `code`;
   * `high` if there is none. The patterns must be longer than `depth`, and their first `depth` characters must be equal.
   */
  lowerBound(low: number, high: number, depth: number, code: number): number {
    let from = low;
    let to = high;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.at(middle, depth) < code) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  findLeastEntry(low: number, high: number): number {
    let least = NONE;
    for (let index = low; index < high; ) {
      const isBlock = index % BLOCK === 0 && index + BLOCK <= high;
      least = Math.min(least, (isBlock ? this.#blocks[index / BLOCK] : this.#entries[index]) as number);
      index += isBlock ? BLOCK : 1;
    }
    return least;
  }
}

/** Returns the sort key of a pattern: the pattern, with {@link END} if it is anchored. */
export function toSortKey({ pattern, isAnchored }: Pick<Entry, 'pattern' | 'isAnchored'>): string {
  return pattern + (isAnchored ? String.fromCharCode(END) : '');
}
