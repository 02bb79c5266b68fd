// Verdicts of many URLs for some crawlers: a byte per cell, row by row.
import type { RobotsTxt } from '@maycrawl/core';
import { toCell } from './cell.ts';

/** Rows between two checks of the time. */
const ROWS_PER_CHECK = 16;

/** Evaluates in slices, so that a newer request need not wait for this one. */
export class MatrixRun {
  readonly cells: Uint8Array;
  readonly #rulesets: ReturnType<RobotsTxt['ruleset']>[];
  readonly #urls: readonly string[];
  #row = 0;

  constructor(robots: RobotsTxt, urls: readonly string[], crawlers: readonly string[]) {
    this.#rulesets = crawlers.map((name) => robots.ruleset(name));
    this.#urls = urls;
    this.cells = new Uint8Array(urls.length * crawlers.length);
  }

  /** Evaluates rows until the time is up. @returns whether all are evaluated. */
  advance(isTimeUp: () => boolean): boolean {
    while (this.#row < this.#urls.length) {
      const url = this.#urls[this.#row] as string;
      for (const [column, ruleset] of this.#rulesets.entries()) {
        this.cells[this.#row * this.#rulesets.length + column] = toCell(ruleset.decide(url));
      }
      this.#row++;
      if (this.#row % ROWS_PER_CHECK === 0 && isTimeUp()) break;
    }
    return this.#row === this.#urls.length;
  }
}

/** Counts the cells of each column with a value. */
export function countCells(cells: Uint8Array, width: number, cell: number): number[] {
  const counts = new Array<number>(width).fill(0);
  for (let at = 0, column = 0; at < cells.length; at++) {
    if (cells[at] === cell) counts[column] = (counts[column] ?? 0) + 1;
    if (++column === width) column = 0;
  }
  return counts;
}

/** A cell whose verdict differs between two matrices of the same URLs and crawlers. */
export interface ChangedCell {
  readonly row: number;
  readonly column: number;
  readonly before: number;
  readonly after: number;
}

/** Finds the first `limit` cells that differ, and their total number. */
export function compareCells(
  before: Uint8Array,
  after: Uint8Array,
  width: number,
  limit: number,
): { readonly changed: readonly ChangedCell[]; readonly total: number } {
  const changed: ChangedCell[] = [];
  let total = 0;
  for (let at = 0; at < after.length; at++) {
    const [was, is] = [before[at] as number, after[at] as number];
    if (was === is) continue;
    if (total++ < limit)
      changed.push({ row: Math.floor(at / width), column: at % width, before: was, after: is });
  }
  return { changed, total };
}
