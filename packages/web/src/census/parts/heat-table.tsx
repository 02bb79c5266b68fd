/**
 * A table of shares with colours: the darker, the larger. It is one stop of the Tab key; the arrow keys move between its cells.
 *
 * @module
 */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { findLargest, type Share, toFraction } from '../data/shares.ts';
import { formatPercentNumber } from '../text.ts';
import { useExamples } from './examples.tsx';

/** Steps of the colour. */
const STEPS = 10;

/** A cell. */
interface HeatCell {
  readonly share: Share;
  /** What is counted. */
  readonly label: string;
}

interface HeatTableProps {
  readonly label: string;
  readonly head: string;
  readonly columns: readonly { readonly name: string; readonly note?: string }[];
  readonly rows: readonly {
    readonly name: string;
    readonly note?: string;
    /** By column; `null` for an empty one. */
    readonly cells: readonly (HeatCell | null)[];
  }[];
  /** The share that has the darkest colour. @defaultValue the largest one */
  readonly most?: number;
  /** Whether the names of columns are turned. */
  readonly isTurned?: boolean;
}

/** Shows the table. */
export function HeatTable({ label, head, columns, rows, isTurned, ...props }: HeatTableProps): JSX.Element {
  const [[row, column], setCurrent] = useState<readonly [number, number]>([0, 0]);
  const body = useRef<HTMLTableSectionElement>(null);
  const open = useExamples();
  const shares = rows.flatMap(({ cells }) =>
    cells.map((cell) => (cell === null ? 0 : toFraction(cell.share))),
  );
  const most = props.most ?? findLargest(shares);
  const moveTo = (toRow: number, toColumn: number): void => {
    const to = [clamp(toRow, rows.length), clamp(toColumn, columns.length)] as const;
    setCurrent(to);
    body.current?.rows[to[0]]
      ?.querySelectorAll<HTMLElement>('td')
      [to[1]]?.querySelector<HTMLElement>('[tabindex]')
      ?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, columns.length - 1],
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    moveTo(...to);
  };
  return (
    <ScrollRegion label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: HTML permits the role grid for a table, and axe accepts it. */}
      <table class={isTurned ? 'heat turned' : 'heat'} role="grid" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            {columns.map(({ name, note }) => (
              <th key={name} scope="col">
                <span>
                  {name}
                  {note !== undefined && <small>{note}</small>}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {rows.map(({ name, note, cells }, y) => (
            <tr key={name}>
              <th scope="row">
                {name}
                {note !== undefined && <small>{note}</small>}
              </th>
              {cells.map((cell, x) => {
                const tabIndex = y === row && x === column ? 0 : -1;
                const fraction = cell === null ? 0 : toFraction(cell.share);
                const isEmpty = cell === null || cell.share.sites.count === 0;
                const text = cell === null || cell.share.total === 0 ? '–' : formatPercentNumber(fraction);
                return (
                  <td
                    key={columns[x]?.name}
                    class={`heat-${Math.min(STEPS, Math.ceil((fraction / most) * STEPS))}`}
                  >
                    {isEmpty ? (
                      <span tabIndex={tabIndex}>{text}</span>
                    ) : (
                      <button
                        type="button"
                        tabIndex={tabIndex}
                        aria-label={`${cell.label}: ${text} %`}
                        onClick={() => {
                          setCurrent([y, x]);
                          open(cell.label, cell.share.sites);
                        }}
                      >
                        {text}
                      </button>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function clamp(index: number, length: number): number {
  return Math.min(Math.max(index, 0), length - 1);
}
