// A database in memory over the tables of censuses: DuckDB, which reads only these tables, and no other file. The package is optional.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  DuckDBConnection,
  DuckDBInstance,
  DuckDBResult,
  DuckDBValueConverter,
  Json,
} from '@duckdb/node-api';
import { quotePath, quoteText } from './sql-text.ts';
import type { StoredValue } from './stored-value.ts';
import { createValueConverter } from './value-converter.ts';

/** Limits of a database. */
export interface DatabaseLimits {
  /** Bytes of memory for tables and sorting. What exceeds them is stored in a temporary folder. @defaultValue 2 GB */
  readonly memory?: number;
  /** @defaultValue the number of processors */
  readonly threads?: number;
}

/** A row: the values of its columns. */
export type ResultRow = readonly StoredValue[];

/** The result of a query, while it runs. */
export interface QueryResult {
  /** The names of the columns. They are distinct. */
  readonly columns: readonly string[];
  /** The rows, in batches of at most 2,048. */
  readonly batches: AsyncIterable<readonly ResultRow[]>;
}

/** A query that cannot be run, or a database that is not installed. The message has one line. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
  readonly code = 'failed-query';
}

type DuckDB = typeof import('@duckdb/node-api');

const MAX_TEMPORARY_SIZE = '100GB';
const DEFAULT_MEMORY = 2e9;
const ONE_QUERY = 'the text must have one query; PIVOT needs IN (...)';

/** A database, and its only connection. Queries run one after another. */
export class Database {
  readonly #module: DuckDB;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #folder: string;
  readonly #convert: DuckDBValueConverter<Json>;

  private constructor(
    module: DuckDB,
    instance: DuckDBInstance,
    connection: DuckDBConnection,
    folder: string,
  ) {
    this.#module = module;
    this.#instance = instance;
    this.#connection = connection;
    this.#folder = folder;
    this.#convert = createValueConverter(module);
  }

  /**
   * Opens a database that can read some files, and no others. Its configuration cannot be changed.
   *
   * @param files - their absolute paths.
   * @throws {QueryError} if the package is not installed.
   */
  static async open(files: readonly string[], limits: DatabaseLimits = {}): Promise<Database> {
    const module = await loadDuckDB();
    const folder = mkdtempSync(join(tmpdir(), 'maycrawl-sql-'));
    try {
      const instance = await module.DuckDBInstance.create(':memory:', {
        memory_limit: `${Math.ceil((limits.memory ?? DEFAULT_MEMORY) / 1e6)}MB`,
        threads: String(limits.threads ?? availableParallelism()),
        temp_directory: folder,
        max_temp_directory_size: MAX_TEMPORARY_SIZE,
        autoinstall_known_extensions: 'false',
        autoload_known_extensions: 'false',
        allow_community_extensions: 'false',
      });
      const connection = await instance.connect();
      const database = new Database(module, instance, connection, folder);
      // The views read the same files many times.
      await database.run('SET parquet_metadata_cache = true');
      // Queries name a file by a pattern that matches only the file: both are compared with this list.
      const paths = files.flatMap((path) => [quoteText(path), quotePath(path)]);
      await database.run(`SET allowed_paths = [${paths.join(', ')}]`);
      await database.run('SET enable_external_access = false');
      await database.run('SET lock_configuration = true');
      return database;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Runs a statement of this program. @throws {QueryError} if it fails. @throws the signal's reason if it is aborted. */
  async run(sql: string, signal?: AbortSignal): Promise<void> {
    await this.#interruptible(signal, () => this.#connection.run(sql));
  }

  /** Runs a query of this program, and returns all its rows: as objects, with the names of the columns. Throws as {@link run} does. */
  async select<Row>(sql: string, signal?: AbortSignal): Promise<Row[]> {
    return this.#interruptible(signal, async () => {
      const result = await this.#connection.run(sql);
      return (await result.convertRowObjects(this.#convert)) as Row[];
    });
  }

  /**
   * Runs a query of a user: one `SELECT`, or what reads in another way. It cannot write.
   *
   * @throws {QueryError} if it is invalid, or is not one query. Its batches throw it if the query fails later.
   * @throws the signal's reason if it is aborted.
   */
  async query(sql: string, signal?: AbortSignal): Promise<QueryResult> {
    const result = await this.#interruptible(signal, () => this.#start(sql));
    return { columns: result.deduplicatedColumnNames(), batches: this.#readBatches(result, signal) };
  }

  async #start(sql: string): Promise<DuckDBResult> {
    const statements = await this.#connection.extractStatements(sql);
    if (statements.count !== 1) throw new QueryError(ONE_QUERY);
    const statement = await statements.prepare(0);
    if (statement.statementType !== this.#module.StatementType.SELECT)
      throw new QueryError('only queries that read can be run: SELECT, FROM, WITH, DESCRIBE, SUMMARIZE');
    if (statement.parameterCount > 0) throw new QueryError('the query has parameters, which have no values');
    return statement.stream();
  }

  async *#readBatches(
    result: DuckDBResult,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly ResultRow[]> {
    for (;;) {
      const chunk = await this.#interruptible(signal, () => result.fetchChunk());
      if (chunk === null || chunk.rowCount === 0) return;
      yield chunk.convertRows(this.#convert);
    }
  }

  /** Interrupts the database if the signal is aborted, and makes its errors those of this module. */
  async #interruptible<T>(signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    const interrupt = (): void => this.#connection.interrupt();
    signal?.addEventListener('abort', interrupt);
    try {
      const result = await run();
      // An interrupted stream can end like a complete one.
      signal?.throwIfAborted();
      return result;
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof QueryError) throw cause;
      throw new QueryError(describeError(cause), { cause });
    } finally {
      signal?.removeEventListener('abort', interrupt);
    }
  }

  /** Closes the database, and removes its temporary folder. */
  close(): void {
    this.#connection.closeSync();
    this.#instance.closeSync();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Loads the package. @throws {QueryError} if it is not installed. */
async function loadDuckDB(): Promise<DuckDB> {
  try {
    return await import('@duckdb/node-api');
  } catch (cause) {
    throw new QueryError(
      'queries need the package @duckdb/node-api, which is not installed for this system: npm install @duckdb/node-api',
      { cause },
    );
  }
}

/** Returns the message of an error of DuckDB in one line, without the marked excerpt of the query. */
function describeError(error: unknown): string {
  // The message of the package for a text without a statement.
  if (error instanceof Error && error.message === 'Error in native callback') return ONE_QUERY;
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n\nLINE ');
  return message
    .replace(/^Failed to extract statements: /, '')
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
}
