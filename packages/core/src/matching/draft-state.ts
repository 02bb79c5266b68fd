/**
 * A state of the automaton under construction: the sets of patterns, each with a place in them, that are still possible.
 *
 * An item is three numbers: patterns `low` to `high` (sorted-patterns.ts) have matched up to their character `depth`. Their
 * first `depth` characters are the same. An item whose last matched character is a star stays where it is on every
 * character of the path; any other goes on or is gone.
 *
 * @module
 */
import { STAR } from '../bytes/ascii.ts';
import { NONE } from './rule-table.ts';
import { END, type SortedPatterns } from './sorted-patterns.ts';

/** Numbers in an item. */
export const ITEM_NUMBERS = 3;

/** Builds one state after another, for whichever automaton needs one, in the same memory. */
export class DraftState {
  /** The first entry that has matched for good, or `NONE`. */
  best: number = NONE;
  /** The winner if the path ends here. */
  answer: number = NONE;
  /** The finished items, from the deepest to the least deep, those of the same depth in the order of the patterns. */
  readonly items: Int32Array;
  /** How many finished items there are. */
  count = 0;
  /** Whether it has more items than it may; then it is not complete. */
  isTooLarge = false;

  readonly #maxItems: number;
  #patterns!: SortedPatterns;
  /** Items as they are added. */
  readonly #added: Int32Array;
  #addedCount = 0;
  /** Ranges of patterns for which a star has been reached, low to high, sorted and apart. */
  #covered: number[] = [];

  /** @param maxItems - how many items a state may have. */
  constructor(maxItems: number) {
    this.#maxItems = maxItems;
    this.items = new Int32Array(maxItems * ITEM_NUMBERS);
    // Each item of the last state gives at most three: itself, what follows, and that behind a star.
    this.#added = new Int32Array(3 * maxItems * ITEM_NUMBERS);
  }

  /** Begins the state before the first character. */
  begin(patterns: SortedPatterns): void {
    this.#patterns = patterns;
    this.#reset(NONE);
    this.#add(0, this.#patterns.count, 0);
    this.#finish();
  }

  /**
   * Makes the state that follows on a character.
   *
   * @param patterns - the patterns that the items are of.
   * @param best - what had matched for good.
   * @param items - holds the items of the state before, numbers `from` to `to`.
   * @param code - the character; negative for one that stands in no pattern.
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

  /** Whether no further character can change the answer. */
  get isSettled(): boolean {
    return this.count === 0 && this.answer === this.best && !this.isTooLarge;
  }

  /**
   * Whether only one pattern is left, with no star to come and none before that it could wait at, and nothing special is
   * the answer if the path ends here.
   */
  get isTail(): boolean {
    const low = this.items[0] as number;
    const high = this.items[1] as number;
    const depth = this.items[2] as number;
    if (this.count !== 1 || high !== low + 1 || this.answer !== this.best || this.#isAtStar(low, depth))
      return false;
    return !this.#patterns.hasStar(low, depth);
  }

  #reset(best: number): void {
    this.best = best;
    this.answer = NONE;
    this.#addedCount = 0;
    this.count = 0;
    this.isTooLarge = false;
  }

  /** Adds patterns `low` to `high`, which have now matched up to `depth`. */
  #add(low: number, high: number, depth: number): void {
    const patterns = this.#patterns;
    let from = low;
    // Sorted as they are, a pattern that ends here comes first, and then one that must end here with the path.
    if (patterns.length(from) === depth) this.best = Math.min(this.best, patterns.entry(from++));
    if (from < high && patterns.at(from, depth) === END) {
      this.answer = Math.min(this.answer, patterns.entry(from++));
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
   * Leaves out what cannot change the answer: patterns that no longer win, and places before a star that the same pattern
   * has reached. From that star it can do all that it could do from a place before, so that place is worth nothing.
   */
  #finish(): void {
    this.answer = Math.min(this.answer, this.best);
    this.#sort();
    this.#covered.length = 0;
    for (let index = 0; index < this.#addedCount; index++) {
      const at = index * ITEM_NUMBERS;
      const low = this.#added[at] as number;
      const high = this.#added[at + 1] as number;
      const depth = this.#added[at + 2] as number;
      this.#keepUncovered(low, high, depth);
      if (this.#isAtStar(low, depth)) this.#cover(low, high);
    }
  }

  /** Sorts what was added, from the deepest on. Few are added, and most are in order: insertion. */
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

  /** Keeps the parts of an item whose patterns have reached no later star. */
  #keepUncovered(low: number, high: number, depth: number): void {
    const covered = this.#covered;
    let from = low;
    for (let i = 0; i < covered.length && from < high; i += 2) {
      const coveredLow = covered[i] as number;
      const coveredHigh = covered[i + 1] as number;
      if (coveredHigh <= from) continue;
      if (coveredLow >= high) break;
      if (coveredLow > from) this.#keep(from, coveredLow, depth);
      from = coveredHigh;
    }
    if (from < high) this.#keep(from, high, depth);
  }

  #keep(low: number, high: number, depth: number): void {
    if (this.#patterns.findLeastEntry(low, high) >= this.best) return;
    // The same item comes twice where a star is reached again: the parts that overlap become one.
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

  /** Adds a range to `covered`. */
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
