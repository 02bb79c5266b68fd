// The URLs as a table. Only the rows in view are rendered; the arrow keys move from row to row.
// biome-ignore-all lint/a11y/useSemanticElements: a table element needs all of its rows in the DOM, and there can be 100,000. Only the
// rows in view are rendered; aria-rowcount and aria-rowindex give screen readers the number of all rows and their positions.
// biome-ignore-all lint/a11y/useFocusableInteractive: in this grid the rows are focusable, not the cells.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid handles the keys of all rows.
import { parseUrl } from '@maycrawl/core/url';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ROW_HEIGHT } from '../../shared/grid/rows-in-view.ts';
import { useGridKeys } from '../../shared/grid/use-grid-keys.ts';
import { useRowsInView } from '../../shared/grid/use-rows-in-view.ts';
import { getSortState, SortButton } from '../../shared/table/sort-button.tsx';
import { formatMilliseconds, formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { Column, Sorting } from '../data/filter.ts';
import { getOutcome } from '../data/outcome.ts';
import type { ReportData } from '../data/report-data.ts';
import { OutcomeBadge } from '../outcome-badge.tsx';
import { useReport } from '../report-context.ts';

interface TableProps {
  /** Indexes of URLs. */
  readonly rows: Uint32Array;
  readonly sorting: Sorting;
  readonly selected: number | null;
  readonly onSort: (column: Column) => void;
  readonly onSelect: (index: number) => void;
}

const TITLES: readonly (readonly [column: Column, title: string])[] = [
  ['url', 'URL'],
  ['verdict', 'Verdict'],
  ['status', 'Status'],
  ['depth', 'Depth'],
  ['links', 'Links'],
  ['sitemap', 'Sitemap'],
  ['time', 'Time'],
  ['title', 'Title'],
];

/** Characters of a text that are shown. */
const MAX_SHOWN = 200;

export function UrlTable(props: TableProps): JSX.Element {
  const { rows, sorting, selected, onSort, onSelect } = props;
  const { data } = useReport();
  const grid = useRef<HTMLDivElement>(null);
  const at = selected === null ? -1 : rows.indexOf(selected);
  const current = Math.max(0, at);
  const origin = getOrigin(data);
  const {
    rows: shown,
    onScroll,
    getPage,
    reveal,
  } = useRowsInView({
    ...{ grid, count: rows.length, selected: current },
  });
  // Also a URL that something else than the table has selected.
  useLayoutEffect(() => {
    if (at >= 0) reveal(at);
  }, [at, rows]);
  const keys = useGridKeys({
    ...{ grid, row: current, column: 0, rows: rows.length, columns: 1, getPage },
    onSelect: (row) => {
      const index = rows[row];
      if (index !== undefined) onSelect(index);
    },
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if ((event.target as HTMLElement).closest('.row') === null) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      keys.select(current, 0);
    } else keys.onKeyDown(event);
  };

  return (
    <div
      ref={grid}
      class="url-grid"
      role="grid"
      aria-label="URLs"
      aria-rowcount={rows.length + 1}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup" class="url-grid-head">
        <div role="row" aria-rowindex={1} class="cells">
          {TITLES.map(([column, title]) => (
            <span role="columnheader" key={column} class={column} aria-sort={getSortState(column, sorting)}>
              <SortButton title={title} state={getSortState(column, sorting)} onSort={() => onSort(column)} />
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" class="url-grid-body" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
        {shown.map((row) => {
          const index = rows[row] as number;
          return (
            <div
              role="row"
              aria-rowindex={row + 2}
              aria-selected={row === at}
              key={index}
              tabIndex={row === current ? 0 : -1}
              class="row cells"
              style={{ transform: `translateY(${row * ROW_HEIGHT}px)` }}
              onClick={() => keys.select(row, 0)}
            >
              <Cells {...{ index, origin }} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Cells({
  index,
  origin,
}: {
  /** The origin of most URLs, which is omitted. */
  readonly origin: string;
  readonly index: number;
}): JSX.Element {
  const { data, agent } = useReport();
  const isBlocked = data.isBlocked(index, agent);
  const status = data.statuses[index] as number;
  const depth = data.depths[index] as number;
  const time = data.milliseconds[index] as number;
  const url = data.urls[index] ?? '';
  const title = isBlocked ? null : data.get(index, 'title');
  return (
    <>
      <span role="rowheader" class="url" title={visible(url, MAX_SHOWN)}>
        {visible(url.startsWith(`${origin}/`) ? url.slice(origin.length) : url, MAX_SHOWN)}
      </span>
      <span role="gridcell" class="verdict">
        <OutcomeBadge outcome={getOutcome(data.getVerdict(index, agent))} />
      </span>
      <span role="gridcell" class="status">
        {isBlocked ? 'hidden' : status < 0 ? '–' : status}
      </span>
      <span role="gridcell" class="depth">
        {depth < 0 ? '–' : depth}
      </span>
      <span role="gridcell" class="links">
        {formatNumber(data.links[index] as number)}
      </span>
      <span role="gridcell" class="sitemap">
        {data.isInSitemap(index) ? 'yes' : '–'}
      </span>
      <span role="gridcell" class="time">
        {isBlocked || time < 0 ? '–' : formatMilliseconds(time)}
      </span>
      <span role="gridcell" class="title">
        {title === null ? '' : visible(title, MAX_SHOWN)}
      </span>
    </>
  );
}

/** The origin of the first start URL. */
function getOrigin({ head: { settings } }: ReportData): string {
  const [start = ''] = settings.starts;
  return parseUrl(start)?.origin ?? '';
}
