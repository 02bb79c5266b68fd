/**
 * PostgreSQL databases: connections, statements and transactions.
 *
 * @module
 */
import { once } from 'node:events';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkOptions } from '@maycrawl/core/options';
import {
  loadPostgres,
  type PostgresConnection,
  type PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresResult,
  type SqlValue,
} from './drivers.ts';
import { isPostgresConflict, toPostgresError } from './postgres-error.ts';
import { toStorable } from './sql.ts';

/** 64-bit integers, which the driver would return as text. Times, keys and counts fit into a number. */
const INT8 = 20;
/** How often a transaction is tried that the server gives up because of others. */
const MAX_CONFLICTS = 10;
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

/** A parameter of a statement: a value, or an array of values. */
export type PostgresValue = SqlValue | boolean | readonly (SqlValue | boolean)[];

/** A connection that a transaction has to itself. */
export interface PostgresTransaction {
  /** Runs a statement. @throws {DatabaseError} if it fails. */
  query<Row extends object>(text: string, values?: readonly PostgresValue[]): Promise<PostgresResult<Row>>;
  /** Runs statements without parameters and rows, which may take long. @throws {DatabaseError} if one fails. */
  exec(script: string): Promise<void>;
}

/**
 * Creates a pool of connections to a database. The first statement connects.
 *
 * @param url - `postgres://user:password@host:port/database`.
 * @throws {DatabaseError} if the driver cannot be loaded.
 * @throws {TypeError} if `url` is no string, or is empty; for an unknown or missing option, or one of a wrong type.
 */
export async function openPostgres(url: string, options: PostgresOptions): Promise<PostgresDatabase> {
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

/** Connections to a database. */
export class PostgresDatabase {
  readonly #driver: PostgresDriver;
  readonly #config: object;
  readonly #pool: PostgresPool;
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
  }

  /** Runs a statement, and again if the server gave it up because of others. @throws {DatabaseError} */
  async query<Row extends object>(
    text: string,
    values: readonly PostgresValue[] = [],
  ): Promise<PostgresResult<Row>> {
    return retryConflicts(() => runQuery<Row>(this.#pool, text, values));
  }

  /**
   * Runs work as one transaction, and again if the server gave it up because of others.
   *
   * @throws {DatabaseError} if a statement fails, and what the work throws.
   */
  async transaction<T>(work: (transaction: PostgresTransaction) => Promise<T>): Promise<T> {
    return retryConflicts(async () => {
      return this.withConnection(async (connection) => {
        // The default of a database can be a stricter level, under which waiting for a lock does not help.
        await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED');
        const result = await work(connection);
        await connection.query('COMMIT');
        return result;
      });
    });
  }

  /** Runs work on one connection. If the work fails, the connection is closed, which undoes and unlocks what the work left. */
  async withConnection<T>(work: (connection: PostgresTransaction) => Promise<T>): Promise<T> {
    const client = await connect(this.#pool);
    let isUsable = false;
    try {
      const result = await work({
        query: (text, values = []) => runQuery(client, text, values),
        exec: async (script) => {
          await runQuery(client, script, [], NO_TIMEOUT);
        },
      });
      isUsable = true;
      return result;
    } finally {
      client.release(!isUsable);
    }
  }

  /** Reserves a connection for statements that must not wait for others. */
  reserveConnection(): Pick<PostgresDatabase, 'query'> {
    const pool = this.#createPool(1);
    this.#reserved.push(pool);
    return {
      query: (text, values = []) => retryConflicts(() => runQuery(pool, text, values)),
    };
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

async function runQuery<Row extends object>(
  client: PostgresConnection,
  text: string,
  values: readonly PostgresValue[],
  timeout?: number,
): Promise<PostgresResult<Row>> {
  try {
    const result = await client.query({
      text,
      values: values.map(toParameter),
      ...(timeout !== undefined && { query_timeout: timeout }),
    });
    return result as PostgresResult<Row>;
  } catch (error) {
    throw toPostgresError(error);
  }
}

function toParameter(value: PostgresValue): unknown {
  if (Array.isArray(value)) return value.map(toParameter);
  return typeof value === 'string' ? toStorable(value) : value;
}

async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await work();
    } catch (error) {
      if (!isPostgresConflict(error) || conflicts === MAX_CONFLICTS) throw error;
      await sleep(Math.random() * CONFLICT_PAUSE);
    }
  }
}
