// The outcome of a verdict.
import type { JSX } from 'preact';
import { Badge, SHAPES } from '../shared/badge.tsx';
import type { Outcome } from './data/outcome.ts';
import { OUTCOME_TEXTS } from './text.ts';

const OUTCOME_SHAPES: Readonly<Record<Outcome, string>> = {
  indexable: SHAPES.check,
  blocked: SHAPES.cross,
  unreachable: 'M3 8h2m2 0h2m2 0h2',
  error: SHAPES.exclamation,
  redirect: 'M3 8h9m-4-4 4 4-4 4',
  'not-found': 'M5 6a3 3 0 1 1 4 3q-1 .5-1 1.5M8 12.5v.6',
  noindex: 'M3.5 8h9',
  canonicalised: 'M3 4v4h9m-3-3 3 3-3 3',
  unjudged: 'M8 8h.1',
};

export function OutcomeBadge({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  return (
    <Badge class={`badge ${outcome}`} shape={OUTCOME_SHAPES[outcome]}>
      {OUTCOME_TEXTS[outcome].label}
    </Badge>
  );
}
