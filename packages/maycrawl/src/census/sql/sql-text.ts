// Texts and names in SQL.

/** Formats a text as a literal of SQL. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Formats a path as the argument of a function that reads files. The characters of patterns lose their meaning. */
export function quotePath(path: string): string {
  return quoteText(path.replace(/[*?[]/g, '[$&]'));
}

/**
 * Formats the function that reads a table. Folders with names such as `status=200` are not partitions, whose columns would replace those of
 * the table.
 *
 * @param hasRowNumber - whether there is a column `file_row_number`.
 */
export function readTable(path: string, hasRowNumber = false): string {
  const rowNumber = hasRowNumber ? ', file_row_number = true' : '';
  return `read_parquet(${quotePath(path)}, hive_partitioning = false${rowNumber})`;
}

/** Formats a name, such as that of an agent, as an identifier of SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
