/**
 * The outcome of a verdict as a shape and a word: never as a colour alone.
 *
 * @module
 */
import type { JSX } from 'preact';
import type { Outcome } from './data/outcome.ts';
import { OUTCOME_LABELS } from './text.ts';

const SHAPES: Readonly<Record<Outcome, string>> = {
  indexable: 'm3.5 8.5 3 3 6-7',
  blocked: 'm4.5 4.5 7 7m0-7-7 7',
  unreachable: 'M3 8h2m2 0h2m2 0h2',
  error: 'M8 3v6M8 12v.6',
  redirect: 'M3 8h9m-4-4 4 4-4 4',
  'not-found': 'M5 6a3 3 0 1 1 4 3q-1 .5-1 1.5M8 12.5v.6',
  noindex: 'M3.5 8h9',
  canonicalised: 'M3 4v4h9m-3-3 3 3-3 3',
  unjudged: 'M8 8h.1',
};

/** Shows an outcome. */
export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  return (
    <span class={`badge ${outcome}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={SHAPES[outcome]} />
      </svg>
      {OUTCOME_LABELS[outcome]}
    </span>
  );
}
