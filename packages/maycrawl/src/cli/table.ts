/**
 * Tables for people.
 *
 * @module
 */

/** Prints rows under a head, in columns without rules. Cells must be safe to print. */
export async function printTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const { default: Table } = await import('cli-table3');
  const none = { top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '' };
  const table = new Table({
    head: [...head],
    chars: {
      ...none,
      ...{ 'bottom-left': '', 'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '' },
      ...{ right: '', 'right-mid': '', middle: '  ' },
    },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => [...row]));
  const lines = table.toString().split('\n');
  process.stdout.write(`${lines.map((line) => line.trimEnd()).join('\n')}\n`);
}
