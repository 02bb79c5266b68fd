// A lock of one process on a file, which the operating system releases when the process ends, however it ends.
import { loadSqlite, type SqliteConnection } from './drivers.ts';
import { makePrivateDatabase } from './private-file.ts';
import { toSqliteError } from './sqlite-error.ts';

/**
 * Locks a file, which is created if it does not exist. SQLite's own lock on the file is the lock: Node has no other that survives no
 * process.
 *
 * @returns releases the lock.
 * @throws {DatabaseError} `database-busy` if another process has the lock.
 */
export async function lockFile(path: string): Promise<() => void> {
  const Driver = await loadSqlite();
  let connection: SqliteConnection | undefined;
  try {
    makePrivateDatabase(path);
    connection = new Driver(path);
    connection.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    connection?.close();
    throw toSqliteError(cause, path);
  }
  const locked = connection;
  return () => locked.close();
}
