// The columns of rows that were read from a table: their values are there by the names of columns and fields.
import type { Column, Field } from './column.ts';

export type StoredRow = Readonly<Record<string, unknown>>;

/** Returns a column that reads its values from stored rows. */
export function toStoredColumn<Row>(column: Column<Row>): Column<StoredRow> {
  if (!('getItems' in column)) return toStoredField(column, (row) => row);
  const { name, item } = column;
  return {
    name,
    getItems: (row) => (row[name] as readonly unknown[]).map((each) => ({ [item.name]: each })),
    item: toStoredField(item, (each) => each),
  };
}

/** @param getParent - returns the structure that has the field. */
function toStoredField<Row>(field: Field<Row>, getParent: (row: StoredRow) => StoredRow): Field<StoredRow> {
  const { name } = field;
  if (!('fields' in field)) return { ...field, get: (row) => getParent(row)[name] };
  const getStructure = (row: StoredRow): StoredRow => getParent(row)[name] as StoredRow;
  return { name, fields: field.fields.map((each) => toStoredField(each, getStructure)) };
}
