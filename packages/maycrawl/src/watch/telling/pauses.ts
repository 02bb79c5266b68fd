/**
 * When a message that could not be delivered is tried again.
 *
 * @module
 */

/** How the pauses between tries grow, in milliseconds. */
export interface Pauses {
  readonly first: number;
  /** Each is so many times the one before, */
  readonly growth: number;
  /** but not longer than this. */
  readonly longest: number;
  /** Up to this part of a pause is left away by chance, so that what failed together does not come back together. */
  readonly jitter: number;
  /** From the first try: later than this nothing is tried. */
  readonly giveUpAfter: number;
}

export const PAUSES: Pauses = {
  first: 30_000,
  growth: 2,
  longest: 6 * 3_600_000,
  jitter: 0.2,
  giveUpAfter: 3 * 86_400_000,
};

/** What is known of a delivery that failed. Times are milliseconds since 1970. */
export interface Failure {
  /** How many tries there were; at least one. */
  readonly tries: number;
  readonly firstTryAt: number;
  /** When the receiver wants to be asked again; `null` if it has not said. */
  readonly retryAt: number | null;
  readonly isFinal: boolean;
}

/**
 * The time of the next try: never before the receiver wants it.
 *
 * @param random - from 0 up to 1, as `Math.random()` gives it.
 * @returns `null` if there is none.
 */
export function nextTryAt(
  { tries, firstTryAt, retryAt, isFinal }: Failure,
  now: number,
  random: number,
  pauses: Pauses = PAUSES,
): number | null {
  if (isFinal) return null;
  const pause = Math.min(pauses.longest, pauses.first * pauses.growth ** (tries - 1));
  const at = Math.max(Math.round(now + pause * (1 - pauses.jitter * random)), retryAt ?? 0);
  return at - firstTryAt > pauses.giveUpAfter ? null : at;
}
