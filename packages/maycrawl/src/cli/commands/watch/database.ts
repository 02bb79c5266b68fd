// The database of `maycrawl watch`.
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseError, isPostgresUrl, makePrivateFolder } from '@maycrawl/client/internal';
import { hasScheme } from '@maycrawl/core/url';
import { SecretError } from '../../../secrets/secret-error.ts';
import { visible } from '../../../text/printable.ts';
import { createMonitor, type Monitor } from '../../../watch/monitor.ts';
import type { MonitorOptions } from '../../../watch/monitor-options.ts';
import { DamagedSiteError } from '../../../watch/site.ts';
import {
  type DatabaseDeadlines,
  openWatchDatabase,
  type WatchDatabase,
} from '../../../watch/storage/database.ts';
import { Outbox } from '../../../watch/storage/outbox.ts';
import { SiteRepository } from '../../../watch/storage/site-repository.ts';
import { parseOrigin } from '../../input/origin.ts';
import { CommandError, withCommandErrors } from '../../output/errors.ts';
import type { DatabaseOptions } from './options.ts';

/** Errors that are about the database. */
const ERRORS = [SecretError, DamagedSiteError, DatabaseError];

/** Returns the path of the default file, in the user's data folder (XDG Base Directory Specification). */
function getDefaultPath(): string {
  const folder = process.env['XDG_DATA_HOME'];
  return join(
    folder?.startsWith('/') ? folder : join(homedir(), '.local', 'share'),
    'maycrawl',
    'watch.sqlite',
  );
}

/** Returns the folder of the runs of scheduled audits: beside the file; `undefined` for a server, which is not on this machine. */
export function getDefaultAuditFolder({ database = getDefaultPath() }: DatabaseOptions): string | undefined {
  return isPostgresUrl(database) ? undefined : join(dirname(database), 'audits');
}

/** Returns the path of the default file. Creates its folder. */
function createDefaultPath(): string {
  const path = getDefaultPath();
  makePrivateFolder(dirname(path));
  return path;
}

/** Opens a database, which the caller closes. @throws {CommandError} if it cannot be used. */
export async function openDatabase(name: string, deadlines: DatabaseDeadlines): Promise<WatchDatabase> {
  return withCommandErrors(ERRORS, () => openWatchDatabase(name, process.env, deadlines));
}

/** Returns the name of the database, or the path of the default file. @throws {CommandError} if the name is empty. */
export function getDatabaseName({ database = createDefaultPath() }: DatabaseOptions): string {
  return requireName(database);
}

/** Opens the monitor, and closes it after `work`. @throws {CommandError} if its database cannot be used. */
export async function withMonitor<T>(
  {
    database,
    userAgent,
    timeout,
    allowPrivate,
  }: Partial<MonitorOptions> & { readonly allowPrivate?: boolean },
  work: (monitor: Monitor) => Promise<T>,
): Promise<T> {
  return withCommandErrors(ERRORS, async () => {
    const monitor = await createMonitor({
      database: getDatabaseName({ ...(database !== undefined && { database }) }),
      ...(userAgent !== undefined && { userAgent }),
      ...(timeout !== undefined && { timeout }),
      ...(allowPrivate !== undefined && { allowPrivateAddresses: allowPrivate }),
    });
    try {
      return await work(monitor);
    } finally {
      await monitor.close();
    }
  });
}

/** Opens the database, and closes it after `work`. @throws {CommandError} if it cannot be used. */
export async function withRepository<T>(
  options: DatabaseOptions,
  work: (repository: SiteRepository, outbox: Outbox, database: WatchDatabase) => Promise<T>,
): Promise<T> {
  return withCommandErrors(ERRORS, async () => {
    const database = await openWatchDatabase(getDatabaseName(options));
    try {
      return await work(new SiteRepository(database), new Outbox(database), database);
    } finally {
      await database.db.close();
    }
  });
}

/**
 * Finds monitored sites. A host without a scheme is a monitored site of that host and port whatever its scheme.
 *
 * @returns the origins, and the sites that are not monitored, as origins.
 * @throws {CommandError} if a text is neither a URL nor a host, or several schemes of its host are monitored.
 */
export async function findOrigins(
  repository: SiteRepository,
  sites: readonly string[],
): Promise<{ readonly origins: readonly string[]; readonly missing: readonly string[] }> {
  const origins = new Set<string>();
  const missing: string[] = [];
  for (const site of sites) {
    const candidates = listOrigins(site);
    const found: string[] = [];
    for (const origin of candidates) if ((await repository.site(origin)) !== undefined) found.push(origin);
    if (found.length > 1)
      throw new CommandError(
        `"${visible(site)}" is ambiguous: ${found.map(visible).join(' and ')} are monitored`,
      );
    const [origin] = found;
    if (origin === undefined) missing.push(candidates[0] as string);
    else origins.add(origin);
  }
  return { origins: [...origins], missing };
}

/** Finds a monitored site, as {@link findOrigins} does. @throws {CommandError} if it is not monitored, too. */
export async function requireOrigin(repository: SiteRepository, site: string): Promise<string> {
  const { origins, missing } = await findOrigins(repository, [site]);
  const [origin] = origins;
  if (origin !== undefined) return origin;
  throw new CommandError(
    `${visible(missing[0] ?? site)} is not monitored; maycrawl watch list prints the sites that are`,
  );
}

/** Lists the origins that a text can mean, the most probable first. */
function listOrigins(site: string): string[] {
  const origin = parseOrigin(site);
  if (hasScheme(site)) return [origin];
  return [...new Set([origin, ...['http', 'ftp'].map((scheme) => parseOrigin(`${scheme}://${site}`))])];
}

function requireName(name: string): string {
  if (name === '') throw new CommandError('--database is empty: give a path or a postgres:// URL');
  return name;
}
