/**
 * When a message is sent again that could not be delivered.
 *
 * @module
 */

import { type Backoff, getBackoff } from '@maycrawl/client/http';

/** How deliveries are retried. */
export interface Pauses extends Backoff {
  /** Milliseconds from the first try. There is no try later than that. */
  readonly giveUpAfter: number;
}

export const PAUSES: Pauses = {
  first: 30_000,
  longest: 6 * 3_600_000,
  jitter: 0.2,
  giveUpAfter: 3 * 86_400_000,
};

/** A delivery that failed. Times are milliseconds since 1970. */
export interface Failure {
  /** How many tries there were; at least one. */
  readonly tries: number;
  readonly firstTryAt: number;
  /** When the receiver wants the next try; `null` if it has not said so. */
  readonly retryAt: number | null;
  readonly isFinal: boolean;
}

/**
 * Returns the time of the next try, never before the receiver wants it.
 *
 * @param random - from 0 up to 1, as `Math.random()` gives it.
 * @returns milliseconds since 1970; `null` if there is no further try.
 */
export function nextTryAt(
  { tries, firstTryAt, retryAt, isFinal }: Failure,
  now: number,
  random: number,
  pauses: Pauses = PAUSES,
): number | null {
  if (isFinal) return null;
  const at = Math.max(now + getBackoff(pauses, tries, random), retryAt ?? 0);
  return at - firstTryAt > pauses.giveUpAfter ? null : at;
}
