// A small chart of lines over time. Charts beside each other have the same scales.
import type { JSX } from 'preact';

/** Coordinates of a drawing, which is stretched. */
const SIZE = 100;
/** Space for points at both ends. */
const MARGIN = 2;

/** A value at a time. */
export interface ChartPoint {
  /** Index of the time. */
  readonly index: number;
  readonly value: number;
}

interface Line {
  /** Its class. */
  readonly name: string;
  /** Points between breaks. */
  readonly parts: readonly (readonly ChartPoint[])[];
}

interface SmallChartProps {
  /** All numbers in words. */
  readonly label: string;
  readonly lines: readonly Line[];
  /** Of times, from 0 to 1. */
  readonly places: readonly number[];
  /** The end of the axis. */
  readonly most: number;
  readonly formatTick: (value: number) => string;
  /** The times after breaks. @defaultValue none */
  readonly breaks?: readonly number[];
  /** By time, for a pointer. */
  readonly titles: readonly string[];
  /** Names of the first and the last time. */
  readonly ends: readonly string[];
}

/** Pixels of a drawing: small-chart.css has the same. */
const HEIGHT = 92;

export function SmallChart({
  label,
  lines,
  places,
  most,
  formatTick,
  breaks = [],
  titles,
  ends,
}: SmallChartProps): JSX.Element {
  const getX = (index: number): number => MARGIN + (places[index] ?? 0) * (SIZE - 2 * MARGIN);
  const getY = (value: number): number => SIZE * (1 - value / most);
  const marks = breaks.map((index) => ({ index, x: (getX(index - 1) + getX(index)) / 2 }));
  return (
    <div class="small-chart">
      {[most, most / 2, 0].map((value) => (
        <span key={value} class="axis" style={{ top: `${(1 - value / most) * HEIGHT}px` }} aria-hidden="true">
          {formatTick(value)}
        </span>
      ))}
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {[0, 0.5, 1].map((height) => (
          <line key={height} class="grid" x1="0" x2={SIZE} y1={SIZE * height} y2={SIZE * height} />
        ))}
        {places.map((_, index) => (
          <line key={titles[index]} class="tick" x1={getX(index)} x2={getX(index)} y1={SIZE} y2={SIZE + 4} />
        ))}
        {marks.map(({ index, x }) => (
          <line key={index} class="break" x1={x} x2={x} y1="0" y2={SIZE} />
        ))}
        {lines.flatMap(({ name, parts }) =>
          parts.map((part) => {
            const points = part.map(({ index, value }) => `${getX(index)} ${getY(value)}`);
            // A line without length is a point: the ends of lines are round.
            const path = points.length === 1 ? `M${points[0]} h0` : `M${points.join(' L')}`;
            return points.length === 0 ? null : (
              <path key={`${name} ${points[0]}`} class={`line ${name}`} d={path} />
            );
          }),
        )}
        {lines
          .slice(0, 1)
          .flatMap(({ name, parts }) =>
            parts
              .flat()
              .map(({ index, value }) => (
                <path key={index} class={`point ${name}`} d={`M${getX(index)} ${getY(value)} h0`} />
              )),
          )}
        {titles.map((title, index) => {
          const left = index === 0 ? 0 : (getX(index - 1) + getX(index)) / 2;
          const right = index === titles.length - 1 ? SIZE : (getX(index) + getX(index + 1)) / 2;
          return (
            <rect key={title} class="hit" x={left} width={right - left} y="0" height={SIZE}>
              <title>{title}</title>
            </rect>
          );
        })}
      </svg>
      <div class="breaks" aria-hidden="true">
        {marks.map(({ index, x }, place) => (
          <span key={index} style={{ left: `${x}%` }}>
            {place + 1}
          </span>
        ))}
      </div>
      <p class="ends" aria-hidden="true">
        {ends.map((end) => (
          <span key={end}>{end}</span>
        ))}
      </p>
    </div>
  );
}
