// A small chart of lines over crawls. The charts of a section have the same scales.
import type { JSX } from 'preact';
import { formatTick } from '../text.ts';

/** Coordinates of a drawing, which is stretched. */
const SIZE = 100;
/** Space for points at both ends. */
const MARGIN = 2;

interface Line {
  /** Its class. */
  readonly name: string;
  /** Points between breaks. */
  readonly parts: readonly (readonly { readonly crawl: number; readonly share: number }[])[];
}

interface SmallChartProps {
  /** All numbers in words. */
  readonly label: string;
  readonly lines: readonly Line[];
  /** Of crawls, from 0 to 1. */
  readonly places: readonly number[];
  /** The end of the axis. */
  readonly most: number;
  /** The crawls after breaks. */
  readonly breaks: readonly number[];
  /** By crawl, for a pointer. */
  readonly titles: readonly string[];
  /** The dates of the first and the last crawl; their names without dates. */
  readonly ends: readonly string[];
}

/** Pixels of a drawing: charts.css has the same. */
const HEIGHT = 92;

export function SmallChart({
  label,
  lines,
  places,
  most,
  breaks,
  titles,
  ends,
}: SmallChartProps): JSX.Element {
  const getX = (crawl: number): number => MARGIN + (places[crawl] ?? 0) * (SIZE - 2 * MARGIN);
  const getY = (share: number): number => SIZE * (1 - share / most);
  const marks = breaks.map((crawl) => ({ crawl, x: (getX(crawl - 1) + getX(crawl)) / 2 }));
  return (
    <div class="small-chart">
      {[most, most / 2, 0].map((share) => (
        <span key={share} class="axis" style={{ top: `${(1 - share / most) * HEIGHT}px` }} aria-hidden="true">
          {formatTick(share)}
        </span>
      ))}
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {[0, 0.5, 1].map((share) => (
          <line key={share} class="grid" x1="0" x2={SIZE} y1={SIZE * share} y2={SIZE * share} />
        ))}
        {places.map((_, crawl) => (
          <line key={titles[crawl]} class="tick" x1={getX(crawl)} x2={getX(crawl)} y1={SIZE} y2={SIZE + 4} />
        ))}
        {marks.map(({ crawl, x }) => (
          <line key={crawl} class="break" x1={x} x2={x} y1="0" y2={SIZE} />
        ))}
        {lines.flatMap(({ name, parts }) =>
          parts.map((part) => {
            const points = part.map(({ crawl, share }) => `${getX(crawl)} ${getY(share)}`);
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
              .map(({ crawl, share }) => (
                <path key={crawl} class={`point ${name}`} d={`M${getX(crawl)} ${getY(share)} h0`} />
              )),
          )}
        {titles.map((title, crawl) => {
          const left = crawl === 0 ? 0 : (getX(crawl - 1) + getX(crawl)) / 2;
          const right = crawl === titles.length - 1 ? SIZE : (getX(crawl) + getX(crawl + 1)) / 2;
          return (
            <rect key={title} class="hit" x={left} width={right - left} y="0" height={SIZE}>
              <title>{title}</title>
            </rect>
          );
        })}
      </svg>
      <div class="breaks" aria-hidden="true">
        {marks.map(({ crawl, x }, index) => (
          <span key={crawl} style={{ left: `${x}%` }}>
            {index + 1}
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
