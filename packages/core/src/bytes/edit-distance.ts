// The edit distance of two texts, for suggestions.

/**
 * Computes the edit distance with transpositions (optimal string alignment).
 *
 * @param limit - maximum distance of interest. The function computes only cells within this distance of the diagonal; a greater result
 *   is not exact.
 */
export function computeEditDistance(a: string, b: string, limit: number): number {
  const beyond = limit + 1;
  let previousRow: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = new Array<number>(b.length + 1).fill(beyond);
    if (i <= limit) next[0] = i;
    for (let j = Math.max(1, i - limit); j <= Math.min(b.length, i + limit); j++) {
      const substituted = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isTransposed = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const transposed = isTransposed ? (previousRow[j - 2] as number) + 1 : beyond;
      next[j] = Math.min(substituted, transposed, (row[j] as number) + 1, (next[j - 1] as number) + 1);
    }
    [previousRow, row] = [row, next];
  }
  return row[b.length] as number;
}
