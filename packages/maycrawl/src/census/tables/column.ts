// What a column of a table is: its name, its type, and how its values are read from a row.

/** The types of values. */
export type ColumnType = 'string' | 'int32' | 'int64' | 'double' | 'boolean' | 'timestamp';

export interface ValueColumn<Row> {
  readonly name: string;
  readonly type: ColumnType;
  /** @defaultValue `false` */
  readonly isNullable?: boolean;
  /** Whether compression would be a waste of time. @defaultValue `false` */
  readonly isIncompressible?: boolean;
  readonly get: (row: Row) => unknown;
}

/** A structure, which every row has. */
interface StructColumn<Row> {
  readonly name: string;
  readonly fields: readonly Field<Row>[];
}

/** A value or a structure. */
export type Field<Row> = ValueColumn<Row> | StructColumn<Row>;

/** A list of values or structures, which may be empty. {@link createListColumn} creates it. */
export interface ListColumn<Row> {
  readonly name: string;
  readonly getItems: (row: Row) => readonly unknown[];
  /** Its functions receive an item instead of a row. */
  readonly item: Field<never>;
}

/** A column of rows of the type `Row`. */
export type Column<Row> = Field<Row> | ListColumn<Row>;

/** Creates a list. @param item - a value or structure, whose functions receive an item. Parquet calls it `element`. */
export function createListColumn<Row, Item>(
  name: string,
  getItems: (row: Row) => readonly Item[],
  item: WithoutName<Field<Item>>,
): ListColumn<Row> {
  return { name, getItems, item: { ...item, name: 'element' } };
}

type WithoutName<Type> = Type extends unknown ? Omit<Type, 'name'> : never;
