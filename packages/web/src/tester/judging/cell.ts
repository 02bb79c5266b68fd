// A cell of the matrix: a verdict in a byte.
import type { Verdict } from '@maycrawl/core';

/** Values of a cell. `none`: the file does not apply to the URL. */
export const CELL = { none: 0, disallowed: 1, allowed: 2 } as const;

export function toCell(verdict: Verdict): number {
  if (verdict.kind === 'out-of-scope') return CELL.none;
  return verdict.allowed ? CELL.allowed : CELL.disallowed;
}
