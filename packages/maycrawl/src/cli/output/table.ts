/**
 * Tables for people.
 *
 * @module
 */
import stringWidth from 'string-width';

/** A column is made no wider than this; a longer cell pushes the rest of its row to the right. */
const MAX_WIDTH = 60;

/** Prints rows under a head, in columns. Cells must be safe to print; they may have colours. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell) => stringWidth(cell));
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.min(MAX_WIDTH, Math.max(widths[index] ?? 0, stringWidth(cell)));
    }
  }
  for (const row of [head, ...rows]) {
    const cells = row.map(
      (cell, index) => cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - stringWidth(cell))),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}
