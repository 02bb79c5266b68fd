// Rows of a worksheet as XML (ECMA-376, part 1, section 18.3.1). Text is always written as text, so no cell is a formula.
import { truncate } from '@maycrawl/core/internal';
import { escapeXml } from '../../../reports/xml.ts';

/** A value of a cell; `null` is empty. */
export type XlsxCell = string | number | boolean | null;

/** The largest number of UTF-16 units that Excel shows in a cell. It reports a file with a longer cell as damaged. */
const MAX_CHARS = 32_767;

/** Counts of a worksheet. */
export interface RowCounts {
  /** Number of cells that were cut because they are too long for Excel. */
  cutCells: number;
}

/** Formats a row. @param number - of the row, from 1. @param style - index of the style in the workbook. */
export function formatRow(
  number: number,
  cells: readonly XlsxCell[],
  counts: RowCounts,
  style: number = 0,
): string {
  const attributes = style === 0 ? '' : ` s="${style}"`;
  let row = `<row r="${number}">`;
  for (const [index, cell] of cells.entries())
    if (cell !== null)
      row += `<c r="${getColumnName(index)}${number}"${attributes}${formatValue(cell, counts)}</c>`;
  return `${row}</row>`;
}

/** Returns the name of a column by its index from 0: `A`, `Z`, `AA`. */
export function getColumnName(index: number): string {
  const last = String.fromCharCode(0x41 + (index % 26));
  return index < 26 ? last : getColumnName(Math.floor(index / 26) - 1) + last;
}

/** Formats the rest of an element after its reference and style. */
function formatValue(cell: string | number | boolean, counts: RowCounts): string {
  if (typeof cell === 'number') return `><v>${cell}</v>`;
  if (typeof cell === 'boolean') return ` t="b"><v>${cell ? 1 : 0}</v>`;
  const isLong = cell.length > MAX_CHARS;
  if (isLong) counts.cutCells++;
  const text = escapeXml(escapeCodes(isLong ? cut(cell) : cell));
  return ` t="inlineStr"><is><t xml:space="preserve">${text}</t></is>`;
}

/** Cuts text that is too long, and says so in the cell. */
function cut(text: string): string {
  const note = ` … (cut: ${text.length} characters)`;
  return truncate(text, MAX_CHARS, note);
}

/** Escapes what Excel would read as the code of a character (section 22.9.2.19): `_x000D_`. */
function escapeCodes(text: string): string {
  return text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
}
