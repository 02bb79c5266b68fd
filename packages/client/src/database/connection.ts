// Opens databases by their names, and runs the statements of both on a SQLite file.
import { checkOptions } from '@maycrawl/core/internal';
import { openSqlite, type SqliteOptions } from './open-sqlite.ts';
import { openPostgres, type PostgresOptions } from './postgres.ts';
import type { Sql, SqlConnection, SqlDatabase } from './sql.ts';
import type { SqliteDatabase } from './sqlite.ts';
import { isSqliteBusy } from './sqlite-error.ts';

/** Whether the name of a database is the URL of a PostgreSQL database; else it is the path of a SQLite file. */
export function isPostgresUrl(name: string): boolean {
  return /^postgres(ql)?:\/\//i.test(name);
}

/**
 * Opens a database.
 *
 * @param name - a path, or `postgres://user:password@host:port/database`.
 * @throws {DatabaseError} if it cannot be used. PostgreSQL is not connected before the first statement.
 */
export async function openDatabase(
  name: string,
  options: { readonly sqlite: SqliteOptions; readonly postgres: PostgresOptions },
): Promise<SqlDatabase> {
  checkOptions<typeof options>('openDatabase', options, { sqlite: 'object', postgres: 'object' }, [
    'sqlite',
    'postgres',
  ]);
  if (isPostgresUrl(name)) return openPostgres(name, options.postgres);
  return toSqlDatabase(await openSqlite(name, options.sqlite));
}

/** The common interface of an open file. */
export function toSqlDatabase(database: SqliteDatabase): SqlDatabase {
  return new SqliteSession(database);
}

/** Statements on one file. A transaction has the file to itself: other statements of this process wait for its end. */
class SqliteSession implements SqlDatabase {
  readonly kind = 'sqlite';
  readonly #database: SqliteDatabase;
  #last: Promise<unknown> = Promise.resolve();
  #isInTransaction = false;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  all<Row extends object>(query: Sql): Promise<Row[]> {
    return this.#do(() => this.#all<Row>(query));
  }

  get<Row extends object>(query: Sql): Promise<Row | undefined> {
    return this.#do(() => this.#get<Row>(query));
  }

  run(query: Sql): Promise<number> {
    return this.#do(() => this.#run(query));
  }

  exec(script: string): Promise<void> {
    return this.#do(() => this.#database.exec(script));
  }

  transaction<T>(work: (transaction: SqlConnection) => Promise<T>): Promise<T> {
    const database = this.#database;
    // Statements in a transaction need not wait: this process is the only one that writes.
    const transaction: SqlConnection = {
      kind: 'sqlite',
      all: async <Row extends object>(query: Sql) => this.#all<Row>(query),
      get: async <Row extends object>(query: Sql) => this.#get<Row>(query),
      run: async (query) => this.#run(query),
      exec: async (script) => database.exec(script),
    };
    return this.#inTurn(async () => {
      await database.attempt(() => database.exec('BEGIN IMMEDIATE'));
      this.#isInTransaction = true;
      try {
        const result = await work(transaction);
        database.exec('COMMIT');
        return result;
      } catch (error) {
        database.rollBack();
        throw error;
      } finally {
        this.#isInTransaction = false;
      }
    });
  }

  reserveConnection(): this {
    return this;
  }

  close(): Promise<void> {
    return this.#inTurn(async () => this.#database.close());
  }

  #all<Row extends object>(query: Sql): Row[] {
    return this.#database.all<Row>(toSqliteText(query), ...query.values);
  }

  #get<Row extends object>(query: Sql): Row | undefined {
    return this.#database.get<Row>(toSqliteText(query), ...query.values);
  }

  #run(query: Sql): number {
    return this.#database.run(toSqliteText(query), ...query.values);
  }

  /**
   * Runs one statement, after the transaction that this process has begun. One that waits for another process does not keep others from
   * reading. While another process writes, retries take turns with transactions.
   */
  async #do<T>(work: () => T): Promise<T> {
    if (!this.#isInTransaction) {
      try {
        return work();
      } catch (error) {
        if (!isSqliteBusy(error)) throw error;
      }
    }
    return this.#inTurn(() => this.#database.attempt(work));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

/** The texts of statements by those of their templates. */
const SQLITE_TEXTS: WeakMap<readonly string[], string> = new WeakMap();

function toSqliteText({ texts }: Sql): string {
  let text = SQLITE_TEXTS.get(texts);
  if (text === undefined) {
    text = texts.join('?');
    SQLITE_TEXTS.set(texts, text);
  }
  return text;
}
