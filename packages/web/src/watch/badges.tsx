/**
 * Policies and times, as shapes and words: never as a colour alone.
 *
 * @module
 */
import type { PolicyCode } from '@maycrawl/core';
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { readPolicyCode } from '../shared/service.ts';
import { formatMoment } from '../shared/text.ts';
import { POLICY_LABELS } from './text.ts';

const CHECK_MARK = 'm3.5 8.5 3 3 6-7';

const POLICY_SHAPES: Readonly<Record<PolicyCode, string>> = {
  unknown: 'M4 8h8',
  rules: 'M4 4h8M4 8h8M4 12h5',
  unavailable: CHECK_MARK,
  unreachable: 'm4.5 4.5 7 7m0-7-7 7',
  'outage-expired': CHECK_MARK,
};

/** The effective policy of a site. */
export function PolicyBadge({ policy }: { readonly policy: WatchJson<'Policy'> }): JSX.Element {
  const code = readPolicyCode(policy);
  return (
    <span class={`policy ${code}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        <path d={POLICY_SHAPES[code]} />
      </svg>
      {POLICY_LABELS[code]}
    </span>
  );
}

/** A moment as a date and a time; a dash if there is none. */
export function Moment({ at }: { readonly at: string | null }): JSX.Element {
  if (at === null || Number.isNaN(Date.parse(at))) return <span>–</span>;
  return <time dateTime={at}>{formatMoment(Date.parse(at))}</time>;
}
