/**
 * Exponential backoff with jitter: the pause grows with each failure, and clients that failed together do not retry together.
 *
 * @module
 */

/** How pauses grow. */
export interface Backoff {
  /** The pause after the first failure, in milliseconds. */
  readonly first: number;
  /** No pause is longer, in milliseconds. */
  readonly longest: number;
  /** Up to this share of a pause is removed by chance. @defaultValue 0 */
  readonly jitter?: number;
}

/** After this many doublings every pause has reached its bound; larger exponents would reach Infinity. */
const MAX_DOUBLINGS = 30;

/**
 * Returns the pause after a failure: twice as long after each, up to the bound.
 *
 * @param failures - how many there were in a row, this one included.
 * @param random - from 0 to 1, as `Math.random()` returns it.
 * @returns milliseconds, rounded.
 */
export function getBackoff({ first, longest, jitter = 0 }: Backoff, failures: number, random = 0): number {
  const doublings = Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS);
  return Math.round(Math.min(longest, first * 2 ** doublings) * (1 - jitter * random));
}
