/**
 * The values of a leaf for a row group, and their levels by the algorithm of Dremel ("Dremel: Interactive Analysis of Web-Scale Datasets",
 * 2010, section 4). Required structures have no levels, so a leaf in them is like a top-level column.
 *
 * @module
 */
import type { writeColumn } from 'hyparquet-writer/src/column.js';
import type { ValueColumn } from './column.ts';
import type { LeafBatch } from './table-batch.ts';

/** Values and levels. The levels are empty if each row has exactly one value. */
type LeafData = Parameters<typeof writeColumn>[0]['pageData'];

/** Whether a row of a batch is added; `undefined` for all. */
export type Selection = Uint8Array | undefined;

/** Values of rows that are not written yet. */
export class LeafBuffer {
  readonly #isNullable: boolean;
  readonly #isInt64: boolean;
  readonly #isList: boolean;
  #values: unknown[] = [];
  #definitionLevels: number[] = [];
  #repetitionLevels: number[] = [];

  constructor({ isNullable = false, type }: ValueColumn<never>, isList: boolean) {
    this.#isNullable = isNullable;
    this.#isInt64 = type === 'int64';
    this.#isList = isList;
  }

  /** Adds the selected rows from `start` to `end`. */
  add(batch: LeafBatch, start: number, end: number, selection: Selection): void {
    const { counts } = batch;
    if (counts !== null) this.#addItems(batch, counts, start, end, selection);
    else if (!this.#isNullable && !this.#isInt64) this.#addRequired(batch, start, end, selection);
    else
      for (let row = start; row < end; row++)
        if (selection === undefined || selection[row] === 1) this.#addValue(batch, row);
  }

  /** Adds rows that have one value each, as most columns do. */
  #addRequired({ values, distinct }: LeafBatch, start: number, end: number, selection: Selection): void {
    const target = this.#values;
    for (let row = start; row < end; row++)
      if (selection === undefined || selection[row] === 1)
        target.push(distinct === null ? values[row] : distinct[values[row] as number]);
  }

  #addItems(batch: LeafBatch, counts: Uint32Array, start: number, end: number, selection: Selection): void {
    let at = 0;
    for (let row = 0; row < start; row++) at += counts[row] as number;
    for (let row = start; row < end; row++) {
      const next = at + (counts[row] as number);
      if (selection === undefined || selection[row] === 1) {
        // An empty list takes the place of a value.
        if (at === next) this.#push(null, 0, 0);
        for (let item = at; item < next; item++) this.#addValue(batch, item, item === at ? 0 : 1);
      }
      at = next;
    }
  }

  #addValue({ values, distinct }: LeafBatch, at: number, repetitionLevel = 0): void {
    const stored = values[at];
    const value = distinct === null ? stored : distinct[stored as number];
    const isMissing = value === null || value === undefined;
    const level = (this.#isList ? 1 : 0) + (this.#isNullable && !isMissing ? 1 : 0);
    this.#push(this.#isInt64 && !isMissing ? BigInt(value as number) : value, level, repetitionLevel);
  }

  #push(value: unknown, definitionLevel: number, repetitionLevel: number): void {
    this.#values.push(value);
    if (this.#isNullable || this.#isList) this.#definitionLevels.push(definitionLevel);
    if (this.#isList) this.#repetitionLevels.push(repetitionLevel);
  }

  /** Returns the values, and removes them. */
  take(): LeafData {
    const data: LeafData = {
      values: this.#values,
      definitionLevels: this.#definitionLevels,
      repetitionLevels: this.#repetitionLevels,
      maxDefinitionLevel: (this.#isList ? 1 : 0) + (this.#isNullable ? 1 : 0),
    };
    [this.#values, this.#definitionLevels, this.#repetitionLevels] = [[], [], []];
    return data;
  }
}
