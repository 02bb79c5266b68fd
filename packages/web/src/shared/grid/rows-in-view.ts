// Virtual scrolling: the visible rows of a long list whose rows have the same height.

/** Height of a row in pixels, as in matrix.css and table.css. */
export const ROW_HEIGHT = 36;
/** Rows that are rendered beyond the edges, against gaps while scrolling. */
const MARGIN = 8;

/** The visible rows and some around them, in order, and the selected row, so that it keeps the focus. */
export function getRowsInView(count: number, scrollTop: number, height: number, selected: number): number[] {
  const first = Math.max(0, Math.floor(scrollTop / ROW_HEIGHT) - MARGIN);
  const end = Math.min(count, Math.ceil((scrollTop + height) / ROW_HEIGHT) + MARGIN);
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  if (selected >= count || (selected >= first && selected < end)) return rows;
  return selected < first ? [selected, ...rows] : [...rows, selected];
}

/** The scroll position at which a row is fully visible, nearest to the current one. */
export function getScrollTop(row: number, scrollTop: number, height: number): number {
  const top = row * ROW_HEIGHT;
  if (top < scrollTop) return top;
  return Math.max(scrollTop, top + ROW_HEIGHT - height);
}

/** The cell that a key moves to; `null` for other keys. In a grid of whole rows, Home and End move to the first and the last row. */
export function getNextCell(
  { key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>,
  { row, column }: { readonly row: number; readonly column: number },
  { rows, columns, page }: { readonly rows: number; readonly columns: number; readonly page: number },
): { row: number; column: number } | null {
  const far = ctrlKey || metaKey || columns === 1;
  switch (key) {
    case 'ArrowUp':
      return { row: Math.max(0, row - 1), column };
    case 'ArrowDown':
      return { row: Math.min(rows - 1, row + 1), column };
    case 'ArrowLeft':
      return { row, column: Math.max(0, column - 1) };
    case 'ArrowRight':
      return { row, column: Math.min(columns - 1, column + 1) };
    case 'PageUp':
      return { row: Math.max(0, row - page), column };
    case 'PageDown':
      return { row: Math.min(rows - 1, row + page), column };
    case 'Home':
      return { row: far ? 0 : row, column: 0 };
    case 'End':
      return { row: far ? rows - 1 : row, column: columns - 1 };
    default:
      return null;
  }
}
