// The store of responses that the command uses.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { StoreOptions } from '@maycrawl/client';
import {
  DatabaseError,
  type FullStore,
  MemoryStore,
  openPostgresStore,
  openSqliteStore,
} from '@maycrawl/client/store';
import { visible } from '../../text/printable.ts';
import { CommandError } from '../output/errors.ts';
import { printMessage } from '../output/terminal.ts';

/** Returns the path of the default store, in the user's cache folder (XDG Base Directory Specification). */
function getDefaultStorePath(): string {
  return getCachePath('robots.sqlite');
}

/**
 * Returns the path of the service's default store. It is not that of the other commands: those fetch from the user's network, and the
 * service would give what they stored to every client.
 */
export function getServiceStorePath(): string {
  return getCachePath('service.sqlite');
}

function getCachePath(name: string): string {
  const folder = process.env['XDG_CACHE_HOME'];
  return join(folder?.startsWith('/') ? folder : join(homedir(), '.cache'), 'maycrawl', name);
}

/**
 * Opens the store that is named on the command line.
 *
 * @param name - a path, a URL of a PostgreSQL database, or `none`. @defaultValue the file in the user's cache folder
 * @throws {CommandError} if it cannot be used.
 */
export async function openStore(name: string | undefined, options: StoreOptions = {}): Promise<FullStore> {
  if (name === 'none') return new MemoryStore(options);
  try {
    if (name !== undefined && isDatabase(name)) return await openPostgresStore(name, options);
    return await openSqliteStore(name ?? getDefaultStorePath(), options);
  } catch (cause) {
    if (!(cause instanceof DatabaseError)) throw cause;
    throw new CommandError(visible(cause.message), { cause });
  }
}

/**
 * Opens the store for a command that also works without one: the driver is optional, and a cache folder may be read-only.
 *
 * @throws {CommandError} if a named store cannot be used, or the default one is of a later version.
 */
export async function openStoreIfPossible(name: string | undefined): Promise<FullStore> {
  try {
    return await openStore(name);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as Partial<DatabaseError>;
    if (name !== undefined || code === undefined || code === 'schema-too-new') throw error;
    printMessage(`responses are not stored: ${(error as Error).message}`);
    return new MemoryStore();
  }
}

/**
 * Whether a store exists. A database is assumed to exist.
 *
 * @throws {CommandError} if the name is invalid.
 */
export function hasStore(name: string | undefined): boolean {
  return isDatabase(name) || existsSync(name ?? getDefaultStorePath());
}

/** Whether a name is a URL of a database. @throws {CommandError} if the name is invalid. */
function isDatabase(name: string | undefined): boolean {
  if (name === '') throw new CommandError('--database is empty: give a path, a postgres:// URL or "none"');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(name ?? '')?.[1]?.toLowerCase();
  if (scheme === undefined) return false;
  if (scheme === 'postgres' || scheme === 'postgresql') return true;
  // The rest may contain a password.
  throw new CommandError(
    `--database must be a path, a postgres:// URL or "none", not a URL with the scheme ${visible(scheme)}`,
  );
}
