// Opens the stores that are in databases. Their modules are loaded when a store is opened: most programs use one of them, or none.
import type { StoreOptions } from './limits.ts';
import type { FullStore } from './store.ts';

/**
 * Opens a store in a file, which is created if it does not exist, with the folders that it is in. The file is for its owner alone.
 *
 * @throws {DatabaseError} if the file cannot be opened, is no store, or is of a later version; or if there is no SQLite: neither
 *   Node's own (22.13 or later) nor the optional peer dependency @photostructure/sqlite.
 * @throws {RangeError} for a limit that is no positive number.
 */
export async function openSqliteStore(path: string, options?: StoreOptions): Promise<FullStore> {
  const sqlite = await import('./sqlite.ts');
  return sqlite.openSqliteStore(path, options);
}

/**
 * Opens a store in a PostgreSQL database, and brings its tables to the newest version. They are in the schema `maycrawl`.
 *
 * @param url - `postgres://user:password@host:port/database`.
 * @throws {DatabaseError} if the database cannot be reached, or is of a later version; or if `pg`, which is an optional
 *   peer dependency, is not installed.
 * @throws {RangeError} for a limit that is no positive number.
 * @throws {TypeError} if `url` is no string, or is empty.
 */
export async function openPostgresStore(url: string, options?: StoreOptions): Promise<FullStore> {
  const postgres = await import('./postgres.ts');
  return postgres.openPostgresStore(url, options);
}
