/**
 * Where `maycrawl watch` keeps what it has seen.
 *
 * @module
 */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseError } from '@maycrawl/client/database';
import { SecretError } from '../../../secrets/secret-error.ts';
import { openWatchDatabase, type WatchDatabase } from '../../../watch/database.ts';
import { Outbox } from '../../../watch/outbox.ts';
import { DamagedSiteError } from '../../../watch/site.ts';
import { SiteRepository } from '../../../watch/site-repository.ts';
import { CommandError } from '../../output/errors.ts';
import { visible } from '../../output/terminal.ts';

export interface DatabaseOptions {
  /** A path, or a URL of a PostgreSQL database. */
  readonly database?: string;
  readonly json?: boolean;
}

/** The file in the user's data folder, which is made (XDG Base Directory Specification). */
function defaultPath(): string {
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
  try {
    return await openWatchDatabase(name);
  } catch (cause) {
    if (cause instanceof DatabaseError) throw new CommandError(visible(cause.message), { cause });
    throw cause;
  }
}

/** Opens the database for some work. @throws {CommandError} if it cannot be used. */
export async function withRepository<T>(
  { database: name = defaultPath() }: DatabaseOptions,
  work: (repository: SiteRepository, outbox: Outbox, database: WatchDatabase) => Promise<T>,
): Promise<T> {
  if (name === '') throw new CommandError('--database is empty: give a path or a postgres:// URL');
  const database = await openDatabase(name);
  try {
    return await work(new SiteRepository(database), new Outbox(database), database);
  } catch (cause) {
    if (cause instanceof SecretError || cause instanceof DamagedSiteError)
      throw new CommandError(visible(cause.message), { cause });
    throw cause;
  } finally {
    await database.db.close();
  }
}
