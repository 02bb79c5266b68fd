// Draws policy intervals. The page has the same as text, so the drawing is hidden from screen readers.
import type { PolicyInterval } from '@maycrawl/client/policy';
import { getPolicyCode, type PolicySummary } from '@maycrawl/core';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Hatch } from '../shared/charts/hatch.tsx';
import { createTicks, getPosition } from './duration.ts';

interface TimelineProps {
  readonly intervals: readonly PolicyInterval[];
  readonly until: number;
  /** The end of the outage. */
  readonly lasts: number;
}

const LABELS: Readonly<Record<PolicySummary['kind'], string>> = {
  rules: 'rules',
  'allow-all': 'allowed',
  'disallow-all': 'disallowed',
  unknown: 'disallowed',
};

/** The minimum width of an interval with a label, as a share of the axis; and the one on a phone. */
const MIN_WIDTH = 0.09;
const MIN_WIDTH_ON_PHONE = 0.2;

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

export function Timeline({ intervals, until, lasts }: TimelineProps): JSX.Element {
  const hatch = useId();
  return (
    <svg class="timeline" width="100%" height="54" aria-hidden="true">
      <Hatch id={hatch} />
      {intervals.map(({ from, to, policy, isFresh }) => {
        const [start, end] = [getPosition(from, until), getPosition(to, until)];
        const isDisallowed = policy.kind === 'disallow-all' || policy.kind === 'unknown';
        const code = getPolicyCode(policy);
        return (
          <g key={from}>
            <rect
              class={`interval ${code} ${isFresh ? 'fresh' : 'stale'}`}
              x={percent(start)}
              width={percent(end - start)}
              y="2"
              height="28"
              {...(isDisallowed && { fill: `url(#${hatch})` })}
            />
            {end - start >= MIN_WIDTH && (
              <text
                class={`interval-label ${code} ${end - start < MIN_WIDTH_ON_PHONE ? 'tight' : ''}`}
                x={percent((start + end) / 2)}
                y="21"
                text-anchor="middle"
              >
                {LABELS[policy.kind]}
              </text>
            )}
          </g>
        );
      })}
      <line
        class="recovery"
        x1={percent(getPosition(lasts, until))}
        x2={percent(getPosition(lasts, until))}
        y1="0"
        y2="36"
      />
      {createTicks(until).map(({ at, label }) => (
        <g key={label}>
          <line class="tick" x1={percent(at)} x2={percent(at)} y1="30" y2="35" />
          <text class="tick-label" x={percent(at)} y="48" text-anchor={at === 0 ? 'start' : 'middle'}>
            {label}
          </text>
        </g>
      ))}
    </svg>
  );
}
