// Line numbers for people.

/** Maximum number of listed lines and ranges of lines. */
const MAX_LISTED = 5;

/**
 * Formats line numbers: `line 3`, `lines 3 and 7`, `lines 3-29, 31, 40, 52, 64 and 12 more`.
 *
 * @param lines - at least one, in ascending order.
 */
export function formatLines(lines: readonly number[]): string {
  const names: string[] = [];
  let listed = 0;
  while (listed < lines.length && names.length < MAX_LISTED) {
    const first = lines[listed] as number;
    let count = 1;
    while (lines[listed + count] === first + count) count++;
    // Two lines are not shorter as a range.
    if (count === 2) count = 1;
    names.push(count === 1 ? String(first) : `${first}-${first + count - 1}`);
    listed += count;
  }
  if (listed < lines.length) names.push(`${lines.length - listed} more`);
  const last = names.pop() as string;
  const word = lines.length === 1 ? 'line' : 'lines';
  return names.length === 0 ? `${word} ${last}` : `${word} ${names.join(', ')} and ${last}`;
}
