/**
 * Spells as a drawing. What it shows stands beside it in words, so it is hidden from those who do not see it.
 *
 * @module
 */
import type { Spell } from '@maycrawl/client/outage-simulation';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { placeOf, ticksUntil } from './duration.ts';

interface TimelineProps {
  readonly spells: readonly Spell[];
  readonly until: number;
  /** When the site is well again. */
  readonly lasts: number;
}

const LABELS: Readonly<Record<Spell['use'], string>> = {
  rules: 'file',
  absent: 'open',
  unreachable: 'closed',
  'outage-expired': 'open',
};

/** A spell that is narrower than this share has no room for its label. */
const ROOM = 0.09;
/** On a phone, this share is too narrow. */
const ROOM_ON_PHONE = 0.2;

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

/** Draws spells on a scale of time. */
export function Timeline({ spells, until, lasts }: TimelineProps): JSX.Element {
  const hatch = useId();
  return (
    <svg class="timeline" width="100%" height="54" aria-hidden="true">
      <defs>
        <pattern id={hatch} width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="7" height="7" class="hatch-ground" />
          <path d="M0 0v7" class="hatch-line" />
        </pattern>
      </defs>
      {spells.map(({ from, to, use, isFresh }) => {
        const [start, end] = [placeOf(from, until), placeOf(to, until)];
        const isClosed = use === 'unreachable';
        return (
          <g key={from}>
            <rect
              class={`spell ${use} ${isFresh ? 'fresh' : 'stale'}`}
              x={percent(start)}
              width={percent(end - start)}
              y="2"
              height="28"
              {...(isClosed && { fill: `url(#${hatch})` })}
            />
            {end - start >= ROOM && (
              <text
                class={`spell-label ${use} ${end - start < ROOM_ON_PHONE ? 'tight' : ''}`}
                x={percent((start + end) / 2)}
                y="21"
                text-anchor="middle"
              >
                {LABELS[use]}
              </text>
            )}
          </g>
        );
      })}
      <line
        class="recovery"
        x1={percent(placeOf(lasts, until))}
        x2={percent(placeOf(lasts, until))}
        y1="0"
        y2="36"
      />
      {ticksUntil(until).map(({ at, label }) => (
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
