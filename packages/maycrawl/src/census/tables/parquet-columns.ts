// The schema of a table, and its leaves: the columns that Parquet stores.
import type { SchemaElement } from 'hyparquet';
import type { Column, ColumnType, Field, ListColumn, ValueColumn } from './column.ts';

export interface Leaf<Row> {
  /** The elements of the schema from the root to the leaf. */
  readonly path: readonly SchemaElement[];
  readonly column: ValueColumn<never>;
  /** The list whose items have the leaf; `undefined` if each row has it. */
  readonly getItems: ListColumn<Row>['getItems'] | undefined;
}

/** A schema in Parquet's order, and its leaves in the same order. */
export interface TableSchema<Row> {
  readonly elements: SchemaElement[];
  readonly leaves: readonly Leaf<Row>[];
}

const TYPES: Readonly<Record<ColumnType, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};

export function createSchema<Row>(columns: readonly Column<Row>[]): TableSchema<Row> {
  const root: SchemaElement = { name: 'root', num_children: columns.length };
  const elements = [root];
  const leaves = columns.flatMap((column) =>
    'getItems' in column ? addList(column, [root], elements) : addField(column, [root], elements, undefined),
  );
  return { elements, leaves };
}

/** Adds the elements of a value or a structure. @returns its leaves. */
function addField<Row>(
  field: Field<never>,
  parents: readonly SchemaElement[],
  elements: SchemaElement[],
  getItems: Leaf<Row>['getItems'],
): readonly Leaf<Row>[] {
  const { name } = field;
  if ('fields' in field) {
    const element = { name, repetition_type: 'REQUIRED', num_children: field.fields.length } as const;
    elements.push(element);
    return field.fields.flatMap((each) => addField(each, [...parents, element], elements, getItems));
  }
  const repetition_type = field.isNullable === true ? 'OPTIONAL' : 'REQUIRED';
  const element = { name, repetition_type, ...TYPES[field.type] } as const;
  elements.push(element);
  return [{ path: [...parents, element], column: field, getItems }];
}

function addList<Row>(
  { name, getItems, item }: ListColumn<Row>,
  parents: readonly SchemaElement[],
  elements: SchemaElement[],
): readonly Leaf<Row>[] {
  const list: readonly SchemaElement[] = [
    {
      ...{ name, repetition_type: 'REQUIRED', num_children: 1 },
      ...{ converted_type: 'LIST', logical_type: { type: 'LIST' } },
    },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  ];
  elements.push(...list);
  return addField(item, [...parents, ...list], elements, getItems);
}

/** Returns the place of a leaf. @throws {RangeError} if there is no leaf with this path. */
export function findLeaf({ leaves }: TableSchema<never>, ...names: readonly string[]): number {
  const place = leaves.findIndex(
    ({ path }) => path.length === names.length + 1 && names.every((name, at) => path[at + 1]?.name === name),
  );
  if (place < 0) throw new RangeError(`there is no leaf ${names.join('.')}`);
  return place;
}
