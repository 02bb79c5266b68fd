/**
 * The database of `maycrawl watch`.
 *
 * @module
 */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseError } from '@maycrawl/client/database';
import { SecretError } from '../../../secrets/secret-error.ts';
import { visible } from '../../../text/printable.ts';
import { createMonitor, type Monitor, type MonitorOptions } from '../../../watch/monitor.ts';
import { DamagedSiteError } from '../../../watch/site.ts';
import { openWatchDatabase, type WatchDatabase } from '../../../watch/storage/database.ts';
import { Outbox } from '../../../watch/storage/outbox.ts';
import { SiteRepository } from '../../../watch/storage/site-repository.ts';
import { CommandError } from '../../output/errors.ts';

export interface DatabaseOptions {
  /** A path, or a URL of a PostgreSQL database. */
  readonly database?: string;
  readonly json?: boolean;
}

/** Returns the path of the default file, in the user's data folder (XDG Base Directory Specification). Creates the folder. */
function createDefaultPath(): string {
  const folder = process.env['XDG_DATA_HOME'];
  const path = join(
    folder?.startsWith('/') ? folder : join(homedir(), '.local', 'share'),
    'maycrawl',
    'watch.sqlite',
  );
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return path;
}

/** Opens a database, which the caller closes. @throws {CommandError} if it cannot be used. */
export async function openDatabase(name: string): Promise<WatchDatabase> {
  return withCommandErrors(() => openWatchDatabase(name));
}

/** Opens the monitor, and closes it after `work`. @throws {CommandError} if its database cannot be used. */
export async function withMonitor<T>(
  { database = createDefaultPath(), ...options }: Partial<MonitorOptions>,
  work: (monitor: Monitor) => Promise<T>,
): Promise<T> {
  return withCommandErrors(async () => {
    const monitor = await createMonitor({ ...options, database: requireName(database) });
    try {
      return await work(monitor);
    } finally {
      await monitor.close();
    }
  });
}

/** Opens the database, and closes it after `work`. @throws {CommandError} if it cannot be used. */
export async function withRepository<T>(
  { database: name = createDefaultPath() }: DatabaseOptions,
  work: (repository: SiteRepository, outbox: Outbox, database: WatchDatabase) => Promise<T>,
): Promise<T> {
  return withCommandErrors(async () => {
    const database = await openWatchDatabase(requireName(name));
    try {
      return await work(new SiteRepository(database), new Outbox(database), database);
    } finally {
      await database.db.close();
    }
  });
}

function requireName(name: string): string {
  if (name === '') throw new CommandError('--database is empty: give a path or a postgres:// URL');
  return name;
}

async function withCommandErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof SecretError || cause instanceof DamagedSiteError || cause instanceof DatabaseError)
      throw new CommandError(visible(cause.message), { cause });
    throw cause;
  }
}
