// Reasons as numbers, as verdicts store them.
import { REASONS, type Reason } from '@maycrawl/core/indexability';

/** Packs reasons into a number: the sum of 2^i for each, with its index i in REASONS. */
export function packReasons(reasons: readonly Reason[]): number {
  return reasons.reduce((sum, reason) => sum | (1 << REASONS.indexOf(reason)), 0);
}

/** Unpacks reasons, the primary one first. */
export function unpackReasons(sum: number): Reason[] {
  return REASONS.filter((_, index) => (sum & (1 << index)) !== 0);
}
