/**
 * The leaves of the columns of a table: each is stored as a sequence of values with levels, by the algorithm of Dremel ("Dremel: Interactive
 * Analysis of Web-Scale Datasets", 2010, section 4). Required structures have no levels, so their values are read without them.
 *
 * @module
 */
import type { SchemaElement } from 'hyparquet';
import type { writeColumn } from 'hyparquet-writer/src/column.js';
import type { Column, ColumnType, Field, ListColumn, ValueColumn } from './column.ts';

/** The values of a leaf, and their levels: none if each row has exactly one value. */
type LeafData = Parameters<typeof writeColumn>[0]['pageData'];

/** A leaf. */
export interface Leaf<Row> {
  /** The elements of the schema from the root to the leaf. */
  readonly path: readonly SchemaElement[];
  readonly read: (rows: readonly Row[]) => LeafData;
}

/** A schema in Parquet's order, and its leaves in the same order. */
export interface TableSchema<Row> {
  readonly elements: SchemaElement[];
  readonly leaves: readonly Leaf<Row>[];
}

/** The Parquet types. */
const TYPES: Readonly<Record<ColumnType, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  string: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  int32: { type: 'INT32' },
  int64: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  timestamp: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
};

/** Creates the schema of a table. */
export function createSchema<Row>(columns: readonly Column<Row>[]): TableSchema<Row> {
  const root: SchemaElement = { name: 'root', num_children: columns.length };
  const elements = [root];
  const leaves = columns.flatMap((column) =>
    'getItems' in column
      ? addList(column, [root], elements)
      : addField(column, [root], elements, createReader<Row>),
  );
  return { elements, leaves };
}

/** Adds the elements of a value or a structure. @returns its leaves. */
function addField<Row, Item>(
  field: Field<Item>,
  parents: readonly SchemaElement[],
  elements: SchemaElement[],
  toReader: (value: ValueColumn<Item>) => Leaf<Row>['read'],
): readonly Leaf<Row>[] {
  const { name } = field;
  if ('fields' in field) {
    const element = { name, repetition_type: 'REQUIRED', num_children: field.fields.length } as const;
    elements.push(element);
    return field.fields.flatMap((each) => addField(each, [...parents, element], elements, toReader));
  }
  const repetition_type = field.isNullable === true ? 'OPTIONAL' : 'REQUIRED';
  const element = { name, repetition_type, ...TYPES[field.type] } as const;
  elements.push(element);
  return [{ path: [...parents, element], read: toReader(field) }];
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
  return addField<Row, never>(item, [...parents, ...list], elements, (value) =>
    createListReader(getItems, value),
  );
}

/** Reads one value of each row. */
function createReader<Row>({ get, isNullable = false }: ValueColumn<Row>): Leaf<Row>['read'] {
  return (rows) => {
    const values = rows.map(get);
    const definitionLevels = isNullable ? values.map((value) => (isMissing(value) ? 0 : 1)) : [];
    return { values, definitionLevels, repetitionLevels: [], maxDefinitionLevel: isNullable ? 1 : 0 };
  };
}

/** Reads the values of each row: that of each item, or a place without a value for an empty list. */
function createListReader<Row>(
  getItems: ListColumn<Row>['getItems'],
  { get, isNullable = false }: ValueColumn<never>,
): Leaf<Row>['read'] {
  const maxDefinitionLevel = isNullable ? 2 : 1;
  return (rows) => {
    const data: LeafData = { values: [], definitionLevels: [], repetitionLevels: [], maxDefinitionLevel };
    const { values, definitionLevels, repetitionLevels } = data as LeafData & { values: unknown[] };
    const add = (value: unknown, definitionLevel: number, repetitionLevel: number): void => {
      values.push(value);
      definitionLevels.push(definitionLevel);
      repetitionLevels.push(repetitionLevel);
    };
    for (const row of rows) {
      const items = getItems(row);
      if (items.length === 0) add(null, 0, 0);
      for (const [place, item] of items.entries()) {
        const value = get(item as never);
        add(value, isNullable && isMissing(value) ? 1 : maxDefinitionLevel, place === 0 ? 0 : 1);
      }
    }
    return data;
  };
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined;
}
