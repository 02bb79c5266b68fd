// PostgreSQL databases: connections, statements and transactions.
import { once } from 'node:events';
import { Socket } from 'node:net';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkOptions } from '@maycrawl/core/internal';
import {
  loadPostgres,
  type PostgresConnection,
  type PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresResult,
} from './drivers.ts';
import { isConnectTimeout, isPostgresConflict, toPostgresError } from './postgres-error.ts';
import { rawSql, type Sql, type SqlConnection, type SqlDatabase, toStorable } from './sql.ts';

/** 64-bit integers, which the driver would return as text. Times, keys and counts fit into a number. */
const INT8 = 20;
/** How often work that had no effect is tried again. */
const MAX_RETRIES = 10;
/** A process is busy whose event loop works for this share of the time. */
const BUSY = 0.5;
/** The longest pause before the next try. Milliseconds. */
const CONFLICT_PAUSE = 10;

/** How long the closing of a connection may take. Milliseconds. */
const CLOSE_TIMEOUT = 2_000;
/** The longest timer. Milliseconds. */
const NO_TIMEOUT = 2 ** 31 - 1;

/** How connections to a database are opened. */
export interface PostgresOptions {
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** @defaultValue 10 */
  readonly maxConnections?: number;
  /** For a connection, or for one of the open connections to be free. Milliseconds; 0: no limit. @defaultValue 5,000 */
  readonly connectTimeout?: number;
  /**
   * For one statement: the server ends it, and the client does so if the server does not respond. Milliseconds; 0: no limit,
   * which scripts have.
   *
   * @defaultValue 10,000
   */
  readonly statementTimeout?: number;
}

/**
 * Creates a pool of connections to a database. The first statement connects.
 *
 * @param url - `postgres://user:password@host:port/database`.
 * @throws {DatabaseError} if the driver cannot be loaded.
 * @throws {TypeError} if `url` is no string, or is empty; for an unknown or missing option, or one of a wrong type.
 */
export async function openPostgres(url: string, options: PostgresOptions): Promise<SqlDatabase> {
  checkOptions<PostgresOptions>(
    'openPostgres',
    options,
    {
      ...{ applicationName: 'string', maxConnections: 'number' },
      ...{ connectTimeout: 'number', statementTimeout: 'number' },
    },
    ['applicationName'],
  );
  // Without a URL the driver would connect to any server on this machine.
  if (typeof url !== 'string' || url === '') throw new TypeError(`not the URL of a database: ${String(url)}`);
  return new PostgresDatabase(await loadPostgres(), url, options);
}

/** Connections to a database. A statement runs again if the server gave it up because of others. */
class PostgresDatabase implements SqlDatabase {
  readonly kind = 'postgres';
  readonly #driver: PostgresDriver;
  readonly #config: object;
  readonly #pool: PostgresPool;
  readonly #statements: PostgresStatements;
  readonly #reserved: PostgresPool[] = [];
  /** The sockets of all connections. */
  readonly #sockets: Set<Socket> = new Set();
  #closed: Promise<void> | undefined;

  constructor(driver: PostgresDriver, url: string, options: PostgresOptions) {
    const {
      applicationName,
      maxConnections = 10,
      connectTimeout = 5_000,
      statementTimeout = 10_000,
    } = options;
    this.#driver = driver;
    this.#config = {
      connectionString: url,
      application_name: applicationName,
      types: {
        getTypeParser: (oid: number, format?: unknown) =>
          oid === INT8 ? Number : driver.types.getTypeParser(oid, format),
      },
      connectionTimeoutMillis: connectTimeout,
      // The second is the client's own, for a server that does not respond any more.
      statement_timeout: statementTimeout,
      query_timeout: statementTimeout,
      stream: () => this.#createSocket(),
    };
    this.#pool = this.#createPool(maxConnections);
    this.#statements = new PostgresStatements(this.#pool);
  }

  all<Row extends object>(query: Sql): Promise<Row[]> {
    return runAgain(() => this.#statements.all<Row>(query));
  }

  get<Row extends object>(query: Sql): Promise<Row | undefined> {
    return runAgain(() => this.#statements.get<Row>(query));
  }

  run(query: Sql): Promise<number> {
    return runAgain(() => this.#statements.run(query));
  }

  exec(script: string): Promise<void> {
    return this.#withConnection((connection) => connection.exec(script));
  }

  transaction<T>(work: (transaction: SqlConnection) => Promise<T>): Promise<T> {
    return runAgain(() =>
      this.#withConnection(async (connection) => {
        // The default of a database can be a stricter level, under which waiting for a lock does not help.
        await connection.run(rawSql('BEGIN ISOLATION LEVEL READ COMMITTED'));
        const result = await work(connection);
        await connection.run(rawSql('COMMIT'));
        return result;
      }),
    );
  }

  reserveConnection(): Pick<SqlConnection, 'run'> {
    const pool = this.#createPool(1);
    this.#reserved.push(pool);
    const statements = new PostgresStatements(pool);
    return { run: (query) => runAgain(() => statements.run(query)) };
  }

  /** Runs work on one connection. If the work fails, the connection is closed, which undoes and unlocks what the work left. */
  async #withConnection<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T> {
    const client = await connect(this.#pool);
    let isUsable = false;
    try {
      const result = await work(new PostgresStatements(client));
      isUsable = true;
      return result;
    } finally {
      client.release(!isUsable);
    }
  }

  /** Closes all connections after their statements. A second call waits for the first. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.all([this.#pool, ...this.#reserved].map((pool) => pool.end()));
    // A server that does not respond closes no connection, which would keep the process alive.
    const sockets = [...this.#sockets];
    const late = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, CLOSE_TIMEOUT);
    await Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
    clearTimeout(late);
  }

  #createSocket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }

  #createPool(max: number): PostgresPool {
    const pool = new this.#driver.Pool({ ...this.#config, max });
    // A connection that breaks while it is unused affects no caller: the next one is new.
    pool.on('error', () => {});
    // Of a connection in use, its statement reports the error.
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  }
}

async function connect(pool: PostgresPool): Promise<PostgresPoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw toPostgresError(error);
  }
}

/** Statements on a connection, or on any of a pool. */
class PostgresStatements implements SqlConnection {
  readonly kind = 'postgres';
  readonly #client: PostgresConnection;

  constructor(client: PostgresConnection) {
    this.#client = client;
  }

  async all<Row extends object>(query: Sql): Promise<Row[]> {
    return (await this.#query(query)).rows as Row[];
  }

  async get<Row extends object>(query: Sql): Promise<Row | undefined> {
    return (await this.all<Row>(query))[0];
  }

  async run(query: Sql): Promise<number> {
    return (await this.#query(query)).rowCount ?? 0;
  }

  async exec(script: string): Promise<void> {
    await this.#query(rawSql(script), { query_timeout: NO_TIMEOUT });
  }

  async #query(
    query: Sql,
    options: { readonly query_timeout?: number } = {},
  ): Promise<PostgresResult<object>> {
    const text = query.toText((number) => `$${number}`);
    try {
      return await this.#client.query({ text, values: query.values.map(toStorable), ...options });
    } catch (error) {
      throw toPostgresError(error);
    }
  }
}

function isIdleSince(start: EventLoopUtilization): boolean {
  return performance.eventLoopUtilization(start).utilization < BUSY;
}

/**
 * Runs work again that had no effect: a transaction that the server gave up, and, once, a statement without a connection in time while this
 * process was busy, because a timer ends before Node reads a response that has arrived.
 */
async function runAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    const before = performance.eventLoopUtilization();
    try {
      return await work();
    } catch (error) {
      if (retries === MAX_RETRIES) throw error;
      if (isPostgresConflict(error)) await sleep(Math.random() * CONFLICT_PAUSE);
      else if (retries > 0 || !isConnectTimeout(error) || isIdleSince(before)) throw error;
    }
  }
}
