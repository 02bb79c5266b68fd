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
  const found = await loadPackage();
  if (found.open !== undefined) return found.open(path);
  const open = await loadBuiltIn();
  if (open !== undefined) return open(path);
  throw new StoreError(
    'store-unavailable',
    `a SQLite store needs the package better-sqlite3, ${found.reason} (from Node 22.13 on it needs no package)`,
    { cause: found.cause },
  );
}

type Open = (path: string) => SqliteDatabase;
type Loaded =
  | { readonly open: Open }
  | { readonly open?: undefined; readonly reason: string; readonly cause: unknown };

async function loadPackage(): Promise<Loaded> {
  try {
    const { default: Database } = await import('better-sqlite3');
    // Loads the native part, which may be there for another version of Node.
    new Database(':memory:').close();
    return { open: (path) => new Database(path) as unknown as SqliteDatabase };
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    const reason = isMissing
      ? 'which is not installed; "npm install better-sqlite3" installs it'
      : 'which does not work with this version of Node; "npm rebuild better-sqlite3" builds it again';
    return { reason, cause };
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
