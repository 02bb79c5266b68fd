// The times of retries of a message that was not delivered.

import { type Backoff, getBackoff } from '@maycrawl/client/internal';

const BACKOFF: Backoff = { first: 30_000, longest: 6 * 3_600_000, jitter: 0.2 };
/** Milliseconds from the first attempt to the last one at the latest. */
export const GIVE_UP_AFTER: number = 3 * 86_400_000;

/** A delivery that failed. Times are milliseconds since 1970. */
export interface Failure {
  /** The number of attempts; at least one. */
  readonly attempts: number;
  readonly firstAttemptAt: number;
  /** The time that the receiver requests for the next attempt; `null` if it requests none. */
  readonly retryAt: number | null;
  readonly isFinal: boolean;
}

/**
 * Returns the time of the next attempt, never before the time that the receiver requests.
 *
 * @param random - from 0 to 1, as `Math.random()` returns.
 * @returns milliseconds since 1970; `null` if there is no further attempt.
 */
export function getNextAttempt(
  { attempts, firstAttemptAt, retryAt, isFinal }: Failure,
  now: number,
  random: number,
): number | null {
  if (isFinal) return null;
  const at = Math.max(now + getBackoff(BACKOFF, attempts, random), retryAt ?? 0);
  return at - firstAttemptAt > GIVE_UP_AFTER ? null : at;
}
