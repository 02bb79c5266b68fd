// Batches: rows by their leaves instead of by objects, which threads exchange and tables write in a fraction of the time.
import type { ValueColumn } from './column.ts';
import type { Leaf } from './parquet-columns.ts';

export interface LeafBatch {
  /** The value of each row, or of each item of a list. Missing ones are `null` or `undefined`, times are numbers of milliseconds. */
  readonly values: readonly unknown[];
  /** For each row, the number of its items; `null` if each row has one value. */
  readonly counts: Uint32Array | null;
}

export interface TableBatch {
  readonly count: number;
  /** For each row, the number of characters of its texts. */
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
  for (let row = 0; row < rows.length; row++) {
    const items = getItems === undefined ? undefined : getItems(rows[row] as Row);
    const start = values.length;
    if (items === undefined) values.push(get(rows[row]));
    else for (const item of items) values.push(get(item));
    if (counts !== null) counts[row] = values.length - start;
    for (let at = start; at < values.length; at++) {
      const value = values[at];
      requireValid(column, value);
      if (typeof value === 'string') lengths[row] = (lengths[row] as number) + value.length;
    }
  }
  return { values, counts };
}

function requireValid({ name, type, isNullable = false }: ValueColumn<never>, value: unknown): void {
  if (value === null || value === undefined) {
    if (!isNullable) throw new Error(`internal error: a row has no ${name}`);
  } else if (type === 'int32' && value !== ((value as number) | 0))
    throw new Error(`internal error: ${name} is not a 32-bit integer`);
}

/** Returns the values of a leaf that is not in a list. @throws {RangeError} if there is no leaf at this place. */
export function getValues({ leaves }: TableBatch, place: number): readonly unknown[] {
  const leaf = leaves[place];
  if (leaf === undefined) throw new RangeError(`there is no leaf ${place}`);
  return leaf.values;
}
