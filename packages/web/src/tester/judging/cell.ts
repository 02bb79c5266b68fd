/**
 * A cell of the matrix: a verdict in a byte.
 *
 * @module
 */
import type { Verdict } from '@maycrawl/core';

/** What a cell can be. `none`: the file says nothing about the URL. */
export const CELL = { none: 0, disallowed: 1, allowed: 2 } as const;

/** What a verdict is in the matrix. */
export function cellOf(verdict: Verdict): number {
  if (verdict.kind === 'out-of-scope') return CELL.none;
  return verdict.allowed ? CELL.allowed : CELL.disallowed;
}
