// The drivers of SQLite and PostgreSQL. They are optional: a missing one is reported in one line that says what to install.
//
// SQLite has one API, that of `node:sqlite`. Node has it from 22.13 on; for Node 20 the package `@photostructure/sqlite` has the same.
//
// The interfaces are those parts of the drivers that are used here, so that the types of this package need no driver.
import { DatabaseError } from './database-error.ts';

/** A parameter of a statement, and a value of a row. */
export type SqlValue = string | number | null | Uint8Array;

/** A prepared statement (`StatementSync` of `node:sqlite`). */
export interface SqliteStatement {
  run(...parameters: readonly SqliteParameter[]): {
    readonly changes: number | bigint;
    readonly lastInsertRowid: number | bigint;
  };
  get(...parameters: readonly SqliteParameter[]): unknown;
  all(...parameters: readonly SqliteParameter[]): unknown[];
  setReadBigInts(isEnabled: boolean): void;
  iterate(...parameters: readonly SqliteParameter[]): IterableIterator<unknown>;
}

type SqliteParameter = SqlValue | Readonly<Record<string, SqlValue>>;

/** An open file (`DatabaseSync` of `node:sqlite`). */
export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/**
 * The statements of rows that are read. `@photostructure/sqlite` 1.2.1 does not reference the statement from its rows, and so uses memory that
 * is already free after a garbage collection.
 */
const STATEMENTS: WeakMap<object, SqliteStatement> = new WeakMap();

/** Iterates over the rows of a statement, which is not shared: to run it again would end its rows. */
export function iterateRows(
  connection: SqliteConnection,
  sql: string,
  parameters: readonly SqliteParameter[],
): IterableIterator<unknown> {
  const statement = connection.prepare(sql);
  const rows = statement.iterate(...parameters);
  STATEMENTS.set(rows, statement);
  return rows;
}

/** The class `DatabaseSync`. */
export type SqliteDriver = new (path: string, options?: { readonly readOnly?: boolean }) => SqliteConnection;

/**
 * Loads SQLite: Node's own, else the package.
 *
 * @throws {DatabaseError} `database-unavailable` if there is neither.
 */
export async function loadSqlite(): Promise<SqliteDriver> {
  const builtIn = loadBuiltInSqlite();
  if (builtIn !== undefined) return builtIn;
  try {
    const { DatabaseSync } = await import('@photostructure/sqlite');
    new DatabaseSync(':memory:').close();
    return DatabaseSync as unknown as SqliteDriver;
  } catch (cause) {
    throw toDriverError('@photostructure/sqlite', 1, 'SQLite needs Node 22.13 or later, or', cause);
  }
}

/** `node:sqlite` with all that is used here; `undefined` before Node 22.13. */
function loadBuiltInSqlite(): SqliteDriver | undefined {
  if (typeof process.getBuiltinModule !== 'function') return undefined;
  const module = withoutExperimentalWarning(() => process.getBuiltinModule('node:sqlite')) as
    | { readonly DatabaseSync: SqliteDriver; readonly StatementSync: { readonly prototype: object } }
    | undefined;
  return module !== undefined && 'iterate' in module.StatementSync.prototype
    ? module.DatabaseSync
    : undefined;
}

/** Node 22 warns on stderr when this module is loaded. The command's users can do nothing about that. */
function withoutExperimentalWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (rest[0] !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The result of a statement in PostgreSQL. */
export interface PostgresResult<Row extends object> {
  readonly rows: Row[];
  /** The rows that the statement changed or returned; `null` if it does neither. */
  readonly rowCount: number | null;
}

/** What `pg` runs statements on. */
export interface PostgresConnection {
  query(statement: {
    readonly text: string;
    readonly values?: unknown[];
    /** Milliseconds, instead of that of the connection. */
    readonly query_timeout?: number;
  }): Promise<PostgresResult<object>>;
}

/** A connection that is taken from a pool (`PoolClient` of `pg`). */
export interface PostgresPoolClient extends PostgresConnection {
  /** @param isBroken - whether the pool closes the connection. */
  release(isBroken: boolean): void;
}

/** A pool of connections (`Pool` of `pg`). */
export interface PostgresPool extends PostgresConnection {
  connect(): Promise<PostgresPoolClient>;
  end(): Promise<void>;
  on(event: 'error', listener: () => void): unknown;
  on(
    event: 'connect',
    listener: (client: { on(event: 'error', listener: () => void): unknown }) => void,
  ): unknown;
}

/** The part of the package `pg` that is used here. */
export interface PostgresDriver {
  readonly Pool: new (config: object) => PostgresPool;
  // biome-ignore lint/suspicious/noExplicitAny: pg's overloads accept literal formats, and only `any` is assignable to each of them
  readonly types: { getTypeParser(oid: number, format?: any): unknown };
}

/**
 * Loads the driver for PostgreSQL.
 *
 * @throws {DatabaseError} `database-unavailable` if it cannot be loaded.
 */
export async function loadPostgres(): Promise<PostgresDriver> {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    throw toDriverError('pg', 8, 'PostgreSQL needs', cause);
  }
}

/** @param major - the version of the package, as package.json has it among the peer dependencies. */
function toDriverError(name: string, major: number, need: string, cause: unknown): DatabaseError {
  const { code, message } = cause as NodeJS.ErrnoException;
  // The first code is that of import(), the other one that of require(), which a bundle uses.
  const isMissing =
    (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && message.includes(`'${name}'`);
  const command = `npm install ${name}@${major}`;
  const text = isMissing
    ? `${need} the package ${name}, which is not installed: ${command}`
    : `the package ${name} cannot be loaded by Node ${process.version}: npm rebuild ${name}, or ${command}`;
  return new DatabaseError('database-unavailable', text, { cause });
}

/** Rows or a row with numbers in place of BigInts. */
export function withNumbers(result: unknown): unknown {
  if (Array.isArray(result)) return result.map(withNumbers);
  if (typeof result !== 'object' || result === null) return result;
  return Object.fromEntries(
    Object.entries(result).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}
