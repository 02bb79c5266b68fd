// The matrix: verdicts of many URLs for some crawlers. Only visible rows are rendered; the arrow keys move from cell to cell.
// biome-ignore-all lint/a11y/useSemanticElements: a table element needs all of its rows in the DOM, and there can be 100,000. Only the
// rows in view are rendered; aria-rowcount and aria-rowindex give screen readers the number of all rows and their positions.
// biome-ignore-all lint/a11y/useFocusableInteractive: in a grid the cells are focusable, not rows and headers.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid handles the keys of all cells.
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { ROW_HEIGHT } from '../../shared/grid/rows-in-view.ts';
import { useGridKeys } from '../../shared/grid/use-grid-keys.ts';
import { useRowsInView } from '../../shared/grid/use-rows-in-view.ts';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import { CELL } from '../judging/cell.ts';
import { countCells } from '../judging/matrix.ts';
import type { Matrix } from '../judging/use-results.ts';
import { type PageState, withSelected } from '../state/page-state.ts';
import { findCommonOrigin } from './common-origin.ts';
import { ListsBar, type ListsBarProps } from './lists-bar.tsx';
import { VerdictBadge } from './verdict-badge.tsx';

interface MatrixGridProps {
  readonly state: PageState;
  readonly matrix: Matrix | null;
  readonly onSelect: (row: number, column: number) => void;
}

/** Characters of a URL that are shown; the explanation shows more. */
const MAX_URL_SHOWN = 200;

/** Rows on paper. On the screen only those in view exist. */
const MAX_PRINTED = 1000;

function MatrixGrid({ state, matrix, onSelect }: MatrixGridProps): JSX.Element {
  const { urls, crawlers, selected } = state;
  const grid = useRef<HTMLDivElement>(null);
  const counts = useMemo(
    () => (matrix === null ? null : countCells(matrix.cells, crawlers.length, CELL.disallowed)),
    [matrix, crawlers],
  );

  const origin = useMemo(() => findCommonOrigin(urls), [urls]);

  const { rows, onScroll, getPage, reveal } = useRowsInView({
    ...{ grid, count: urls.length, selected: selected.row, maxPrinted: MAX_PRINTED },
  });
  const { onKeyDown, select } = useGridKeys({
    ...selected,
    ...{ grid, rows: urls.length, columns: crawlers.length, getPage, onSelect },
    reveal: () => reveal(selected.row),
  });

  return (
    <div
      ref={grid}
      class="matrix"
      role="grid"
      aria-label="Verdicts: URLs by crawlers"
      aria-rowcount={urls.length + 1}
      aria-colcount={crawlers.length + 1}
      style={{ '--columns': crawlers.length }}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" class="matrix-head">
        <div role="row" aria-rowindex={1} class="matrix-row">
          <span role="columnheader" aria-colindex={1} class="matrix-url">
            URL
            {origin !== '' && <small>{visible(origin, MAX_URL_SHOWN)}</small>}
          </span>
          {crawlers.map((name, column) => (
            <span role="columnheader" aria-colindex={column + 2} key={name}>
              <span class="matrix-crawler" title={name}>
                {name}
              </span>
              <small>{counts === null ? '…' : `${formatNumber(counts[column] ?? 0)} disallowed`}</small>
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="matrix-body" style={{ height: `${urls.length * ROW_HEIGHT}px` }}>
        {rows.map((row) => (
          <div
            role="row"
            aria-rowindex={row + 2}
            key={row}
            class="matrix-row"
            style={{ transform: `translateY(${row * ROW_HEIGHT}px)` }}
          >
            <span
              role="rowheader"
              aria-colindex={1}
              class="matrix-url"
              title={visible(urls[row] ?? '', MAX_URL_SHOWN)}
            >
              {formatUrl(urls[row] ?? '', origin)}
            </span>
            {crawlers.map((name, column) => {
              const isSelected = row === selected.row && column === selected.column;
              return (
                <span
                  role="gridcell"
                  aria-colindex={column + 2}
                  aria-selected={isSelected}
                  tabIndex={isSelected ? 0 : -1}
                  key={name}
                  onClick={() => select(row, column)}
                >
                  <VerdictBadge cell={matrix?.cells[row * crawlers.length + column]} />
                </span>
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

/** A URL without the common origin. */
function formatUrl(url: string, origin: string): string {
  const rest = origin !== '' && url.startsWith(origin) ? url.slice(origin.length) : url;
  return visible(rest === '' ? '/' : rest, MAX_URL_SHOWN);
}

interface VerdictsPanelProps extends ListsBarProps {
  readonly matrix: Matrix | null;
}

export function VerdictsPanel({ state, matrix, onUpdate, onNotice }: VerdictsPanelProps): JSX.Element {
  const { urls, crawlers } = state;
  return (
    <>
      <ListsBar state={state} onUpdate={onUpdate} onNotice={onNotice} />
      {urls.length === 0 || crawlers.length === 0 ? (
        <p class="empty">Add a URL and choose a crawler to see verdicts.</p>
      ) : (
        <MatrixGrid
          state={state}
          matrix={matrix}
          onSelect={(row, column) => onUpdate(withSelected(row, column))}
        />
      )}
    </>
  );
}
