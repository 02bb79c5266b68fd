// Small charts. Their numbers are beside them as text.
import type { ComponentChildren, JSX } from 'preact';
import { CountButton } from '../table/count-button.tsx';
import { DataTable } from '../table/data-table.tsx';
import { formatNumber, formatShare } from '../text.ts';

export interface Part {
  /** The class of its colour. */
  readonly name: string;
  readonly label: string;
  readonly count: number;
  readonly description?: string;
}

export function Stack({
  parts,
  label,
}: {
  readonly parts: readonly Part[];
  readonly label: string;
}): JSX.Element | null {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const values = parts.map((part) => `${part.label} ${formatShare(part.count, total)}`).join(', ');
  let from = 0;
  return (
    <svg
      class="stack"
      viewBox="0 0 1000 24"
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${values}`}
    >
      {parts.map(({ name, count }) => {
        const x = from;
        const width = (1000 * count) / total;
        from += width;
        return (
          <rect key={name} class={`part ${name}`} x={x} y="0" width={Math.max(width - 1.5, 1)} height="24" />
        );
      })}
    </svg>
  );
}

interface BarLineProps {
  readonly parts: readonly {
    /** The class of its colour. */
    readonly name: string;
    /** Of the width, from 0 to 1. */
    readonly fraction: number;
  }[];
  /** For a pointer. */
  readonly title?: string;
  /** Whether the bar begins at the right. @defaultValue false */
  readonly isMirrored?: boolean;
}

/** A bar without text: its numbers are beside it. */
export function BarLine({ parts, title, isMirrored = false }: BarLineProps): JSX.Element {
  let from = 0;
  return (
    <svg class="bar-line" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      {title !== undefined && <title>{title}</title>}
      {parts.map(({ name, fraction }) => {
        const x = from;
        const width = 100 * fraction;
        from += width;
        return (
          <rect key={name} class={`part ${name}`} x={isMirrored ? 100 - from : x} width={width} height="10" />
        );
      })}
    </svg>
  );
}

interface BarsProps {
  readonly rows: readonly Part[];
  readonly head: string;
  /** What is counted, in the plural. */
  readonly unit: string;
  /** What the shares are of. @defaultValue the sum of the rows */
  readonly total?: number;
  /** The axis of the bars. @defaultValue none */
  readonly axis?: ComponentChildren;
  /** Decimals of shares. @defaultValue 0 */
  readonly digits?: number;
  /** Shows what a row counts: its label is a button. */
  readonly onChoose?: (name: string) => void;
  /** The same, with its number as the button. */
  readonly onCount?: (name: string) => void;
}

/** The shortest bar of a number that is not 0. */
const MIN_FRACTION = 0.005;

export function Bars({ rows, head, unit, digits, onChoose, onCount, ...props }: BarsProps): JSX.Element {
  const total = props.total ?? rows.reduce((sum, { count }) => sum + count, 0);
  const most = rows.reduce((max, { count }) => Math.max(max, count), 1);
  if (rows.length === 0) return <p class="aside">No data.</p>;
  return (
    <DataTable
      class="bars"
      rows={rows}
      getKey={({ name }) => name}
      columns={[
        {
          title: head,
          kind: 'row',
          getCell: ({ name, label, description }) =>
            onChoose === undefined ? (
              <span title={description}>{label}</span>
            ) : (
              <button type="button" class="link" title={description} onClick={() => onChoose(name)}>
                {label}
              </button>
            ),
        },
        {
          title: unit,
          kind: 'number',
          getCell: ({ name, label, count }) =>
            onCount === undefined ? (
              formatNumber(count)
            ) : (
              <CountButton count={count} label={`${label}, ${unit}`} onChoose={() => onCount(name)} />
            ),
        },
        {
          title: 'Share',
          kind: 'chart',
          ...(props.axis !== undefined && {
            axis: (
              <div class="share">
                {props.axis}
                <span />
              </div>
            ),
          }),
          getCell: ({ name, count }) => (
            <div class="share">
              <BarLine parts={[{ name, fraction: count === 0 ? 0 : Math.max(count / most, MIN_FRACTION) }]} />
              <span>{formatShare(count, total, digits)}</span>
            </div>
          ),
        },
      ]}
    />
  );
}

/** The explanation of a colour. */
export function Key({ name, label }: { readonly name: string; readonly label: string }): JSX.Element {
  return (
    <span>
      <svg width="14" height="14" aria-hidden="true">
        <rect class={`part ${name}`} width="14" height="14" rx="3" />
      </svg>
      {label}
    </span>
  );
}
