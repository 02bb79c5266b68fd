/**
 * Batches: rows by their leaves instead of by objects, which threads exchange and tables write in a fraction of the time.
 *
 * @module
 */
import type { Leaf } from './leaves.ts';
import { type PackedValues, packValues, unpackValues } from './packed-values.ts';

/** The values of a leaf. */
export interface LeafBatch {
  /** The value of each row, or of each item of a list. */
  readonly values: PackedValues;
  /** For each row, the number of its items; `null` if each row has one value. */
  readonly counts: Uint32Array | null;
}

/** Rows of a table. */
export interface TableBatch {
  readonly count: number;
  /** For each row, the number of characters of its texts, without those of repeated values. */
  readonly lengths: Float64Array;
  readonly leaves: readonly LeafBatch[];
}

/** Reads rows. @throws {Error} if a row lacks a value, or a number is not a 32-bit integer where only these can be stored. */
export function createBatch<Row>(leaves: readonly Leaf<Row>[], rows: readonly Row[]): TableBatch {
  const lengths = new Float64Array(rows.length);
  return { count: rows.length, lengths, leaves: leaves.map((leaf) => readLeaf(leaf, rows, lengths)) };
}

function readLeaf<Row>(
  { column, getItems }: Leaf<Row>,
  rows: readonly Row[],
  lengths: Float64Array,
): LeafBatch {
  const get = column.get as (row: unknown) => unknown;
  const counts = getItems === undefined ? null : new Uint32Array(rows.length);
  const values: unknown[] = [];
  const countsLength = column.type === 'string' && column.isRepeated !== true;
  for (let row = 0; row < rows.length; row++) {
    const items = getItems === undefined ? undefined : getItems(rows[row] as Row);
    const start = values.length;
    if (items === undefined) values.push(get(rows[row]));
    else for (const item of items) values.push(get(item));
    if (counts !== null) counts[row] = values.length - start;
    if (!countsLength) continue;
    for (let at = start; at < values.length; at++)
      lengths[row] = (lengths[row] as number) + ((values[at] as string | null | undefined)?.length ?? 0);
  }
  return { values: packValues(column, values), counts };
}

/** Returns the values of a leaf that is not in a list. @throws {RangeError} if there is no leaf at this place. */
export function readValues(batch: TableBatch, place: number): readonly unknown[] {
  return unpackValues(getLeaf(batch, place).values);
}

/** Whether a leaf with repeated values has a value. @throws {RangeError} if there is no leaf at this place. */
export function hasValue(batch: TableBatch, place: number, value: unknown): boolean {
  const { values } = getLeaf(batch, place);
  return values.kind === 'positions' && values.distinct.includes(value);
}

function getLeaf({ leaves }: TableBatch, place: number): LeafBatch {
  const leaf = leaves[place];
  if (leaf === undefined) throw new RangeError(`there is no leaf ${place}`);
  return leaf;
}
