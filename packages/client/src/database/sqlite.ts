// Open SQLite files: statements, transactions, and what can be wrong with a file.
import { type BigIntStats, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { DatabaseError } from './database-error.ts';
import {
  iterateRows,
  type SqliteConnection,
  type SqliteStatement,
  type SqlValue,
  withNumbers,
} from './drivers.ts';
import { toStorable } from './sql.ts';
import {
  describeFull,
  hasSpace,
  isSqliteBusy,
  isSqliteError,
  isTooLarge,
  toSqliteError,
} from './sqlite-error.ts';

/** How long a process waits for another one that writes. Milliseconds. */
const BUSY_TIMEOUT = 10_000;
/** Statements that may run twice. */
const SELECT = /^\s*select\b/i;
/** Statements that a connection has prepared at most. */
const MAX_STATEMENTS = 200;

type FileIdentity = Pick<BigIntStats, 'dev' | 'ino'>;

/** Runs work, and again while another process writes. @throws what the work throws, `SQLITE_BUSY` after ten seconds. */
export async function retryWhileBusy<T>(work: () => T): Promise<T> {
  for (const giveUpAt = performance.now() + BUSY_TIMEOUT; ; ) {
    try {
      return work();
    } catch (error) {
      if (!isSqliteBusy(error) || performance.now() > giveUpAt) throw error;
      await sleep(1 + Math.random() * 4);
    }
  }
}

/** An open file. Its statements are synchronous; {@link attempt} waits for other processes. */
export class SqliteDatabase {
  readonly path: string;
  readonly #mode: 'write' | 'read';
  readonly #connection: SqliteConnection;
  readonly #identity: FileIdentity | undefined;
  readonly #statements: LRUCache<string, SqliteStatement> = new LRUCache({ max: MAX_STATEMENTS });
  #isClosed = false;

  /** @param connection - is closed with the database. */
  constructor(path: string, connection: SqliteConnection, mode: 'write' | 'read') {
    this.path = path;
    this.#mode = mode;
    this.#connection = connection;
    this.#identity = identify(path);
  }

  /** Runs statements that have no parameters and no rows. @throws {DatabaseError} */
  exec(sql: string): void {
    this.#try(() => this.#connection.exec(sql));
  }

  /** Runs a statement. @returns the number of rows that it changed. @throws {DatabaseError} */
  run(sql: string, ...values: readonly SqlValue[]): number {
    return this.#try(() => Number(this.#prepare(sql).run(...values.map(toStorable)).changes));
  }

  /** Inserts a row. @returns its row id. @throws {DatabaseError} */
  insert(sql: string, ...values: readonly SqlValue[]): number {
    return this.#try(() => Number(this.#prepare(sql).run(...values.map(toStorable)).lastInsertRowid));
  }

  /** The first row; `undefined` without one. @throws {DatabaseError} */
  get<Row extends object>(sql: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#read(sql, (statement) => statement.get(...values.map(toStorable)) as Row | undefined);
  }

  /** All rows. @throws {DatabaseError} */
  all<Row extends object>(sql: string, ...values: readonly SqlValue[]): Row[] {
    return this.#read(sql, (statement) => statement.all(...values.map(toStorable)) as Row[]);
  }

  /** The rows, one at a time. Other statements may run in between. @throws {DatabaseError} */
  *iterate<Row extends object>(sql: string, ...values: readonly SqlValue[]): Generator<Row> {
    try {
      yield* iterateRows(this.#connection, sql, values.map(toStorable)) as IterableIterator<Row>;
    } catch (error) {
      throw this.#toError(error);
    }
  }

  /**
   * Runs work as one transaction, which is that of a writer from its beginning: one that only reads at first could not write any more
   * when another process has written meanwhile.
   *
   * @throws what the work throws, or the driver.
   */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      this.rollBack();
      throw error;
    }
  }

  /** Undoes a transaction. */
  rollBack(): void {
    try {
      this.exec('ROLLBACK');
    } catch {
      // After some errors SQLite has done so itself. The error of the transaction is the one that counts.
    }
  }

  /**
   * Runs work, and again while another process writes. The event loop goes on meanwhile.
   *
   * @throws {DatabaseError} `database-busy` after ten seconds, and what the work throws.
   */
  attempt<T>(work: () => T): Promise<T> {
    return retryWhileBusy(work);
  }

  /** @throws {DatabaseError} if the file is gone, another one is in its place, or its file system is full. */
  check(): void {
    if (this.#identity === undefined) return;
    const { path } = this;
    const found = identify(path);
    if (found === undefined)
      throw new DatabaseError(
        'database-replaced',
        `${path} was deleted while it was in use; restart the program`,
      );
    if (found.ino !== this.#identity.ino || found.dev !== this.#identity.dev)
      throw new DatabaseError(
        'database-replaced',
        `another file took the place of ${path} while it was in use; restart the program`,
      );
    this.requireSpace();
  }

  /** On a file system without space, copies the log into the file, so that the log is written from its start, and does not grow. */
  restartFullLog(): void {
    if (!hasSpace(this.path)) this.exec('PRAGMA wal_checkpoint(RESTART)');
  }

  /** @throws {DatabaseError} if the file system has too little space to add rows, and to remove them again. */
  requireSpace(): void {
    if (!hasSpace(this.path)) throw new DatabaseError('database-full', describeFull(this.path));
  }

  /** Closes the file. A second call has no effect. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#statements.clear();
    // SQLite does so itself when the last connection closes, but @photostructure/sqlite leaves a connection open until its statements
    // are collected as garbage.
    try {
      if (this.#mode === 'write') this.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // The log stays beside the file, and the next process that opens the file reads both.
    } finally {
      this.#connection.close();
    }
  }

  /** An integer that no JavaScript number equals, as another program may have written it, is read as the nearest one. */
  #read<T>(sql: string, read: (statement: SqliteStatement) => T): T {
    return this.#try(() => {
      try {
        return read(this.#prepare(sql));
      } catch (error) {
        if (!isTooLarge(error) || !SELECT.test(sql)) throw error;
        const statement = this.#connection.prepare(sql);
        statement.setReadBigInts(true);
        return withNumbers(read(statement)) as T;
      }
    });
  }

  #try<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#toError(error);
    }
  }

  /** An error of the program stays as it is. */
  #toError(error: unknown): unknown {
    return isSqliteError(error) ? toSqliteError(error, this.path) : error;
  }

  #prepare(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function identify(path: string): FileIdentity | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
