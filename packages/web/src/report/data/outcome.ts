// Verdicts in one word.
import { REASONS, type Reason } from '@maycrawl/core/indexability';
import type { ReportVerdict } from 'maycrawl/api';

/** Indexable, the primary reason why a URL is not, or not judged. */
export type Outcome = 'indexable' | Reason | 'unjudged';

export const OUTCOMES: readonly Outcome[] = ['indexable', ...REASONS, 'unjudged'];

/** The outcome of a verdict; `null` is no verdict. */
export function getOutcome(verdict: ReportVerdict | null): Outcome {
  if (verdict === null) return 'unjudged';
  return verdict.reasons[0] ?? 'indexable';
}
