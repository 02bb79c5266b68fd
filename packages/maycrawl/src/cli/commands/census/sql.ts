// `maycrawl census sql`: runs a query over censuses.

import { truncate } from '@maycrawl/core/internal';
import type { QueryResult, ResultRow } from '../../../census/sql/duckdb.ts';
import { createViewStatements, openCensuses, type ViewOptions } from '../../../census/sql/open-censuses.ts';
import type { StoredValue } from '../../../census/sql/stored-value.ts';
import { formatCount } from '../../../text/counts.ts';
import { toJson, visible } from '../../../text/printable.ts';
import { readTextInput } from '../../input/file.ts';
import { writeCsvHead, writeCsvRows } from '../../output/csv.ts';
import { CommandError } from '../../output/errors.ts';
import { writeOut } from '../../output/standard-output.ts';
import { formatTable } from '../../output/table.ts';
import { printMessage } from '../../output/terminal.ts';
import { parseGroups, parseTables } from './named-values.ts';
import type { CensusSqlOptions } from './options.ts';
import { withCensusErrors } from './output.ts';
import { runLimited } from './query-limits.ts';

/** Rows of a table for people, and characters of its cells. */
const MAX_TABLE_ROWS = 1_000;
const MAX_CELL_CHARS = 200;
const MAX_QUERY_BYTES = 1_000_000;

/**
 * Runs a query, or prints the views that a query sees.
 *
 * @param names - the folders, and the query, which is `-` for standard input; with `views` only the folders.
 * @returns the exit code: 0, or 2 if the user interrupted the command.
 * @throws {CommandError} if a folder has no complete census, or the query is invalid.
 */
export async function censusSql(
  names: readonly string[],
  { format, views = false, table, group, ...limits }: CensusSqlOptions,
): Promise<number> {
  const viewOptions: ViewOptions = { tables: parseTables(table), groups: parseGroups(group) };
  if (views) return printViews(names, viewOptions);
  const [folders, text] = [names.slice(0, -1), names.at(-1)];
  if (text === undefined || folders.length === 0)
    throw new CommandError('name the folder of a census, then a query');
  const sql = text === '-' ? await readTextInput(MAX_QUERY_BYTES) : text;
  return runLimited(limits, async ({ signal, ...options }) => {
    const { database } = await openCensuses(folders, { ...options, ...viewOptions, signal });
    try {
      await PRINTERS[format](await database.query(sql, signal));
      return 0;
    } finally {
      database.close();
    }
  });
}

/** Prints the statements that create the views. A plain DuckDB reads them. */
async function printViews(folders: readonly string[], options: ViewOptions): Promise<number> {
  if (folders.length === 0) throw new CommandError('name the folders of one or several censuses');
  const statements = await withCensusErrors(async () => createViewStatements(folders, options));
  await writeOut(
    `-- Views of censuses for DuckDB, with the paths of their tables.\n${statements.map((each) => `${each};\n`).join('')}`,
  );
  return 0;
}

const PRINTERS: Readonly<Record<CensusSqlOptions['format'], (result: QueryResult) => Promise<void>>> = {
  table: printRows,
  csv: printCsv,
  json: printJsonArray,
  ndjson: printJsonLines,
};

/** Prints the first rows as a table. */
async function printRows({ columns, batches }: QueryResult): Promise<void> {
  const rows: ResultRow[] = [];
  for await (const batch of batches) {
    rows.push(...batch.slice(0, MAX_TABLE_ROWS + 1 - rows.length));
    if (rows.length > MAX_TABLE_ROWS) break;
  }
  const isCut = rows.length > MAX_TABLE_ROWS;
  await writeOut(
    formatTable(
      columns.map(visible),
      rows.slice(0, MAX_TABLE_ROWS).map((row) => row.map(formatCell)),
    ),
  );
  if (isCut) printMessage(`the first ${formatCount(MAX_TABLE_ROWS)} rows; --format csv prints all`);
}

function formatCell(value: StoredValue): string {
  if (value === null) return '';
  return truncate(typeof value === 'string' ? visible(value) : toJson(value), MAX_CELL_CHARS);
}

async function printCsv({ columns, batches }: QueryResult): Promise<void> {
  await writeCsvHead(columns);
  for await (const rows of batches) {
    await writeCsvRows(
      rows.map((row) =>
        row.map((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value)),
      ),
    );
  }
}

async function printJsonLines({ columns, batches }: QueryResult): Promise<void> {
  for await (const rows of batches)
    await writeOut(rows.map((row) => `${toJson(toObject(columns, row))}\n`).join(''));
}

async function printJsonArray({ columns, batches }: QueryResult): Promise<void> {
  let separator = '[\n';
  for await (const rows of batches)
    for (const row of rows) {
      await writeOut(`${separator}${toJson(toObject(columns, row))}`);
      separator = ',\n';
    }
  await writeOut(separator === '[\n' ? '[]\n' : '\n]\n');
}

function toObject(columns: readonly string[], row: ResultRow): Readonly<Record<string, StoredValue>> {
  return Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null]));
}
