// Lines of CSV (RFC 4180) that are safe in spreadsheets. The HTML report imports this module, so it needs no Node.

/** A value of a cell; `null` is empty. */
export type CsvCell = string | number | boolean | null;

/**
 * The beginning of a formula in a spreadsheet, full-width forms included, after white space that some programs remove; and white space
 * that others skip.
 */
const FORMULA = /^(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/;
/**
 * Where a spreadsheet with another list separator than the comma can begin a new cell within a cell: it recognises quotes only at the
 * beginning of its own cells.
 */
const INNER_START = /[\s;|]+/g;
const SEPARATOR = /[;|\t\r\n]/;
/** What must not stand at the start of such a cell. */
const INNER_FORMULA: ReadonlySet<string> = new Set('=+-@"\uff1d\uff0b\uff0d\uff20');

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
  const text = FORMULA.test(shown) ? `'${shown}` : shown;
  const safe = text.replace(INNER_START, (start, index: number) =>
    SEPARATOR.test(start) && INNER_FORMULA.has(text.charAt(index + start.length)) ? `${start}'` : start,
  );
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
