/**
 * Lines of CSV (RFC 4180) that are safe in spreadsheets. The HTML report imports this module, so it needs no Node.
 *
 * @module
 */

/** A value of a cell; `null` is empty. */
export type CsvCell = string | number | boolean | null;

/** The beginning of a formula in a spreadsheet, full-width forms included, or characters that it skips before one. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
/**
 * Where a spreadsheet whose list separator is a semicolon or a tab begins a new cell within a cell: it recognises quotes only at the
 * beginning of its own cells.
 */
const INNER_FORMULA = /[;\t\r\n](?=[=+\-@"\uff1d\uff0b\uff0d\uff20])/g;

/** Control characters that no table needs, and that a terminal executes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression removes control characters.
const CONTROL = /[\0-\x08\v\f\x0e-\x1f\x7f-\x9f]/g;

/** Formats the first line of a file. Spreadsheets read a file as UTF-8 if it begins with a byte order mark. */
export function formatCsvHead(names: readonly string[]): string {
  return `\ufeff${formatCsvLine(names)}`;
}

/** Formats a line with its end. */
export function formatCsvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`;
}

/** Formats a cell (RFC 4180). A spreadsheet shows text after an apostrophe, and does not evaluate it. */
function formatCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const shown = cell.replace(CONTROL, '\ufffd');
  const text = (FORMULA.test(shown) ? `'${shown}` : shown).replace(INNER_FORMULA, "$&'");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
