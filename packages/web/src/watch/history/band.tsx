// The versions of a site as a band on a scale of time, with its events as marks. The tables of the page have the same in words, so the
// drawing is hidden from screen readers.
import type { WatchJson } from 'maycrawl/api';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { Hatch } from '../../shared/charts/hatch.tsx';
import { SEVERITIES } from '../../shared/severity.tsx';
import { formatTick } from '../text.ts';
import { percent, placeIn, type Span } from './spans.ts';

interface BandProps {
  readonly span: Span;
  /** The newest first. */
  readonly versions: readonly WatchJson<'Version'>[];
  readonly events: readonly WatchJson<'Event'>[];
}

/** Percent: the number of a narrower part is not shown. */
const MIN_LABEL_WIDTH = 5;

export function Band({ span, versions, events }: BandProps): JSX.Element {
  const hatch = useId();
  const parts = versions.map((version, index) => {
    const until = versions[index - 1]?.firstSeen;
    const start = placeIn(span, Date.parse(version.firstSeen));
    return { ...version, start, end: until === undefined ? 100 : placeIn(span, Date.parse(until)) };
  });
  const marks = events.filter(({ at }) => Date.parse(at) >= span.from);
  return (
    <figure class="over-time" aria-hidden="true">
      <svg width="100%" height="64" aria-hidden="true">
        <Hatch id={hatch} />
        {parts
          .filter(({ end }) => end > 0)
          .map(({ number, kind, start, end }) => (
            <g key={number}>
              <rect
                class={`part ${kind}`}
                x={percent(start)}
                width={percent(Math.max(end - start, 0.2))}
                y="14"
                height="28"
                {...(kind === 'unreachable' && { fill: `url(#${hatch})` })}
              />
              {end - start >= MIN_LABEL_WIDTH && (
                <text class={`part-label ${kind}`} x={percent((start + end) / 2)} y="33" text-anchor="middle">
                  {number}
                </text>
              )}
            </g>
          ))}
        {marks.map(({ id, at, severity }) => (
          <svg
            key={id}
            class="mark"
            aria-hidden="true"
            x={percent(placeIn(span, Date.parse(at)))}
            y="0"
            overflow="visible"
          >
            <path class={`severity-mark ${severity}`} d={MARKS[severity]} />
          </svg>
        ))}
        <Scale span={span} y={60} />
      </svg>
      <figcaption class="key">
        <Key kind="successful" word="file" />
        <Key kind="unavailable" word="no file" />
        <Key kind="unreachable" word="unreachable" />
        {SEVERITIES.map((severity) => (
          <span key={severity}>
            <svg width="14" height="14" viewBox="-7 -1 14 14" aria-hidden="true">
              <path class={`severity-mark ${severity}`} d={MARKS[severity]} />
            </svg>
            {severity}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

const MARKS = {
  info: 'M-3 7a3 3 0 1 0 6 0a3 3 0 1 0 -6 0Z',
  warning: 'M-5 2h10L0 12Z',
  error: 'M-5 1h10v10h-10Z',
} as const;

function Key({ kind, word }: { readonly kind: string; readonly word: string }): JSX.Element {
  const hatch = useId();
  return (
    <span>
      <svg width="22" height="14" aria-hidden="true">
        <Hatch id={hatch} />
        <rect
          class={`part ${kind}`}
          x="1"
          y="1"
          width="20"
          height="12"
          {...(kind === 'unreachable' && { fill: `url(#${hatch})` })}
        />
      </svg>
      {word}
    </span>
  );
}

/** Labels at the beginning, the middle and the end of a span. */
export function Scale({ span, y }: { readonly span: Span; readonly y: number }): JSX.Element {
  const { from, to } = span;
  return (
    <>
      <text class="tick-label" x="0" y={y}>
        {formatTick(from)}
      </text>
      <text class="tick-label" x="50%" y={y} text-anchor="middle">
        {formatTick((from + to) / 2)}
      </text>
      <text class="tick-label" x="100%" y={y} text-anchor="end">
        now
      </text>
    </>
  );
}
