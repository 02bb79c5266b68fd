/**
 * Tables for people.
 *
 * @module
 */
import stringWidth from 'string-width';

/** A column is made no wider than this; a longer cell pushes the rest of its row to the right. */
const MAX_WIDTH = 60;
/** A longer cell counts as one of the greatest width: to measure it takes time that grows with the square of its length. */
const MAX_MEASURED_CHARS = 1_000;

/** Prints rows under a head, in columns. Cells must be safe to print; they may have colours. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [head, ...rows].map((row) => row.map((cell) => ({ cell, width: measure(cell) })));
  const widths: number[] = [];
  for (const row of all) {
    for (const [index, { width }] of row.entries())
      widths[index] = Math.min(MAX_WIDTH, Math.max(widths[index] ?? 0, width));
  }
  for (const row of all) {
    const cells = row.map(
      ({ cell, width }, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - width)),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}

/** Columns that a cell takes on a terminal. */
function measure(cell: string): number {
  if (cell.length > MAX_MEASURED_CHARS) return MAX_WIDTH;
  // `stringWidth` takes some 40 µs, also for text without wide characters.
  return /^[ -~]*$/.test(cell) ? cell.length : stringWidth(cell);
}
