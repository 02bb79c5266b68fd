// An index of many patterns by what a matching path must contain: a pattern without stars its whole text as a prefix, a pattern with
// stars one of its grams (grams.ts). A path looks up its prefixes and grams, and only the patterns that it finds are compared with it,
// so the time depends on the path and hardly on the number of rules. docs/matching.md contains the derivation and the bounds.
import { ARRAY_BYTES, OBJECT_BYTES } from '../../bytes/memory.ts';
import type { RuleTable } from '../rule-table.ts';
import {
  type ChosenHashes,
  chooseHashes,
  countBits,
  END,
  ENDING_WORDS,
  getEnding,
  isCheckpoint,
} from './gram-choice.ts';
import {
  EMPTY_PREFIX,
  hashEight,
  hashFour,
  hashPair,
  hashPrefix,
  hashSingle,
  pushOlder,
  pushPrefix,
  pushWindow,
} from './grams.ts';

/** Returned by {@link GramIndex.find} if too many patterns must be compared. Use another matcher for this path. */
export const GAVE_UP = -2;

/** Limit of steps per path: for each compared pattern the length of the path, and the time that a comparison takes at least. */
const MAX_STEPS = 200_000;
const STEPS_PER_PATTERN = 400;

/** Binary logarithm of the bits of the filter per pattern. It rejects about 15 of 16 hashes that the index does not contain. */
const FILTER_BITS_LOG = 4;

const MAX_HITS = 256;
/** Hashes of the current path that the filter accepts. All indexes share the memory, because a search is synchronous. */
const hits: Int32Array = /* @__PURE__ */ new Int32Array(MAX_HITS);
/** Steps of the current path. */
let steps = 0;

/** The patterns of a rule table by their hashes. */
export class GramIndex {
  readonly #table: RuleTable;
  /**
   * Four sections. The endings of grams (gram-choice.ts). The filter: a bit set of hashes. For each bucket of hashes, the index of its
   * first node; then the end of the last bucket. The nodes, sorted by bucket and then by entry: the entry in the low bits, and the high
   * bits of its hash.
   */
  readonly #words: Int32Array;
  readonly #filterMask: number;
  readonly #bucketsAt: number;
  /** Selects the bits of an entry, and those of a bucket. */
  readonly #entryMask: number;
  readonly #maxPrefix: number;
  readonly #emptyPattern: number;
  readonly #hasWildcards: boolean;

  constructor(table: RuleTable) {
    this.#table = table;
    const chosen = chooseHashes(table);
    const { count } = table;
    const bits = countBits(count);
    const filterWords = 2 ** Math.max(0, bits + FILTER_BITS_LOG - 5);
    this.#maxPrefix = chosen.maxPrefix;
    this.#emptyPattern = chosen.emptyPattern;
    this.#hasWildcards = chosen.hasWildcards;
    this.#filterMask = filterWords - 1;
    this.#bucketsAt = ENDING_WORDS + filterWords;
    this.#entryMask = 2 ** bits - 1;
    this.#words = new Int32Array(this.#bucketsAt + 2 ** bits + 1 + count);
    this.#words.set(chosen.endings);
    this.#fillFilter(chosen);
    this.#fillBuckets(chosen.hashes);
  }

  /** Memory in bytes, without the rule table. */
  get sizeInBytes(): number {
    const words = this.#words;
    return OBJECT_BYTES + ARRAY_BYTES + words.byteLength;
  }

  /**
   * Finds the winning entry for the path from `start` to the end of `text`.
   *
   * @returns an entry of the rule table, `NONE` if no pattern matches, or {@link GAVE_UP}.
   */
  find(text: string, start: number): number {
    // If this gives up, so does the rest: the steps remain above the limit.
    let best = this.findLiteral(text, start);
    if (this.#hasWildcards) best = this.#findWildcard(text, start, best);
    return steps > MAX_STEPS ? GAVE_UP : best;
  }

  /** Finds the winning entry among those without a star; `NONE` or {@link GAVE_UP} as {@link find}. */
  findLiteral(text: string, start: number): number {
    steps = 0;
    const best = this.#findLiteral(text, start);
    return steps > MAX_STEPS ? GAVE_UP : best;
  }

  /** Finds the winning entry among those without a star. */
  #findLiteral(text: string, start: number): number {
    const words = this.#words;
    const mask = this.#filterMask;
    const { length } = text;
    const end = Math.min(length, start + this.#maxPrefix);
    let best = this.#emptyPattern;
    let found = 0;
    let prefix = EMPTY_PREFIX;
    let at = start;
    while (at < end) {
      prefix = pushPrefix(prefix, text.charCodeAt(at));
      at++;
      const hash = hashPrefix(prefix);
      if ((((words[ENDING_WORDS + ((hash >>> 5) & mask)] as number) >>> hash) & 1) !== 0) {
        hits[found++] = hash;
        if (found === MAX_HITS) {
          best = this.#compare(found, text, start, best);
          found = 0;
        }
      } else if (isCheckpoint(at - start)) return this.#compare(found, text, start, best);
    }
    best = this.#compare(found, text, start, best);
    if (at < length) return best;
    hits[0] = hashPrefix(pushPrefix(prefix, END));
    return this.#compare(1, text, start, best);
  }

  /** Finds the winning entry among those with a star and the entry `best`. */
  #findWildcard(text: string, start: number, best: number): number {
    const words = this.#words;
    const mask = this.#filterMask;
    const { length } = text;
    let least = best;
    let found = 0;
    let window = 0;
    let older = 0;
    for (let at = start; at < length; at++) {
      const code = text.charCodeAt(at);
      older = pushOlder(older, window);
      window = pushWindow(window, code);
      const ending = getEnding(window);
      const lengths = ((words[ending >>> 3] as number) >>> (ending << 2)) & 15;
      if (lengths === 0) continue;
      if ((lengths & 8) !== 0) {
        const hash = hashEight(window, older);
        if ((((words[ENDING_WORDS + ((hash >>> 5) & mask)] as number) >>> hash) & 1) !== 0)
          hits[found++] = hash;
      }
      if ((lengths & 4) !== 0) {
        const hash = hashFour(window);
        if ((((words[ENDING_WORDS + ((hash >>> 5) & mask)] as number) >>> hash) & 1) !== 0)
          hits[found++] = hash;
      }
      if ((lengths & 2) !== 0) hits[found++] = hashPair(window);
      if ((lengths & 1) !== 0) hits[found++] = hashSingle(code);
      if (found > MAX_HITS - 4) {
        least = this.#compare(found, text, start, least);
        found = 0;
        if (steps > MAX_STEPS) return least;
      }
    }
    return this.#compare(found, text, start, least);
  }

  /**
   * Compares the path with the patterns of the first `found` hits, beginning with the last one: of nested prefixes the longest wins.
   *
   * @param best - the best entry that is known to match, or `NONE`. Only patterns before it are compared.
   */
  #compare(found: number, text: string, start: number, best: number): number {
    const words = this.#words;
    const entryMask = this.#entryMask;
    let least = best;
    for (let index = found - 1; index >= 0; index--) {
      const hash = hits[index] as number;
      const bucket = this.#findBucket(hash);
      const to = words[bucket + 1] as number;
      for (let at = words[bucket] as number; at < to; at++) {
        const node = words[at] as number;
        const entry = node & entryMask;
        if (entry >= least) break;
        if (((node ^ hash) & ~entryMask) !== 0) continue;
        steps += STEPS_PER_PATTERN + text.length - start;
        if (steps > MAX_STEPS) return least;
        if (this.#table.matches(entry, text, start)) least = entry;
      }
    }
    return least;
  }

  #findBucket(hash: number): number {
    return this.#bucketsAt + ((hash >>> 3) & this.#entryMask);
  }

  #fillFilter({ hashes, prefixes }: ChosenHashes): void {
    const words = this.#words;
    for (const list of [hashes, prefixes]) {
      for (const hash of list) {
        const word = ENDING_WORDS + ((hash >>> 5) & this.#filterMask);
        words[word] = (words[word] as number) | (1 << hash);
      }
    }
  }

  /** Sorts the entries by bucket (counting sort). */
  #fillBuckets(hashes: Int32Array): void {
    const words = this.#words;
    const add = (at: number, value: number): number => {
      words[at] = (words[at] as number) + value;
      return words[at] as number;
    };
    for (const hash of hashes) add(this.#findBucket(hash), 1);
    // Each number of nodes becomes the end of its bucket, and then its start as the nodes are added, the last one first.
    const nodesAt = words.length - hashes.length;
    for (let at = this.#bucketsAt, end = nodesAt; at < nodesAt; at++) end = add(at, end);
    for (let entry = hashes.length - 1; entry >= 0; entry--) {
      const hash = hashes[entry] as number;
      words[add(this.#findBucket(hash), -1)] = (hash & ~this.#entryMask) | entry;
    }
  }
}
