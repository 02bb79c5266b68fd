// The table of preferences: crawlers by their purposes. The arrow keys move from cell to cell.
// biome-ignore-all lint/a11y/useSemanticElements: a grid whose cells are selected, as the matrix of verdicts.
// biome-ignore-all lint/a11y/useFocusableInteractive: in a grid the cells are focusable, not rows and headers.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the grid handles the keys of all cells.
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useGridKeys } from '../../shared/grid/use-grid-keys.ts';
import { formatNumber } from '../../shared/text.ts';
import { visible } from '../../shared/visible.ts';
import type { CrawlerPreferences } from '../judging/preferences.ts';
import { PURPOSES, type SelectedPreference } from '../state/selected-preference.ts';
import type { CrawlerRow, RowGroup } from './crawler-rows.ts';
import { CrawlBadge, PreferenceBadge } from './preference-badge.tsx';
import { getPurposeTitle } from './texts.ts';

interface PreferenceGridProps {
  readonly groups: readonly RowGroup[];
  readonly selected: SelectedPreference;
  /** Whether the values are those before the last change. */
  readonly isBusy: boolean;
  readonly onSelect: (preference: SelectedPreference) => void;
}

/** Rows of a page, for the keys that move by a page. */
const PAGE = 8;

export function PreferenceGrid({ groups, selected, isBusy, onSelect }: PreferenceGridProps): JSX.Element {
  const grid = useRef<HTMLDivElement>(null);
  const rows = groups.flatMap((group) => group.rows);
  const current = {
    row: Math.max(
      0,
      rows.findIndex(({ crawler }) => crawler === selected.crawler),
    ),
    column: PURPOSES.indexOf(selected.purpose),
  };
  const { onKeyDown, select } = useGridKeys({
    ...current,
    ...{ grid, rows: rows.length, columns: PURPOSES.length, getPage: () => PAGE },
    onSelect: (row, column) => {
      const [crawler, purpose] = [rows[row]?.crawler, PURPOSES[column]];
      if (crawler !== undefined && purpose !== undefined) onSelect({ crawler, purpose });
    },
  });
  return (
    <div
      ref={grid}
      class="preference-grid"
      role="grid"
      aria-busy={isBusy}
      aria-label="Use of the content: crawlers by purposes"
      onKeyDown={onKeyDown}
    >
      <div role="rowgroup">
        <div role="row" class="preference-head">
          <span role="columnheader">Crawler</span>
          <span role="columnheader">
            Crawling<small>{countDisallowed(rows, ({ crawl }) => crawl)}</small>
          </span>
          {PURPOSES.map((purpose) => (
            <span role="columnheader" key={purpose}>
              {getPurposeTitle(purpose)}
              <small>{countDisallowed(rows, ({ values }) => values[purpose])}</small>
            </span>
          ))}
        </div>
      </div>
      {groups.map((group) => (
        <div role="rowgroup" key={group.title} aria-label={group.title}>
          <div role="row" class="preference-group">
            <span role="rowheader" aria-colspan={2 + PURPOSES.length}>
              {group.title}
            </span>
          </div>
          {group.rows.map((row) => (
            <GridRow
              key={row.crawler}
              row={row}
              selected={rows[current.row] === row ? selected.purpose : null}
              onSelect={(column) => select(rows.indexOf(row), column)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

function countDisallowed(
  rows: readonly CrawlerPreferences[],
  getValue: (row: CrawlerPreferences) => string,
): string {
  const count = rows.filter((row) => getValue(row) === 'disallowed').length;
  return count === 0 ? 'none disallowed' : `${formatNumber(count)} disallowed`;
}

interface GridRowProps {
  readonly row: CrawlerRow;
  /** The purpose of the selected cell; `null` in other rows. */
  readonly selected: SelectedPreference['purpose'] | null;
  readonly onSelect: (column: number) => void;
}

function GridRow({ row, selected, onSelect }: GridRowProps): JSX.Element {
  const { crawler, crawl, values, disputed, notes, isPolicyToken } = row;
  return (
    <div role="row" class="preference-row">
      <span role="rowheader">
        <b>{visible(crawler, 100)}</b>
        <small>{notes.join(', ')}</small>
      </span>
      <span role="gridcell" data-title="Crawling">
        {isPolicyToken ? <small>only rules</small> : <CrawlBadge crawl={crawl} />}
      </span>
      {PURPOSES.map((purpose, column) => (
        <span
          role="gridcell"
          key={purpose}
          class="preference-cell"
          data-title={getPurposeTitle(purpose)}
          aria-selected={selected === purpose}
          tabIndex={selected === purpose ? 0 : -1}
          onClick={() => onSelect(column)}
        >
          <PreferenceBadge value={values[purpose]} />
          {disputed.includes(purpose) && <small class="disputed">disputed</small>}
        </span>
      ))}
    </div>
  );
}
