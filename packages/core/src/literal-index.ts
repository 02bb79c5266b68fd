/**
 * The matcher for the rules that most files have: many patterns without a star, which are found by searching among them in
 * sorted order, and a few with one, which are tried one after another. It takes some bytes for each rule, and no memory
 * that grows as it is used.
 *
 * @module
 */
import { SLASH } from './ascii.ts';
import type { Matcher } from './engine.ts';
import { OBJECT_BYTES, stringBytes } from './memory.ts';
import { NONE, type RuleTable, readFour } from './rule-table.ts';
import { END, writePatterns } from './sorted-patterns.ts';

/** Of each pattern so many characters are kept at hand: those behind its slash. */
const KEY = 4;
/** Stands in a key behind a pattern that is shorter, and sorts behind every character. No pattern has it: they are ASCII. */
const ENDED = 0xff;
const ENDED_CHARACTER: string = /* @__PURE__ */ String.fromCharCode(ENDED);
const ASCII = 128;
/** So few patterns are compared one by one. */
const FEW = 4;

/** Finds winners in a table that has few patterns with a star. */
export class LiteralIndex implements Matcher {
  readonly #table: RuleTable;
  /** The keys of the patterns without a star, sorted. */
  readonly #keys: string;
  /** Their entries, four bytes each. */
  readonly #entries: string;
  /** The entries of the patterns with a star, in the order in which they win. */
  readonly #wild: readonly number[];
  /** How many patterns have no star. */
  readonly #count: number;

  constructor(table: RuleTable) {
    const entries = [...table.entries()];
    const isWild = (entry: number): boolean => table.hasStar(entry) || table.patternLength(entry) === 0;
    const literals = writePatterns(
      table,
      entries.filter((entry) => !isWild(entry)),
    );
    const sorted = literals
      .map(({ text, entry }) => ({ text: table.isAnchored(entry) ? text : text + ENDED_CHARACTER, entry }))
      .sort((a, b) => (a.text < b.text ? -1 : 1));
    this.#table = table;
    this.#count = sorted.length;
    this.#keys = sorted.map(({ text }) => text.slice(1, 1 + KEY).padEnd(KEY, ENDED_CHARACTER)).join('');
    this.#entries = sorted.map(({ entry }) => four(entry)).join('');
    this.#wild = entries.filter(isWild);
  }

  get sizeInBytes(): number {
    const wild = this.#wild;
    return OBJECT_BYTES + stringBytes(this.#keys) + stringBytes(this.#entries) + 40 + 8 * wild.length;
  }

  find(text: string, start: number): number {
    const best = this.#findLiteral(text, start);
    const table = this.#table;
    for (const entry of this.#wild) {
      if (entry > best) break;
      if (table.matches(entry, text, start)) return entry;
    }
    return best;
  }

  /** The winner among the patterns without a star: they are narrowed to those that begin as the path does. */
  #findLiteral(text: string, start: number): number {
    if (text.charCodeAt(start) !== SLASH) return NONE;
    let best = NONE;
    let low = 0;
    let high = this.#count;
    for (let depth = 1; high - low > FEW; depth++) {
      if (this.#at(high - 1, depth) === ENDED) best = Math.min(best, this.#entry(--high));
      const at = start + depth;
      if (at >= text.length) {
        return this.#at(low, depth) === END ? Math.min(best, this.#entry(low)) : best;
      }
      const code = text.charCodeAt(at);
      if (code === END || code >= ASCII) return best;
      low = this.#lowerBound(low, high, depth, code);
      if (low < high && this.#at(high - 1, depth) !== code) {
        high = this.#lowerBound(low, high, depth, code + 1);
      }
    }
    for (; low < high; low++) {
      const entry = this.#entry(low);
      if (entry < best && this.#table.matches(entry, text, start)) best = entry;
    }
    return best;
  }

  /** The first of the patterns `low` to `high` whose character at `depth` is `code` or greater; `high` if none is. */
  #lowerBound(low: number, high: number, depth: number, code: number): number {
    let from = low;
    let to = high;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#at(middle, depth) < code) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** The character at `depth` of a pattern, {@link END} or {@link ENDED}. Its characters before that are known to match. */
  #at(index: number, depth: number): number {
    if (depth <= KEY) return this.#keys.charCodeAt(index * KEY + depth - 1);
    const entry = this.#entry(index);
    const table = this.#table;
    if (depth < table.patternLength(entry)) return table.patternCode(entry, depth);
    return table.isAnchored(entry) ? END : ENDED;
  }

  #entry(index: number): number {
    return readFour(this.#entries, index * 4);
  }
}

function four(value: number): string {
  return String.fromCharCode(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}
