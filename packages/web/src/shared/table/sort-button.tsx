// The head of a column that sorts its table.
import type { JSX } from 'preact';

/** The order of a table. */
export interface Sorting<Column extends string> {
  readonly column: Column;
  readonly descending: boolean;
}

/** The value of `aria-sort`. */
export type SortState = 'ascending' | 'descending' | 'none';

export function getSortState<Column extends string>(
  column: Column,
  { column: sorted, descending }: Sorting<Column>,
): SortState {
  if (column !== sorted) return 'none';
  return descending ? 'descending' : 'ascending';
}

interface SortButtonProps {
  readonly title: string;
  readonly state: SortState;
  readonly onSort: () => void;
}

/** A title that sorts. The element around it has `aria-sort`. */
export function SortButton({ title, state, onSort }: SortButtonProps): JSX.Element {
  return (
    <button type="button" class="sort" onClick={onSort}>
      {title}
      <svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        {state !== 'none' && <path d={state === 'descending' ? 'M1 3h8L5 8z' : 'M1 7h8L5 2z'} />}
      </svg>
    </button>
  );
}
