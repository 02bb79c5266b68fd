// `maycrawl watch logs`: access logs that are read on a schedule.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describeFileError } from '../../../files/file-error.ts';
import { findFormat } from '../../../logs/formats/find-format.ts';
import { readRangeStore } from '../../../logs/identity/range-store.ts';
import { formatTime } from '../../../reports/policy.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { LogRepository } from '../../../watch/logs/log-repository.ts';
import { type LogSettings, readLogSettings } from '../../../watch/logs/log-settings.ts';
import { readWatchedLog, type WatchedLog } from '../../../watch/logs/log-state.ts';
import { isCompressedName } from '../../../watch/logs/rotated-names.ts';
import type { LogRow } from '../../../watch/storage/tables.ts';
import { formatDuration } from '../../input/duration.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { withRangeErrors } from '../logs/ranges.ts';
import { requireOrigin, withRepository } from './database.ts';
import type { DatabaseOptions, WatchLogsOptions } from './options.ts';

/**
 * Adds or removes a log, or lists the logs.
 *
 * @returns the exit code: 0; without a path 1 if the last reading of a log failed or is incomplete.
 * @throws {CommandError} if an option is invalid, or a file cannot be read.
 */
export async function watchLogs(path: string | undefined, options: WatchLogsOptions): Promise<number> {
  if (path === undefined) {
    if (options.remove || options.site !== undefined)
      throw new CommandError('name the access log, such as /var/log/nginx/access.log');
    return listLogs(options);
  }
  if (path === '' || path === '-') throw new CommandError('name the file of an access log');
  return options.remove ? removeLog(resolve(path), options) : addLog(resolve(path), options);
}

async function addLog(path: string, { site, every, ...options }: WatchLogsOptions): Promise<number> {
  if (site === undefined) throw new CommandError('--site is required: the monitored site of the log');
  await requireLog(path);
  const settings = await createSettings(every, options);
  return withRepository(options, async (repository, _outbox, database) => {
    const origin = await requireOrigin(repository, site);
    await new LogRepository(database).add({ origin, path }, settings, Date.now());
    printLine(
      `${visible(path)} of ${visible(origin)} read every ${formatDuration(every)}, first now; maycrawl watch run reads it`,
    );
    return 0;
  });
}

/** @throws {CommandError} if a path is not that of a log that grows. */
async function requireLog(path: string): Promise<void> {
  const stats = await stat(path).catch((cause: unknown) => {
    throw new CommandError(`cannot read ${visible(path)}: ${describeFileError(cause)}`, { cause });
  });
  if (!stats.isFile()) throw new CommandError(`cannot read ${visible(path)}: it is not a file`);
  if (isCompressedName(path))
    throw new CommandError(
      `${visible(path)} is a rotated file: name the log that the server writes; its rotated files are read, too`,
    );
}

async function createSettings(
  every: number,
  { format, ranges, clientIp, trustedProxies = [] }: Omit<WatchLogsOptions, 'site' | 'every'>,
): Promise<LogSettings> {
  if (clientIp === undefined && trustedProxies.length > 0)
    throw new CommandError('--trusted-proxies requires --client-ip');
  const folder = ranges === undefined ? undefined : resolve(ranges);
  if (folder !== undefined) await withRangeErrors(folder, () => readRangeStore(folder));
  try {
    if (format !== undefined)
      findFormat(format).createReader({
        recognizeCrawler: () => undefined,
        ...(clientIp !== undefined && { clientIp: { field: clientIp, trustedProxies } }),
      });
  } catch (cause) {
    if (cause instanceof RangeError) throw new CommandError(visible(cause.message), { cause });
    throw cause;
  }
  return {
    every,
    ...(format !== undefined && { format }),
    ...(folder !== undefined && { ranges: folder }),
    ...(clientIp !== undefined && { clientIp, trustedProxies }),
  };
}

async function removeLog(path: string, options: WatchLogsOptions): Promise<number> {
  return withRepository(options, async (repository, _outbox, database) => {
    const { site } = options;
    const origin = site === undefined ? undefined : await requireOrigin(repository, site);
    const count = await new LogRepository(database).remove(path, origin);
    if (count === 0)
      throw new CommandError(`${visible(path)} is not read; maycrawl watch logs prints the logs`);
    printLine(`${visible(path)} of ${formatCount(count, 'site')} no longer read`);
    return 0;
  });
}

async function listLogs(options: DatabaseOptions): Promise<number> {
  return withRepository(options, async (_repository, _outbox, database) => {
    const rows = await new LogRepository(database).list();
    if (options.json) for (const row of rows) printJson(toReport(row));
    else {
      const { printTable } = await import('../../output/table.ts');
      printTable(['site', 'log', 'every', 'next (UTC)', 'lines', 'crawlers', 'result'], rows.map(toCells));
    }
    return rows.some(({ failure }) => failure !== null) ? 1 : 0;
  });
}

function toReport(row: LogRow): object {
  const { origin, path, machine, due_at, last_at, failure } = row;
  const log = readState(row);
  const crawlers = (log?.crawlers ?? []).map(([crawler, { requests, lastSeen }]) => ({
    ...{ crawler, requests },
    lastSeen: formatTime(lastSeen),
  }));
  return {
    ...{ origin, path, machine: machine === '' ? null : machine, settings: readLogSettings(row.settings) },
    ...{ dueAt: formatTime(due_at), lastAt: formatTime(last_at), failure },
    ...{ lines: log?.lines ?? 0, crawlers: crawlers.sort((a, b) => b.requests - a.requests) },
  };
}

function toCells(row: LogRow): string[] {
  const { origin, path, machine, due_at, last_at, failure } = row;
  const settings = readLogSettings(row.settings);
  const log = readState(row);
  return [
    visible(origin),
    visible(machine === '' ? path : `${machine}:${path}`),
    settings === null ? 'damaged' : formatDuration(settings.every),
    formatTime(due_at) ?? '-',
    formatCount(log?.lines ?? 0),
    formatCount(log?.crawlers.length ?? 0),
    visible(failure ?? (last_at === null ? '-' : 'complete')),
  ];
}

/** A damaged state is reported when the log is read. */
function readState({ state }: LogRow): WatchedLog | null {
  try {
    return readWatchedLog(state);
  } catch {
    return null;
  }
}
