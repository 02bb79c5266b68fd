// The runs as columns: URLs by outcome, and the errors of one kind. A column is a link to the report of its run. The table beside the
// drawings has the same numbers.
import type { JSX } from 'preact';
import { OUTCOME_TEXTS } from '../../report/text.ts';
import { formatMoment, formatNumber } from '../../shared/text.ts';
import { findPauses, type Point } from './trend-data.ts';

/** Height of the drawings, in pixels. */
const [HEIGHT, ERROR_HEIGHT] = [180, 40];
/** Width of a column at most, in percent. */
const MAX_WIDTH = 4;
/** Columns that have gaps between them. */
const MAX_GAPS = 60;

interface ColumnsProps {
  readonly points: readonly Point[];
  readonly label: string;
}

/** Draws the URLs of each run by outcome. */
export function OutcomeColumns({ points, label }: ColumnsProps): JSX.Element {
  const most = Math.max(1, ...points.map(({ counts }) => counts?.judged ?? 0));
  return (
    <div class="trend-chart">
      <svg width="100%" height={HEIGHT}>
        <title>{label}</title>
        <rect class="ground" width="100%" height={HEIGHT} />
        {points.map((point, index) => (
          <Column
            key={point.run.name}
            point={point}
            text={describePoint(point)}
            place={getPlace(index, points.length)}
            height={HEIGHT}
          >
            {(x, width) => {
              let y = HEIGHT;
              return point.counts?.parts.map(({ outcome, count }) => {
                const height = (count / most) * HEIGHT;
                y -= height;
                return (
                  <rect
                    key={outcome}
                    class={`part ${outcome}`}
                    x={x}
                    width={width}
                    y={y}
                    height={Math.max(height, 1)}
                  />
                );
              });
            }}
          </Column>
        ))}
        <Pauses points={points} />
        <Grid most={most} height={HEIGHT} />
      </svg>
      <Dates points={points} />
    </div>
  );
}

/** Draws a number of each run. */
export function ErrorColumns({
  points,
  label,
  counts,
}: ColumnsProps & { readonly counts: readonly (number | null)[] }): JSX.Element {
  const most = Math.max(1, ...counts.map((each) => each ?? 0));
  return (
    <svg class="trend-errors" width="100%" height={ERROR_HEIGHT}>
      <title>{label}</title>
      <rect class="ground" width="100%" height={ERROR_HEIGHT} />
      {points.map((point, index) => {
        const count = counts[index] ?? 0;
        const height = count === 0 ? 0 : Math.max(2, (count / most) * ERROR_HEIGHT);
        const text = `${formatStart(point)}: ${point.counts === null ? UNFINISHED : formatNumber(count)}`;
        return (
          <Column
            key={point.run.name}
            point={point}
            text={text}
            place={getPlace(index, points.length)}
            height={ERROR_HEIGHT}
          >
            {(x, width) => (
              <rect class="part error" x={x} width={width} y={ERROR_HEIGHT - height} height={height} />
            )}
          </Column>
        );
      })}
    </svg>
  );
}

const UNFINISHED = 'not finished';

interface ColumnProps {
  readonly point: Point;
  readonly text: string;
  readonly place: Place;
  readonly height: number;
  readonly children: (x: string, width: string) => JSX.Element | readonly JSX.Element[] | undefined;
}

/** A column, which opens the report of its run if there is one. */
function Column({ point: { run, counts }, text, place, height, children }: ColumnProps): JSX.Element {
  const [x, width] = [`${place.x}%`, `${place.width}%`];
  const shapes = (
    <>
      <title>{text}</title>
      {counts === null ? (
        <rect class="part unjudged" x={x} width={width} y={0} height={height} />
      ) : (
        children(x, width)
      )}
      <rect class="hit" x={`${place.left}%`} width={`${place.step}%`} y={0} height={height} />
    </>
  );
  if (!run.hasReport) return <g>{shapes}</g>;
  return (
    <a href={getReportUrl(run.name)} aria-label={text}>
      {shapes}
    </a>
  );
}

export function getReportUrl(name: string): string {
  return `./audits/${encodeURIComponent(name)}`;
}

interface Place {
  readonly left: number;
  readonly step: number;
  readonly x: number;
  readonly width: number;
}

/** Where a column is, in percent. */
function getPlace(index: number, count: number): Place {
  const step = 100 / Math.max(count, 1);
  // Gaps that are narrower than a pixel are drawn as stripes.
  const width = count > MAX_GAPS ? step : Math.min(step * 0.8, MAX_WIDTH);
  return { left: index * step, step, x: index * step + (step - width) / 2, width };
}

/** Lines where no audit began for a long time: columns are equally far from each other. */
function Pauses({ points }: { readonly points: readonly Point[] }): JSX.Element {
  return (
    <>
      {findPauses(points).map((index) => {
        const x = `${getPlace(index, points.length).left}%`;
        const [before, after] = [points[index - 1] as Point, points[index] as Point];
        return (
          <line key={index} class="pause" x1={x} x2={x} y1="0" y2={HEIGHT}>
            <title>{`no audits from ${formatStart(before)} to ${formatStart(after)}`}</title>
          </line>
        );
      })}
    </>
  );
}

/** Lines for the largest number, and half of it. */
function Grid({ most, height }: { readonly most: number; readonly height: number }): JSX.Element {
  return (
    <>
      {[0, 0.5].map((share) => (
        <g key={share}>
          <line class="grid" x1="0" x2="100%" y1={share * height} y2={share * height} />
          <text class="grid-label" x="4" y={share * height + 13}>
            {formatNumber(Math.round(most * (1 - share)))}
          </text>
        </g>
      ))}
    </>
  );
}

function Dates({ points }: { readonly points: readonly Point[] }): JSX.Element {
  const [first, last] = [points[0], points.at(-1)];
  return (
    <p class="dates aside" aria-hidden="true">
      <span>{first && formatStart(first)}</span>
      {points.length > 1 && <span>{last && formatStart(last)}</span>}
    </p>
  );
}

/** When a run began. */
export function formatStart({ run }: Point): string {
  return formatMoment(Date.parse(run.startedAt));
}

/** "22 Nov 2026, 03:00: 12 of 24 URLs indexable, 12 noindex" */
function describePoint(point: Point): string {
  const { counts } = point;
  if (counts === null) return `${formatStart(point)}: ${UNFINISHED}`;
  const others = counts.parts
    .filter(({ outcome }) => outcome !== 'indexable')
    .map(({ outcome, count }) => `${formatNumber(count)} ${OUTCOME_TEXTS[outcome].label}`);
  const indexable = `${formatNumber(counts.indexable)} of ${formatNumber(counts.judged)} URLs indexable`;
  return `${formatStart(point)}: ${[indexable, ...others].join(', ')}`;
}
