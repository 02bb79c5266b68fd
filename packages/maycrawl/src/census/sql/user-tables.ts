// Tables of the user, such as a list of sites with their categories. A file is read once, into a table: queries read no file but those of
// the censuses.
import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { requireStrings, truncate } from '@maycrawl/core/internal';
import { type Database, QueryError } from './duckdb.ts';
import { quoteName, quotePath, quoteText } from './sql-text.ts';

/** A file that queries see as a table. */
export interface UserTable {
  /** The name of the table. */
  readonly name: string;
  /** The path of a file: CSV (`.csv`, `.tsv`, also with `.gz`) whose first line has the names of its columns, or Parquet. */
  readonly path: string;
}

const CSV = /\.(?:csv|tsv)(?:\.gz)?$/i;
const PARQUET = /\.parquet$/i;
const MAX_MESSAGE_CHARS = 300;

/** Names of views and of tables of this program. */
const RESERVED: readonly string[] = [
  ...['captures', 'files', 'censuses', 'sites', 'origins', 'named', 'access', 'agents'],
  ...['agent_names', 'agent_lists', 'agent_groups', 'group_access'],
];

/** Returns the name of the table of a file without a name: that of the file without its extension. */
export function nameTable(path: string): string {
  return basename(path).replace(CSV, '').replace(PARQUET, '');
}

/** Formats the name of a table in SQL. Temporary tables can have the same name. */
export function nameUserTable(name: string): string {
  return `memory.main.${quoteName(name)}`;
}

/** Returns a table with the absolute path of its file. @throws {TypeError} if it has no name or path. */
export function resolveTable({ name, path }: UserTable): UserTable {
  requireStrings('a table: its name and path', [name, path]);
  return { name, path: resolve(path) };
}

/**
 * Returns the statements that create the tables.
 *
 * @throws {QueryError} if a name is that of a view, empty or used twice, or a file is of another format.
 */
export function createUserTables(tables: readonly UserTable[]): readonly string[] {
  const names = tables.map(({ name }) => name.toLowerCase());
  return tables.map(({ name, path }, place) => {
    const lower = name.toLowerCase();
    if (name === '') throw new QueryError(`${path}: the table has no name`);
    if (RESERVED.includes(lower))
      throw new QueryError(`${path}: there is a view ${name}; give the table another name`);
    if (names.indexOf(lower) < place) throw new QueryError(`${path}: there are two tables ${name}`);
    return `CREATE OR REPLACE TABLE ${quoteName(name)} AS FROM ${readUserFile(path)}`;
  });
}

/** Formats the function that reads a file. @throws {QueryError} if it is of another format. */
function readUserFile(path: string): string {
  const file = quotePath(path);
  if (PARQUET.test(path)) return `read_parquet(${file}, hive_partitioning = false)`;
  if (CSV.test(path)) return `read_csv(${file}, header = true, hive_partitioning = false)`;
  throw new QueryError(
    `${path}: unknown format; the name must end with .csv, .tsv, .csv.gz, .tsv.gz or .parquet`,
  );
}

/** Creates the tables of {@link createUserTables}. @throws {QueryError} if a file cannot be read, or its first line has no names. */
export async function loadUserTables(
  database: Database,
  tables: readonly UserTable[],
  signal?: AbortSignal,
): Promise<void> {
  for (const [place, statement] of createUserTables(tables).entries()) {
    const { name, path } = tables[place] as UserTable;
    await withShortErrors(path, () => database.run(statement, signal));
    await requireColumnNames(database, name, path, signal);
  }
}

/** Without names, the first line is a row of the table: it would be lost. */
async function requireColumnNames(
  database: Database,
  table: string,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const columns = await database.select<{ readonly name: string }>(
    `SELECT column_name AS name FROM duckdb_columns() WHERE database_name = 'memory' AND table_name = ${quoteText(table)}`,
    signal,
  );
  const wrong = columns.find(({ name }) => /^-?[\d.]+$|[./]/.test(name));
  if (wrong === undefined) return;
  throw new QueryError(
    `${path}: the first line must have the names of the columns; ${truncate(wrong.name, 60)} looks like a value`,
  );
}

/** Reads a file. The errors of DuckDB about CSV have the options of its reader and the whole line. */
export async function withShortErrors<T>(path: string, read: () => Promise<T>): Promise<T> {
  // DuckDB reads all files of a folder, and a missing file as a pattern. It reads a file several times, which a pipe does not permit.
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new QueryError(`${path}: no such file`);
  if (!found.isFile()) throw new QueryError(`${path}: it is not a file`);
  try {
    return await read();
  } catch (cause) {
    if (!(cause instanceof QueryError) || cause.message.startsWith(path)) throw cause;
    const [, line] = /CSV Error on Line: (\d+)/.exec(cause.message) ?? [];
    if (line === undefined)
      throw new QueryError(`${path}: ${truncate(cause.message, MAX_MESSAGE_CHARS)}`, { cause });
    throw new QueryError(`${path}: line ${line} is too long, or has another number of values`, { cause });
  }
}
