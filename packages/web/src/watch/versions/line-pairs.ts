// Pairs the lines of two files by a longest common subsequence (dynamic programming), after their common prefix and suffix.

/** A line of one file or of both, with numbers from 1; or a number of omitted unchanged lines. */
export type LinePair =
  | { readonly kind: 'same'; readonly left: Line; readonly right: Line }
  | { readonly kind: 'changed'; readonly left: Line | null; readonly right: Line | null }
  | { readonly kind: 'gap'; readonly count: number };

interface Line {
  readonly number: number;
  readonly text: string;
}

/** Unchanged lines that are shown before and after a change. */
const CONTEXT = 3;
/** Cells of the table. For longer files all lines between prefix and suffix count as changed: more would take too long. */
const MAX_CELLS = 4_000_000;

/** Pairs the lines of two files, and omits unchanged lines that are far from changes. */
export function pairLines(before: readonly string[], after: readonly string[]): LinePair[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const pairs: LinePair[] = [];
  const same = (left: number, right: number): void => {
    pairs.push({ kind: 'same', left: getLine(before, left), right: getLine(after, right) });
  };
  for (let at = 0; at < start; at++) same(at, at);
  const [leftEnd, rightEnd] = [before.length - end, after.length - end];
  const unchanged = findUnchanged(before.slice(start, leftEnd), after.slice(start, rightEnd));
  let [left, right] = [start, start];
  const change = (leftTo: number, rightTo: number): void => {
    for (; left < leftTo || right < rightTo; left++, right++)
      pairs.push({
        kind: 'changed',
        left: left < leftTo ? getLine(before, left) : null,
        right: right < rightTo ? getLine(after, right) : null,
      });
    [left, right] = [leftTo, rightTo];
  };
  for (const [leftIndex, rightIndex] of unchanged) {
    change(start + leftIndex, start + rightIndex);
    same(left++, right++);
  }
  change(leftEnd, rightEnd);
  for (let at = 0; at < end; at++) same(leftEnd + at, rightEnd + at);
  return withGaps(pairs);
}

function getLine(lines: readonly string[], index: number): Line {
  return { number: index + 1, text: lines[index] ?? '' };
}

/** The indexes of a longest common subsequence. */
function findUnchanged(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
  const width = after.length + 1;
  if (before.length === 0 || after.length === 0 || before.length * width > MAX_CELLS) return [];
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const unchanged: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < before.length && column < after.length; ) {
    if (before[row] === after[column]) unchanged.push([row++, column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return unchanged;
}

/** Replaces unchanged lines that are far from changes by gaps. */
function withGaps(pairs: readonly LinePair[]): LinePair[] {
  const isShown = new Uint8Array(pairs.length);
  for (const [index, { kind }] of pairs.entries())
    if (kind === 'changed') isShown.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  const result: LinePair[] = [];
  let count = 0;
  for (const [index, pair] of pairs.entries()) {
    if (isShown[index] === 0) {
      count++;
      continue;
    }
    if (count > 0) result.push({ kind: 'gap', count });
    count = 0;
    result.push(pair);
  }
  if (count > 0) result.push({ kind: 'gap', count });
  return result;
}
