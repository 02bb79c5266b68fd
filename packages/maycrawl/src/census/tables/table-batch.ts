/**
 * Batches: rows by their leaves instead of by objects, which threads exchange and tables write in a fraction of the time.
 *
 * @module
 */
import type { ValueColumn } from './column.ts';
import type { Leaf } from './leaves.ts';

/** The values of a leaf. */
export interface LeafBatch {
  /** The value of each row, or of each item of a list; or its position in `distinct`. */
  readonly values: readonly unknown[] | Int32Array | Uint32Array;
  readonly distinct: readonly unknown[] | null;
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
  return { ...toTransferred(column, values), counts };
}

function toTransferred(column: ValueColumn<never>, values: readonly unknown[]): Omit<LeafBatch, 'counts'> {
  const { name, type, isNullable = false, isRepeated = false } = column;
  if (!isNullable && values.some((value) => value === null || value === undefined))
    throw new Error(`internal error: a row has no ${name}`);
  if (isRepeated) return toPositions(values);
  if (type !== 'int32' || isNullable) return { values, distinct: null };
  const numbers = Int32Array.from(values as number[]);
  if (numbers.some((number, at) => number !== values[at]))
    throw new Error(`internal error: ${name} is not a 32-bit integer`);
  return { values: numbers, distinct: null };
}

/** Replaces values with their positions in a list of those that differ. */
function toPositions(values: readonly unknown[]): Omit<LeafBatch, 'counts'> {
  const distinct: unknown[] = [];
  const places = new Map<unknown, number>();
  const positions = new Uint32Array(values.length);
  let [last, lastPlace]: [unknown, number] = [distinct, -1];
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (value !== last) {
      last = value;
      lastPlace = places.get(value) ?? -1;
      if (lastPlace < 0) {
        lastPlace = distinct.push(value) - 1;
        places.set(value, lastPlace);
      }
    }
    positions[at] = lastPlace;
  }
  return { values: positions, distinct };
}

/** Returns the values of a leaf that is not in a list. @throws {RangeError} if there is no leaf at this place. */
export function readValues({ leaves }: TableBatch, place: number): readonly unknown[] {
  const leaf = leaves[place];
  if (leaf === undefined) throw new RangeError(`there is no leaf ${place}`);
  const { values, distinct } = leaf;
  return Array.from(values, (value: unknown) => (distinct === null ? value : distinct[value as number]));
}
