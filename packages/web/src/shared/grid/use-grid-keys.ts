// The keys of a grid with one selected cell: the arrow keys select another cell, and it gets the focus.
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { getNextCell } from './rows-in-view.ts';

interface GridKeysOptions {
  /** The element of the grid. */
  readonly grid: RefObject<HTMLElement | null>;
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
  /** Returns the number of rows that Page Up and Page Down move by. */
  readonly getPage: () => number;
  readonly onSelect: (row: number, column: number) => void;
  /** Makes the selected cell visible before it gets the focus. */
  readonly reveal?: () => void;
}

interface GridKeys {
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** Selects a cell, which gets the focus. */
  readonly select: (row: number, column: number) => void;
}

/** Handles the keys of a grid whose selected cell is its only one with `tabindex="0"`. */
export function useGridKeys(options: GridKeysOptions): GridKeys {
  const { grid, row, column, rows, columns, getPage, onSelect, reveal } = options;
  const shouldFocus = useRef(false);
  const select = (nextRow: number, nextColumn: number): void => {
    shouldFocus.current = true;
    onSelect(nextRow, nextColumn);
  };
  // Before the browser paints: two quick keys must not start from the same cell.
  useLayoutEffect(() => {
    const element = grid.current;
    if (element === null || !shouldFocus.current) return;
    shouldFocus.current = false;
    reveal?.();
    element.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = getNextCell(event, { row, column }, { rows, columns, page: getPage() });
    if (next === null) return;
    event.preventDefault();
    select(next.row, next.column);
  };
  return { onKeyDown, select };
}
