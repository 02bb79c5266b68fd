// A table of shares with colours: the darker, the larger. It is one stop of the Tab key; the arrow keys move between its cells.
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ScrollRegion } from '../../shared/grid/scroll-region.tsx';
import { useGridKeys } from '../../shared/grid/use-grid-keys.ts';
import { formatNumber } from '../../shared/text.ts';
import { findLargest, MIN_SITES, type Share, toFraction } from '../data/shares.ts';
import { formatPercentNumber } from '../text.ts';
import { useExamples } from './examples.tsx';

/** Steps of the colour. */
const STEPS = 10;
/** Rows of a page, for the keys that move by a page. */
const PAGE = 8;

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

export function HeatTable({ label, head, columns, rows, isTurned, ...props }: HeatTableProps): JSX.Element {
  const [[row, column], setCurrent] = useState<readonly [number, number]>([0, 0]);
  const body = useRef<HTMLTableSectionElement>(null);
  const open = useExamples();
  const shares = rows.flatMap(({ cells }) =>
    cells.map((cell) => (cell === null || cell.share.total < MIN_SITES ? 0 : toFraction(cell.share))),
  );
  const most = props.most ?? findLargest(shares);
  const { onKeyDown } = useGridKeys({
    ...{ grid: body, row, column, rows: rows.length, columns: columns.length, getPage: () => PAGE },
    onSelect: (toRow, toColumn) => setCurrent([toRow, toColumn]),
  });
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
                    class={`heat-${cell === null || cell.share.total < MIN_SITES ? 0 : Math.min(STEPS, Math.ceil((fraction / most) * STEPS))}`}
                    title={cell === null ? undefined : `of ${formatNumber(cell.share.total)} sites`}
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
