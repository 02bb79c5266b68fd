// The rows of a grid that are in view, as it is scrolled and resized.
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { getRowsInView, getScrollTop, ROW_HEIGHT } from './rows-in-view.ts';

interface RowsOptions {
  /** The element of the grid, which scrolls. Its first child is the head. */
  readonly grid: RefObject<HTMLElement | null>;
  readonly count: number;
  /** The selected row, which exists also out of view. */
  readonly selected: number;
  /** Rows on paper. @defaultValue those in view */
  readonly maxPrinted?: number;
}

interface RowsInView {
  /** Indexes of rows. */
  readonly rows: readonly number[];
  readonly onScroll: () => void;
  /** Returns the number of rows that Page Up and Page Down move by. */
  readonly getPage: () => number;
  /** Scrolls to a row, if it is not in view. */
  readonly reveal: (row: number) => void;
}

export function useRowsInView({ grid, count, selected, maxPrinted = 0 }: RowsOptions): RowsInView {
  const [view, setView] = useState({ top: 0, height: 600 });
  const onScroll = (): void => {
    const element = grid.current;
    if (element === null) return;
    const [top, height] = [element.scrollTop, getBodyHeight(element)];
    setView((old) => (old.top === top && old.height === height ? old : { top, height }));
  };
  useEffect(() => {
    const observer = new ResizeObserver(onScroll);
    if (grid.current !== null) observer.observe(grid.current);
    return () => observer.disconnect();
  }, []);
  useEffect(onScroll, [count]);
  useEffect(() => {
    if (maxPrinted === 0) return;
    const showAll = (): void => setView({ top: 0, height: Math.min(count, maxPrinted) * ROW_HEIGHT });
    addEventListener('beforeprint', showAll);
    addEventListener('afterprint', onScroll);
    return () => {
      removeEventListener('beforeprint', showAll);
      removeEventListener('afterprint', onScroll);
    };
  }, [count]);
  return {
    rows: getRowsInView(count, view.top, view.height, selected),
    onScroll,
    getPage: () => Math.max(1, Math.floor(view.height / ROW_HEIGHT) - 1),
    reveal: (row) => {
      const element = grid.current;
      if (element !== null) element.scrollTop = getScrollTop(row, element.scrollTop, getBodyHeight(element));
    },
  };
}

/** Height of the visible rows, without the head. */
function getBodyHeight(grid: HTMLElement): number {
  return grid.clientHeight - (grid.firstElementChild?.clientHeight ?? 0);
}
