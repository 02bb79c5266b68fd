// Exponential backoff with jitter: the pause grows with each failure, and clients that failed together do not retry together.
/** How pauses grow. */
export interface Backoff {
  /** The pause after the first failure, in milliseconds. */
  readonly first: number;
  /** The longest pause, in milliseconds. */
  readonly longest: number;
  /** The largest fraction of a pause that is removed at random. @defaultValue 0 */
  readonly jitter?: number;
}

/** Limit of the exponent. After this many doublings every pause has reached its limit. */
const MAX_DOUBLINGS = 30;

/**
 * Returns the pause after a failure. It doubles with each failure, up to the limit.
 *
 * @param failures - number of consecutive failures, including this one.
 * @param random - from 0 to 1, as `Math.random()` returns it.
 * @returns milliseconds, rounded.
 */
export function getBackoff(backoff: Backoff, failures: number, random = 0): number {
  const { first, longest, jitter = 0 } = backoff;
  const doublings = Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS);
  return Math.round(Math.min(longest, first * 2 ** doublings) * (1 - jitter * random));
}

/**
 * Returns a number from 0 to 1 that differs from origin to origin and from round to round, and is the same in every run (FNV-1a hash, then
 * mixed: the rounds of an origin would be close to each other).
 */
export function getJitter(origin: string, round: number = 0): number {
  let hash = 0x811c9dc5 ^ round;
  for (let at = 0; at < origin.length; at++) hash = Math.imul(hash ^ origin.charCodeAt(at), 0x01000193);
  return (Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0) / 2 ** 32;
}
