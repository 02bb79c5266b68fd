// Chooses the hash by which a gram index finds each pattern: of a pattern without stars the hash of the whole pattern, of a pattern with
// stars that of the gram that the fewest patterns share.

import { NONE, type RuleTable } from '../rule-table.ts';
import { EMPTY_PREFIX, forEachGram, hashPrefix, pushPrefix, pushWindow } from './grams.ts';

/** Appended to patterns without stars that end with `$`. No pattern contains it. */
export const END = 0;

/** Words of the endings: 256 hashes of two characters with four bits each. */
export const ENDING_WORDS = 32;
/** Patterns are ASCII. */
const ASCII = 128;

/** Binary logarithm of the number of counts: at least this, and this more than that of the number of patterns. */
const MIN_COUNTS_LOG = 8;
const COUNTS_LOG = 3;

/** The hashes of the patterns of a rule table. */
export interface ChosenHashes {
  /** The hash of each entry. */
  readonly hashes: Int32Array;
  /** The hashes of the prefixes of patterns without stars at each checkpoint. */
  readonly prefixes: number[];
  /** For each hash of two characters, the lengths of the chosen grams that end with them. */
  readonly endings: Int32Array;
  /** The greatest length of a pattern without stars. */
  maxPrefix: number;
  hasWildcards: boolean;
  /** The first entry with the empty pattern, which has no hash and matches all paths; or `NONE`. */
  emptyPattern: number;
}

export function chooseHashes(table: RuleTable): ChosenHashes {
  const { count } = table;
  const hashes = new Int32Array(count);
  const endings = new Int32Array(ENDING_WORDS);
  const chosen: ChosenHashes = {
    hashes,
    prefixes: [],
    endings,
    maxPrefix: 0,
    hasWildcards: false,
    emptyPattern: NONE,
  };
  const wildcards: { readonly entry: number; readonly pattern: string }[] = [];
  for (let entry = 0; entry < count; entry++) {
    const { pattern, isAnchored, hasStar } = table.read(entry);
    if (hasStar) wildcards.push({ entry, pattern });
    else {
      hashes[entry] = hashLiteral(pattern, isAnchored, chosen.prefixes);
      chosen.maxPrefix = Math.max(chosen.maxPrefix, pattern.length);
      if (pattern === '') chosen.emptyPattern = Math.min(chosen.emptyPattern, entry);
    }
  }
  const choice = new GramChoice(endings, wildcards.length);
  for (const { pattern } of wildcards) choice.count(pattern);
  for (const { entry, pattern } of wildcards) hashes[entry] = choice.choose(pattern);
  chosen.hasWildcards = wildcards.length > 0;
  return chosen;
}

/**
 * Whether prefixes of this length are in {@link ChosenHashes.prefixes}. If that of a path is not, no longer pattern without stars matches.
 */
export function isCheckpoint(length: number): boolean {
  return length > 2 && (length & (length - 1)) === 0;
}

/** Returns the hash of a pattern without stars, and adds those of its prefixes at each checkpoint. */
function hashLiteral(pattern: string, isAnchored: boolean, prefixes: number[]): number {
  let state = EMPTY_PREFIX;
  for (let i = 0; i < pattern.length; i++) {
    if (isCheckpoint(i)) prefixes.push(hashPrefix(state));
    state = pushPrefix(state, pattern.charCodeAt(i));
  }
  if (!isAnchored) return hashPrefix(state);
  if (isCheckpoint(pattern.length)) prefixes.push(hashPrefix(state));
  return hashPrefix(pushPrefix(state, END));
}

/** Hashes the last two characters of a window. */
export function getEnding(window: number): number {
  return (window ^ (window >>> 5)) & 0xff;
}

/** Number of bits for the numbers below `count`. */
export function countBits(count: number): number {
  return count < 2 ? 0 : 32 - Math.clz32(count - 1);
}

/** Counts the patterns that share each gram, and then chooses one gram of each pattern. */
class GramChoice {
  readonly #endings: Int32Array;
  /** For each hash of grams, the number of patterns that contain them. */
  readonly #counts: Int32Array;
  #fewest = 0;
  #hash = 0;
  #length = 0;
  #window = 0;

  constructor(endings: Int32Array, patternCount: number) {
    this.#endings = endings;
    this.#counts = new Int32Array(2 ** Math.max(MIN_COUNTS_LOG, COUNTS_LOG + countBits(patternCount)));
  }

  count(pattern: string): void {
    forEachGram(pattern, this.#countGram);
  }

  /**
   * Returns the hash of the gram that the fewest patterns share, and adds its length to those of its ending. Of several such grams it
   * chooses the longest, and of those the last, because all paths contain the slash at the start of a pattern.
   */
  choose(pattern: string): number {
    this.#fewest = Number.POSITIVE_INFINITY;
    this.#length = 0;
    forEachGram(pattern, this.#compareGram);
    // Any character can precede a single one.
    if (this.#length > 1) this.#addEnding(this.#window);
    else for (let code = 0; code < ASCII; code++) this.#addEnding(pushWindow(code, this.#window & 0xff));
    return this.#hash;
  }

  readonly #countGram = (hash: number): void => {
    const counts = this.#counts;
    const index = hash & (counts.length - 1);
    counts[index] = (counts[index] as number) + 1;
  };

  readonly #compareGram = (hash: number, length: number, window: number): void => {
    const count = this.#counts[hash & (this.#counts.length - 1)] as number;
    if (count > this.#fewest || (count === this.#fewest && length < this.#length)) return;
    this.#fewest = count;
    this.#hash = hash;
    this.#length = length;
    this.#window = window;
  };

  #addEnding(window: number): void {
    const ending = getEnding(window);
    const word = ending >>> 3;
    this.#endings[word] = (this.#endings[word] as number) | (this.#length << (ending << 2));
  }
}
