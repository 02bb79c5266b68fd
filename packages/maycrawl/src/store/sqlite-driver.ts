/**
 * SQLite itself: the package better-sqlite3 if it is installed, else what newer versions of Node bring along.
 *
 * @module
 */
import { StoreError } from './store.ts';

/** What a parameter of a statement can be. */
type Value = string | number | null | Uint8Array;

/** What both have in common. */
export interface SqliteStatement {
  run(...parameters: readonly (Value | Record<string, Value>)[]): { readonly changes: number | bigint };
  get(...parameters: readonly (Value | Record<string, Value>)[]): unknown;
  all(...parameters: readonly (Value | Record<string, Value>)[]): unknown[];
}

/** An open file. */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
  close(): unknown;
}

/**
 * Opens a file.
 *
 * @throws {StoreError} if there is no SQLite.
 * @throws what the driver throws, if the file cannot be opened.
 */
export async function openSqlite(path: string): Promise<SqliteDatabase> {
  for (const load of [loadPackage, loadBuiltIn]) {
    const open = await load();
    if (open !== undefined) return open(path);
  }
  throw new StoreError(
    'store-unavailable',
    'the package better-sqlite3 cannot be loaded, and this version of Node has no SQLite of its own; npm install better-sqlite3 adds it',
  );
}

type Open = (path: string) => SqliteDatabase;

async function loadPackage(): Promise<Open | undefined> {
  try {
    const { default: Database } = await import('better-sqlite3');
    // Loads the native part, which may be there for another version of Node.
    new Database(':memory:').close();
    return (path) => new Database(path) as unknown as SqliteDatabase;
  } catch {
    return undefined;
  }
}

async function loadBuiltIn(): Promise<Open | undefined> {
  // In a variable, since not every version that this runs on has it, nor do the types.
  const name = 'node:sqlite';
  try {
    const { DatabaseSync } = (await import(name)) as { DatabaseSync: new (path: string) => SqliteDatabase };
    return (path) => new DatabaseSync(path);
  } catch {
    return undefined;
  }
}
