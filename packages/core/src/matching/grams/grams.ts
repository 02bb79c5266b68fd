// Grams of patterns and paths. A gram is a sequence of 1, 2, 4 or 8 characters (n-gram). Patterns are ASCII, so the last eight
// characters of a text fit into two 32-bit integers: the window contains the last four, `older` the four before.
//
// Different grams may have the same hash, so a caller that finds a hash compares the text.

/** The golden ratio times 2^32 (Fibonacci hashing), and another odd factor with well distributed bits. */
const FACTOR = 0x9e3779b1;
const OLDER_FACTOR = 0x85ebca6b;

/** The lengths of grams. They are powers of two, so that their sum represents a set of them. */
const LENGTHS = [8, 4, 2, 1] as const;

/** Distinguishes short grams from others that end with the same characters. */
const SINGLE = 0x100;
const PAIR = 0x1_0000;

/** Appends a character to the window. */
export function pushWindow(window: number, code: number): number {
  return (window << 8) | code;
}

/** Appends the character that leaves the window to the four older characters. */
export function pushOlder(older: number, window: number): number {
  return (older << 8) | (window >>> 24);
}

export function hashSingle(code: number): number {
  return fold(Math.imul(code | SINGLE, FACTOR));
}

export function hashPair(window: number): number {
  return fold(Math.imul((window & 0xffff) | PAIR, FACTOR));
}

export function hashFour(window: number): number {
  return fold(Math.imul(window, FACTOR));
}

export function hashEight(window: number, older: number): number {
  return fold(Math.imul(window, FACTOR) ^ Math.imul(older, OLDER_FACTOR));
}

/** Adds the high bits of a product to the low ones, which depend on few bits of its factors. */
function fold(product: number): number {
  return product ^ (product >>> 15);
}

/** The state of the hash of an empty prefix. */
export const EMPTY_PREFIX = 0x2545_f491;

/** Appends a character to the state of the hash of a prefix (FNV-1a with 16-bit characters). */
export function pushPrefix(state: number, code: number): number {
  return Math.imul(state ^ code, FACTOR);
}

/** Converts the state of the hash of a prefix to the hash. */
export function hashPrefix(state: number): number {
  return fold(state);
}

/**
 * Calls `visit` with grams that occur in all paths that a pattern matches: of each part between stars, all grams of the greatest length
 * that fits into the part.
 */
export function forEachGram(
  pattern: string,
  visit: (hash: number, length: number, window: number) => void,
): void {
  for (let from = 0; from < pattern.length; ) {
    const star = pattern.indexOf('*', from);
    const to = star < 0 ? pattern.length : star;
    const length = LENGTHS.find((each) => each <= to - from) ?? 0;
    let window = 0;
    let older = 0;
    for (let i = from; i < to; i++) {
      const code = pattern.charCodeAt(i);
      older = pushOlder(older, window);
      window = pushWindow(window, code);
      if (i - from + 1 < length) continue;
      if (length === 8) visit(hashEight(window, older), 8, window);
      else if (length === 4) visit(hashFour(window), 4, window);
      else if (length === 2) visit(hashPair(window), 2, window);
      else visit(hashSingle(code), 1, window);
    }
    from = to + 1;
  }
}
