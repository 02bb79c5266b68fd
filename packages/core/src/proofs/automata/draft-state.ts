// A state of the automaton under construction (subset construction). A state is a set of items.
//
// An item consists of three numbers: the patterns from `low` up to but not including `high` (sorted-patterns.ts), whose first `depth`
// characters are equal, have matched up to `depth`. An item whose last matched character is a star stays in the state on each
// character of the path. Other items advance or are removed.
import { STAR } from '../../bytes/ascii.ts';
import { NONE } from '../../matching/rule-table.ts';
import { END, type SortedPatterns } from './sorted-patterns.ts';

/** Numbers per item. */
export const ITEM_NUMBERS = 3;

/** Builds states, one at a time, in reused memory. */
export class DraftState {
  /** The best entry that matches all paths that reach this state, or `NONE`. */
  best: number = NONE;
  /** The winner if the path ends here. */
  winner: number = NONE;
  /** The items, sorted by descending depth, then by pattern. */
  readonly items: Int32Array;
  count = 0;
  /** Whether the state exceeds the limit of items. It is then incomplete. */
  isTooLarge = false;

  readonly #maxItems: number;
  #patterns!: SortedPatterns;
  /** Items before sorting and pruning. */
  readonly #added: Int32Array;
  #addedCount = 0;
  /** Ranges of patterns that have reached a star: pairs of low and high, sorted and disjoint. */
  #covered: number[] = [];

  /** @param maxItems - limit of items per state. */
  constructor(maxItems: number) {
    this.#maxItems = maxItems;
    this.items = new Int32Array(maxItems * ITEM_NUMBERS);
    // An item produces at most three items: itself, its successor, and the successor after a star.
    this.#added = new Int32Array(3 * maxItems * ITEM_NUMBERS);
  }

  begin(patterns: SortedPatterns): void {
    this.#patterns = patterns;
    this.#reset(NONE);
    this.#add(0, this.#patterns.count, 0);
    this.#finish();
  }

  /**
   * Builds the successor of a state on a character.
   *
   * @param patterns - the patterns of the automaton.
   * @param best - the `best` of the state.
   * @param items - an array with the items of the state at indexes `from` to `to`.
   * @param code - the character; negative for characters that occur in no pattern.
   */
  advance(
    patterns: SortedPatterns,
    best: number,
    items: Int32Array,
    from: number,
    to: number,
    code: number,
  ): void {
    this.#patterns = patterns;
    this.#reset(best);
    for (let at = from; at < to; at += ITEM_NUMBERS) {
      const low = items[at] as number;
      const high = items[at + 1] as number;
      const depth = items[at + 2] as number;
      if (this.#isAtStar(low, depth)) this.#push(low, high, depth);
      if (code < 0) continue;
      const first = patterns.lowerBound(low, high, depth, code);
      const last = patterns.lowerBound(first, high, depth, code + 1);
      if (first < last) this.#add(first, last, depth + 1);
    }
    this.#finish();
  }

  #reset(best: number): void {
    this.best = best;
    this.winner = NONE;
    this.#addedCount = 0;
    this.count = 0;
    this.isTooLarge = false;
  }

  /** Adds patterns `low` to `high`, which have matched up to `depth`. */
  #add(low: number, high: number, depth: number): void {
    const patterns = this.#patterns;
    let from = low;
    // In sorted order, a pattern that ends at this depth comes first, then one that ends with `$` at this depth.
    if (patterns.length(from) === depth) this.best = Math.min(this.best, patterns.entry(from++));
    if (from < high && patterns.at(from, depth) === END) {
      this.winner = Math.min(this.winner, patterns.entry(from++));
    }
    if (from === high) return;
    const firstStar = patterns.lowerBound(from, high, depth, STAR);
    const lastStar = patterns.lowerBound(firstStar, high, depth, STAR + 1);
    if (firstStar < lastStar) this.#push(firstStar, lastStar, depth + 1);
    if (firstStar > from || lastStar < high) this.#push(from, high, depth);
  }

  #push(low: number, high: number, depth: number): void {
    const at = this.#addedCount++ * ITEM_NUMBERS;
    this.#added[at] = low;
    this.#added[at + 1] = high;
    this.#added[at + 2] = depth;
  }

  #isAtStar(low: number, depth: number): boolean {
    return depth > 0 && this.#patterns.at(low, depth - 1) === STAR;
  }

  /**
   * Prunes items that cannot change the winner: patterns that come after `best`, and positions before a star that the same pattern has
   * reached. Each match from such a position can also be reached from the star (docs/proofs.md).
   */
  #finish(): void {
    this.winner = Math.min(this.winner, this.best);
    this.#sort();
    this.#covered.length = 0;
    for (let index = 0; index < this.#addedCount; index++) {
      const at = index * ITEM_NUMBERS;
      const low = this.#added[at] as number;
      const high = this.#added[at + 1] as number;
      const depth = this.#added[at + 2] as number;
      this.#appendUncovered(low, high, depth);
      if (this.#isAtStar(low, depth)) this.#cover(low, high);
    }
  }

  /** Sorts the added items by descending depth. Insertion sort: they are few and mostly sorted. */
  #sort(): void {
    const added = this.#added;
    for (let index = 1; index < this.#addedCount; index++) {
      let at = index * ITEM_NUMBERS;
      const low = added[at] as number;
      const high = added[at + 1] as number;
      const depth = added[at + 2] as number;
      for (; at > 0; at -= ITEM_NUMBERS) {
        const otherDepth = added[at - 1] as number;
        if (otherDepth > depth || (otherDepth === depth && (added[at - 3] as number) <= low)) break;
        added.copyWithin(at, at - ITEM_NUMBERS, at);
      }
      added[at] = low;
      added[at + 1] = high;
      added[at + 2] = depth;
    }
  }

  /** Appends the subranges of an item whose patterns have not reached a later star. */
  #appendUncovered(low: number, high: number, depth: number): void {
    const covered = this.#covered;
    let from = low;
    for (let i = 0; i < covered.length && from < high; i += 2) {
      const coveredLow = covered[i] as number;
      const coveredHigh = covered[i + 1] as number;
      if (coveredHigh <= from) continue;
      if (coveredLow >= high) break;
      if (coveredLow > from) this.#append(from, coveredLow, depth);
      from = coveredHigh;
    }
    if (from < high) this.#append(from, high, depth);
  }

  #append(low: number, high: number, depth: number): void {
    if (this.#patterns.findLeastEntry(low, high) >= this.best) return;
    // Merges overlapping ranges of the same depth, which occur if a star is reached again.
    const last = (this.count - 1) * ITEM_NUMBERS;
    if (this.count > 0 && this.items[last + 2] === depth && (this.items[last + 1] as number) > low) {
      this.items[last + 1] = Math.max(this.items[last + 1] as number, high);
      return;
    }
    if (this.count === this.#maxItems) {
      this.isTooLarge = true;
      return;
    }
    const at = this.count++ * ITEM_NUMBERS;
    this.items[at] = low;
    this.items[at + 1] = high;
    this.items[at + 2] = depth;
  }

  /** Adds a range to `#covered`, merging it with the ranges that it touches. */
  #cover(low: number, high: number): void {
    const covered = this.#covered;
    let first = 0;
    while (first < covered.length && (covered[first + 1] as number) < low) first += 2;
    let last = first;
    let from = low;
    let to = high;
    for (; last < covered.length && (covered[last] as number) <= high; last += 2) {
      from = Math.min(from, covered[last] as number);
      to = Math.max(to, covered[last + 1] as number);
    }
    covered.splice(first, last - first, from, to);
  }
}
