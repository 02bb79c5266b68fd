// Tables for people.
import stringWidth from 'string-width';

/** Maximum width of a column. A longer cell moves the rest of its row to the right. */
const MAX_WIDTH = 60;
/** A longer cell counts as one of the maximum width, because measuring takes quadratic time. */
const MAX_MEASURED_CHARS = 1_000;

/** Prints a table. Cells must be safe to print; they may have colours. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  process.stdout.write(formatTable(head, rows));
}

/** Formats a table, as {@link printTable} prints it. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) => row.map((cell) => ({ cell, width: measure(cell) })));
  const widths: number[] = [];
  for (const row of all) {
    for (const [index, { width }] of row.entries())
      widths[index] = Math.min(MAX_WIDTH, Math.max(widths[index] ?? 0, width));
  }
  const lines = all.map((row) => {
    const cells = row.map(
      ({ cell, width }, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - width)),
    );
    return `${cells.join('  ').trimEnd()}\n`;
  });
  return lines.join('');
}

/** Returns the width of a cell on a terminal. */
function measure(cell: string): number {
  if (cell.length > MAX_MEASURED_CHARS) return MAX_WIDTH;
  // `stringWidth` takes some 40 µs, also for text without wide characters.
  return /^[ -~]*$/.test(cell) ? cell.length : stringWidth(cell);
}
