// Opening SQLite files.
import { dirname } from 'node:path';
import { checkOptions } from '@maycrawl/core/internal';
import { DatabaseError } from './database-error.ts';
import { loadSqlite, type SqliteConnection } from './drivers.ts';
import { makePrivateDatabase, makePrivateFolder } from './private-file.ts';
import { retryWhileBusy, SqliteDatabase } from './sqlite.ts';
import { toSqliteError } from './sqlite-error.ts';

/** The write-ahead log shrinks to this size when it is empty again. Bytes. */
const MAX_IDLE_LOG = 16 * 1024 * 1024;

export interface SqliteOptions {
  /** `write` creates the file if it does not exist, `read` needs no right to write. @defaultValue `write` */
  readonly mode?: 'write' | 'read';
  /** The file is a database of this application (`PRAGMA application_id`), or a new one. Any if it is omitted. */
  readonly applicationId?: number;
  /**
   * What a commit survives: the end of the process, or a power failure too (which costs a write to the disk for each commit).
   *
   * @defaultValue `process`
   */
  readonly survives?: 'process' | 'power-failure';
  /**
   * Whether changes are written to a log beside the file first, which needs space. Without it no other process can use the file, and the
   * end of this one during a change damages the file.
   *
   * @defaultValue `true`
   */
  readonly hasLog?: boolean;
  /** Whether folders that do not exist are created. @defaultValue `false` */
  readonly createsFolder?: boolean;
  /** Further settings, as `PRAGMA` statements. */
  readonly pragmas?: readonly string[];
}

/**
 * Opens a file. A new one is for its owner alone, as are new folders.
 *
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 * @throws {DatabaseError} if it cannot be used.
 */
export async function openSqlite(path: string, options: SqliteOptions = {}): Promise<SqliteDatabase> {
  checkOptions<SqliteOptions>('openSqlite', options, {
    ...{ mode: 'string', applicationId: 'number', survives: 'string', hasLog: 'boolean' },
    ...{ createsFolder: 'boolean', pragmas: 'array' },
  });
  const { mode = 'write', applicationId, createsFolder = false } = options;
  const Driver = await loadSqlite();
  let connection: SqliteConnection | undefined;
  try {
    if (mode === 'write') {
      if (createsFolder) makePrivateFolder(dirname(path));
      makePrivateDatabase(path, applicationId);
    }
    connection = new Driver(path, { readOnly: mode === 'read' });
    await setUp(connection, path, options);
    return new SqliteDatabase(path, connection, mode);
  } catch (cause) {
    connection?.close();
    throw toSqliteError(cause, path);
  }
}

/** SQLite does not wait by itself for another process that prepares a new file at the same time. */
async function setUp(
  connection: SqliteConnection,
  path: string,
  { mode = 'write', applicationId, survives = 'process', hasLog = true, pragmas = [] }: SqliteOptions,
): Promise<void> {
  await retryWhileBusy(() => {
    // The database waits itself: SQLite would keep the whole process waiting.
    connection.exec('PRAGMA busy_timeout = 0');
    // Before the first access, which would create shared memory.
    if (!hasLog) connection.exec('PRAGMA locking_mode = EXCLUSIVE');
    if (applicationId !== undefined) requireApplication(connection, path, applicationId);
    if (mode === 'write') {
      // A new file can give space back in small steps. (For others the statement would wait for a process that writes.)
      if (countTables(connection) === 0) connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
      connection.exec(`PRAGMA journal_mode = ${hasLog ? 'WAL' : 'MEMORY'}`);
      connection.exec(`PRAGMA journal_size_limit = ${MAX_IDLE_LOG}`);
      connection.exec(`PRAGMA synchronous = ${survives === 'process' ? 'NORMAL' : 'FULL'}`);
    }
    for (const pragma of pragmas) connection.exec(`PRAGMA ${pragma}`);
    // Also the first access to a file that is only read.
    countTables(connection);
  });
}

/** @throws {DatabaseError} if the file is a database of another program, which must stay as it is. */
function requireApplication(connection: SqliteConnection, path: string, applicationId: number): void {
  const { application_id: id } = connection.prepare('PRAGMA application_id').get() as {
    readonly application_id: number;
  };
  if (id === applicationId) return;
  if (id !== 0 || countTables(connection) > 0)
    throw new DatabaseError(
      'database-unreadable',
      `${path} is a database of another program; name another file`,
    );
}

function countTables(connection: SqliteConnection): number {
  const row = connection.prepare('SELECT count(*) AS tables FROM sqlite_schema').get();
  return (row as { readonly tables: number }).tables;
}
