// Files about sites besides the tables: ranks, and weights such as traffic.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Database, QueryError } from '../../sql/duckdb.ts';
import { quoteName, quotePath } from '../../sql/sql-text.ts';
import { withShortErrors } from '../../sql/user-tables.ts';
import type { ReportSource } from '../user-data.ts';

/** Weights have at most six decimal places, so that their sums are exact. */
const WEIGHT_TYPE = 'DECIMAL(28, 6)';
const MAX_WEIGHTS = 8;
/** Bytes of a line. */
const MAX_LINE = 10_000;

/**
 * Reads `rank,domain` (Tranco) or `origin,rank` (CrUX) into the table `ranks(name, rank)`.
 *
 * @param path - absolute; one of the files that the database can read.
 * @throws {QueryError} if a line is something else.
 */
export async function readRanks(
  database: Database,
  path: string,
  signal?: AbortSignal,
): Promise<ReportSource> {
  return withShortErrors(path, () => loadRanks(database, path, signal));
}

async function loadRanks(
  database: Database,
  path: string,
  signal: AbortSignal | undefined,
): Promise<ReportSource> {
  await database.run(
    `CREATE TEMP TABLE lines AS SELECT trim(one) AS one, trim(other) AS other, row_number() OVER () AS line
     FROM ${readCsv(path, "auto_detect = false, header = false, columns = {'one': 'VARCHAR', 'other': 'VARCHAR'}")}`,
    signal,
  );
  await database.run(
    `CREATE TEMP TABLE numbered AS
     SELECT line, one, other, coalesce(try_cast(one AS BIGINT), try_cast(other AS BIGINT)) AS rank,
       ${toName('CASE WHEN try_cast(one AS BIGINT) IS NULL THEN one ELSE other END')} AS name
     FROM lines`,
    signal,
  );
  const [wrong] = await database.select<{ readonly line: number }>(
    "SELECT line FROM numbered WHERE (rank IS NULL OR rank < 1 OR coalesce(name, '') = '') AND line > 1 ORDER BY line LIMIT 1",
    signal,
  );
  if (wrong !== undefined)
    throw new QueryError(`${path}: line ${wrong.line} is neither rank,domain nor origin,rank`);
  await database.run(
    "CREATE TEMP TABLE ranks AS SELECT name, min(rank) AS rank FROM numbered WHERE rank >= 1 AND name <> '' GROUP BY name",
    signal,
  );
  await database.run('DROP TABLE lines; DROP TABLE numbered', signal);
  const source = await describeSource(database, { option: '--ranks', path, table: 'ranks', signal });
  if (source.rows === 0) throw new QueryError(`${path}: the file has no ranks`);
  return source;
}

/**
 * Reads `domain,WEIGHT,...` with a head into the table `weights(name, ...)`, whose further columns are the weights.
 *
 * @param path - absolute; one of the files that the database can read.
 * @returns the source, and the names of the weights.
 * @throws {QueryError} if a line is something else.
 */
export async function readWeights(
  database: Database,
  path: string,
  signal?: AbortSignal,
): Promise<LoadedWeights> {
  return withShortErrors(path, () => loadWeights(database, path, signal));
}

/** What a file with weights has. */
interface LoadedWeights {
  readonly source: ReportSource;
  /** The names of the weights. */
  readonly names: readonly string[];
}

async function loadWeights(
  database: Database,
  path: string,
  signal: AbortSignal | undefined,
): Promise<LoadedWeights> {
  const csv = readCsv(path, 'header = true, all_varchar = true');
  const columns = await database.select<{ readonly column_name: string }>(`DESCRIBE FROM ${csv}`, signal);
  const [key, ...names] = columns.map(({ column_name }) => column_name);
  if (key === undefined || names.length === 0 || names.length > MAX_WEIGHTS)
    throw new QueryError(`${path}: the first line must be domain,WEIGHT with up to ${MAX_WEIGHTS} weights`);
  const weights = names.map((name) => `try_cast(${quoteName(name)} AS ${WEIGHT_TYPE})`);
  const isWrong = names.map(
    (name, index) => `(${quoteName(name)} <> '' AND ${weights[index]} IS NULL) OR ${weights[index]} < 0`,
  );
  const [wrong] = await database.select<{ readonly line: number }>(
    `SELECT line + 1 AS line FROM (SELECT *, row_number() OVER () AS line FROM ${csv})
     WHERE coalesce(${quoteName(key)}, '') = '' OR ${isWrong.join(' OR ')} ORDER BY line LIMIT 1`,
    signal,
  );
  if (wrong !== undefined)
    throw new QueryError(`${path}: line ${wrong.line} is not a domain with numbers of 0 or more`);
  await database.run(
    `CREATE TEMP TABLE weights AS SELECT ${toName(quoteName(key))} AS name,
       ${names.map((name, index) => `sum(${weights[index]})::${WEIGHT_TYPE} AS ${quoteName(name)}`).join(', ')}
     FROM ${csv} GROUP BY ALL`,
    signal,
  );
  return {
    source: await describeSource(database, { option: '--weights', path, table: 'weights', signal }),
    names,
  };
}

/** A name as the column `site` has it: a host in lower case, of an origin that without scheme and path. */
export function toName(text: string): string {
  return `regexp_replace(lower(${text}), '^[a-z]*://|/.*$', '', 'g')`;
}

function readCsv(path: string, options: string): string {
  return `read_csv(${quotePath(path)}, delim = ',', quote = '"', max_line_size = ${MAX_LINE}, ${options})`;
}

/** A table of the database that has a file. */
interface LoadedFile {
  readonly option: ReportSource['option'];
  readonly path: string;
  /** Its name in SQL. */
  readonly table: string;
  readonly signal: AbortSignal | undefined;
}

/** Describes a file for the methods of a report. */
export async function describeSource(
  database: Database,
  { option, path, table, signal }: LoadedFile,
): Promise<ReportSource> {
  const [count] = await database.select<{ readonly rows: number }>(
    `SELECT count(*) AS rows FROM ${table}`,
    signal,
  );
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { option, file: basename(path), sha256: hash.digest('hex'), rows: count?.rows ?? 0 };
}
