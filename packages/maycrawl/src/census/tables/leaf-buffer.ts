// The values of a leaf for a row group, and their levels by the algorithm of Dremel ("Dremel: Interactive Analysis of Web-Scale Datasets",
// 2010, section 4). Required structures have no levels, so a leaf in them is like a top-level column.
import type { writeColumn } from 'hyparquet-writer/src/column.js';
import type { ValueColumn } from './column.ts';
import type { LeafBatch } from './table-batch.ts';

/** Values and levels. The levels are empty if each row has exactly one value. */
type LeafData = Parameters<typeof writeColumn>[0]['pageData'] & { readonly values: unknown[] };

/** Whether a row of a batch is added; `undefined` for all. */
export type Selection = Uint8Array | undefined;

/** Rows that are not written yet. */
export class LeafBuffer {
  readonly #isNullable: boolean;
  readonly #isInt64: boolean;
  readonly #isList: boolean;
  #data: LeafData;

  constructor({ isNullable = false, type }: ValueColumn<never>, isList: boolean) {
    this.#isNullable = isNullable;
    this.#isInt64 = type === 'int64';
    this.#isList = isList;
    this.#data = this.#createData();
  }

  #createData(): LeafData {
    const maxDefinitionLevel = (this.#isList ? 1 : 0) + (this.#isNullable ? 1 : 0);
    return { values: [], definitionLevels: [], repetitionLevels: [], maxDefinitionLevel };
  }

  /** Returns the values, and removes them. */
  take(): LeafData {
    const data = this.#data;
    this.#data = this.#createData();
    return data;
  }

  /** Adds the selected rows from `start` to `end`. */
  add({ values, counts }: LeafBatch, start: number, end: number, selection: Selection): void {
    if (counts === null) {
      for (let row = start; row < end; row++)
        if (selection === undefined || selection[row] === 1) this.#addValue(values[row], 0);
      return;
    }
    let at = 0;
    for (let row = 0; row < start; row++) at += counts[row] as number;
    for (let row = start; row < end; row++) {
      const next = at + (counts[row] as number);
      if (selection === undefined || selection[row] === 1) {
        // An empty list takes the place of a value.
        if (at === next) this.#push(null, 0, 0);
        for (let item = at; item < next; item++) this.#addValue(values[item], item === at ? 0 : 1);
      }
      at = next;
    }
  }

  #addValue(value: unknown, repetitionLevel: number): void {
    const isMissing = value === null || value === undefined;
    const level = (this.#isList ? 1 : 0) + (this.#isNullable && !isMissing ? 1 : 0);
    this.#push(this.#isInt64 && !isMissing ? BigInt(value as number) : value, level, repetitionLevel);
  }

  #push(value: unknown, definitionLevel: number, repetitionLevel: number): void {
    this.#data.values.push(value);
    if (this.#isNullable || this.#isList) this.#data.definitionLevels.push(definitionLevel);
    if (this.#isList) this.#data.repetitionLevels.push(repetitionLevel);
  }
}
