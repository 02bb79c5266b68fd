// Policies and times.
import type { PolicyCode } from '@maycrawl/core';
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { Badge, SHAPES } from '../shared/badge.tsx';
import { readPolicyCode } from '../shared/requests/service.ts';
import { formatMoment } from '../shared/text.ts';
import { POLICY_LABELS } from './text.ts';

const POLICY_SHAPES: Readonly<Record<PolicyCode, string>> = {
  unknown: SHAPES.dash,
  rules: 'M4 4h8M4 8h8M4 12h5',
  unavailable: SHAPES.check,
  unreachable: SHAPES.cross,
  'outage-expired': SHAPES.check,
};

export function PolicyBadge({ policy }: { readonly policy: WatchJson<'Policy'> }): JSX.Element {
  const code = readPolicyCode(policy);
  return (
    <Badge class={`policy ${code}`} shape={POLICY_SHAPES[code]}>
      {POLICY_LABELS[code]}
    </Badge>
  );
}

/** A moment as a date and a time; a dash if there is none. */
export function Moment({ at }: { readonly at: string | null }): JSX.Element {
  if (at === null || Number.isNaN(Date.parse(at))) return <span>–</span>;
  return <time dateTime={at}>{formatMoment(Date.parse(at))}</time>;
}
