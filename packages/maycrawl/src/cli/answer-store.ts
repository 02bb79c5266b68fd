/**
 * Where the command keeps what sites have answered.
 *
 * @module
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MemoryStore } from '../store/memory.ts';
import { type RobotsStore, StoreError } from '../store/store.ts';
import { CommandError } from './errors.ts';
import { visible } from './terminal.ts';

/** The file in the user's cache folder (XDG Base Directory Specification). */
function defaultStorePath(): string {
  const folder = process.env['XDG_CACHE_HOME'];
  return join(folder?.startsWith('/') ? folder : join(homedir(), '.cache'), 'maycrawl', 'robots.sqlite');
}

/**
 * Opens the store that is named on the command line.
 *
 * @param name - a path, a URL of a PostgreSQL database, or `none`; the file in the user's cache folder if left out.
 * @throws {CommandError} if it cannot be used. Where the default cannot be, nothing is kept.
 */
export async function openStore(name: string | undefined): Promise<RobotsStore> {
  if (name === 'none') return new MemoryStore();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(name ?? '')?.[1]?.toLowerCase();
  const isPostgres = scheme === 'postgres' || scheme === 'postgresql';
  if (scheme !== undefined && !isPostgres) {
    throw new CommandError(`--store is a path, a postgres:// URL or none, not ${visible(name ?? '')}`);
  }
  try {
    if (name !== undefined && isPostgres) {
      const { openPostgresStore } = await import('../store/postgres.ts');
      return await openPostgresStore(name);
    }
    const { openSqliteStore } = await import('../store/sqlite.ts');
    return await openSqliteStore(name ?? defaultStorePath());
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    // The driver is optional, and a cache folder may be read-only; a cache that nobody asked for is no reason to fail.
    if (name === undefined && cause.code !== 'store-from-the-future') return new MemoryStore();
    throw new CommandError(visible(cause.message), { cause });
  }
}
