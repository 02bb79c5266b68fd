/**
 * The patterns of a rule table in sorted order, so that those with a common beginning are neighbours: a trie without nodes.
 *
 * @module
 */
import { STAR } from '../bytes/ascii.ts';
import { ARRAY_BYTES, OBJECT_BYTES, estimateStringBytes } from '../bytes/memory.ts';
import { type Entry, NONE, type RuleTable } from './rule-table.ts';

/** Stands behind a pattern with `$`. It sorts before every character, and no character of a path equals it. */
export const END = 0;

/** Of each so many patterns the least entry is known. */
const BLOCK = 32;

/** Sorted patterns, each with its entry in the rule table; of two that match, the one with the lesser entry wins. */
export class SortedPatterns {
  readonly count: number;
  readonly #text: string;
  /** Where each pattern starts in `text`; one more at the end. */
  readonly #starts: Int32Array;
  readonly #entries: Int32Array;
  /** The least entry of each block of patterns. */
  readonly #blocks: Int32Array;

  /** The patterns of a rule table. */
  static from(table: Pick<RuleTable, 'count' | 'read'>): SortedPatterns {
    const winners = new Map<string, number>();
    for (let entry = 0; entry < table.count; entry++) {
      const text = toSortKey(table.read(entry));
      // Of two entries with the same pattern only the first can win.
      if (!winners.has(text)) winners.set(text, entry);
    }
    // The default order is by code units, and several times as fast as a comparison of ours.
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

  /** The same patterns for other entries; those for `NONE` never win. */
  withEntries(toEntry: (entry: number) => number): SortedPatterns {
    return new SortedPatterns(this.#text, this.#starts, this.#entries.map(toEntry));
  }

  get sizeInBytes(): number {
    const text = this.#text;
    const starts = this.#starts;
    const entries = this.#entries;
    const blocks = this.#blocks;
    const arrays = [starts, entries, blocks].reduce(
      (sum, { byteLength }) => sum + byteLength + ARRAY_BYTES,
      0,
    );
    return OBJECT_BYTES + estimateStringBytes(text) + arrays;
  }

  /** The characters that stand in patterns, each once. */
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

  /** The character at `depth` of a pattern that is longer than that. */
  at(index: number, depth: number): number {
    return this.#text.charCodeAt((this.#starts[index] as number) + depth);
  }

  /** Whether a star stands in a pattern at `depth` or behind it. */
  hasStar(index: number, depth: number): boolean {
    const length = this.length(index);
    for (let i = depth; i < length; i++) if (this.at(index, i) === STAR) return true;
    return false;
  }

  /**
   * The first of the patterns `low` to `high` whose character at `depth` is `code` or greater; `high` if none is. They
   * share their first `depth` characters and are longer than that.
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

  /** The least entry of the patterns `low` to `high`. */
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

/** A pattern as it is sorted. */
export function toSortKey({ pattern, isAnchored }: Pick<Entry, 'pattern' | 'isAnchored'>): string {
  return pattern + (isAnchored ? String.fromCharCode(END) : '');
}
