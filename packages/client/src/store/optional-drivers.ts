/**
 * The database drivers, which are optional dependencies: who needs one that is not there is told what to install.
 *
 * @module
 */
import { StoreError } from './store.ts';

/**
 * Loads the driver for SQLite, its native part included.
 *
 * @throws {StoreError} if it cannot be loaded.
 */
export async function loadBetterSqlite(): Promise<typeof import('better-sqlite3')> {
  try {
    const { default: Database } = await import('better-sqlite3');
    new Database(':memory:').close();
    return Database;
  } catch (cause) {
    throw toStoreError('better-sqlite3', 'SQLite', cause);
  }
}

/**
 * Loads the driver for PostgreSQL.
 *
 * @throws {StoreError} if it cannot be loaded.
 */
export async function loadPostgres(): Promise<Pick<typeof import('pg'), 'Client' | 'Pool' | 'types'>> {
  try {
    return (await import('pg')).default;
  } catch (cause) {
    throw toStoreError('pg', 'PostgreSQL', cause);
  }
}

function toStoreError(name: string, database: string, cause: unknown): StoreError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const isMissing = code === 'ERR_MODULE_NOT_FOUND' && message.includes(`'${name}'`);
  const text = isMissing
    ? `${database} needs the package ${name}, which is not installed: npm install ${name}`
    : `the package ${name} cannot be loaded by Node ${process.version}: npm rebuild ${name}, or npm install ${name}`;
  return new StoreError('store-unavailable', text, { cause });
}
