// CSV on standard output.
import { type CsvCell, formatCsvHead, formatCsvLine } from '../../audit/report/formats/csv-line.ts';
import { writeContent, writeOut } from './standard-output.ts';

/** Writes the first line of CSV. The byte order mark is for spreadsheets that open a file. */
export async function writeCsvHead(names: readonly string[]): Promise<void> {
  if (process.stdout.isTTY === true) await writeContent(formatCsvLine(names));
  else await writeOut(formatCsvHead(names));
}

export async function writeCsvRows(rows: readonly (readonly CsvCell[])[]): Promise<void> {
  await writeContent(rows.map(formatCsvLine).join(''));
}
