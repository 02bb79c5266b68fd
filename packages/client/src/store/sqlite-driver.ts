/**
 * SQLite itself: the package better-sqlite3 if it is installed, else what newer versions of Node bring along.
 *
 * @module
 */
import { loadBetterSqlite } from './optional-drivers.ts';
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
  try {
    const Database = await loadBetterSqlite();
    return new Database(path) as unknown as SqliteDatabase;
  } catch (error) {
    // Only a missing driver leaves a choice: a file that cannot be opened cannot be opened by another one either.
    const open = error instanceof StoreError ? await loadBuiltIn() : undefined;
    if (open === undefined) throw error;
    return open(path);
  }
}

type Open = (path: string) => SqliteDatabase;

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
