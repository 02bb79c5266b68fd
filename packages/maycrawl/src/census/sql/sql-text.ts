/**
 * Texts and names in SQL.
 *
 * @module
 */

/** Formats a text as a literal of SQL. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Formats a path as the argument of a function that reads files. The characters of patterns lose their meaning. */
export function quotePath(path: string): string {
  return quoteText(path.replace(/[*?[]/g, '[$&]'));
}

/** Formats a name, such as that of an agent, as an identifier of SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
