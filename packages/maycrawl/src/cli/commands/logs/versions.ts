// The versions of a robots.txt that a log is judged by: a file, a folder of files, or the database of the monitor.
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { isPostgresUrl } from '@maycrawl/client/internal';
import { describeFileError } from '../../../files/file-error.ts';
import { Timeline, type Version } from '../../../logs/rules/timeline.ts';
import { visible } from '../../../text/printable.ts';
import { readTimeline, TimelineError } from '../../../watch/logs/site-timeline.ts';
import { readRobotsFile } from '../../input/file.ts';
import { CommandError } from '../../output/errors.ts';
import { withRepository } from '../watch/database.ts';
import type { LogsOptions } from './options.ts';

/** Files of a folder, and bytes of all versions, at most. */
const [MAX_FILES, MAX_BYTES] = [100_000, 256_000_000] as const;

/** The name of a file of a folder: the time from which it was served. */
const FILE_NAME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d)-(\d\d)(?:-(\d\d))?Z?)?\.txt$/;

/**
 * Reads the versions of each site. Without options there are none, and requests are not judged.
 *
 * @param origins - of the sites.
 * @throws {CommandError} if they cannot be read.
 */
export async function readTimelines(
  origins: readonly string[],
  { robots, watchDatabase }: LogsOptions,
): Promise<readonly Timeline[]> {
  if (robots !== undefined && watchDatabase !== undefined)
    throw new CommandError('use either --robots or --watch-database');
  if (watchDatabase !== undefined) return readMonitored(origins, watchDatabase);
  if (robots === undefined) return origins.map(() => new Timeline([]));
  const isFolder = robots !== '-' && (await stat(robots).catch(() => null))?.isDirectory() === true;
  if (!isFolder) {
    const version = {
      name: basename(robots),
      from: Number.NEGATIVE_INFINITY,
      body: await readRobotsFile(robots),
    };
    return origins.map(() => new Timeline([version]));
  }
  if (origins.length === 1) return [new Timeline(await readFolder(robots))];
  return Promise.all(
    origins.map(async (origin) => new Timeline(await readFolder(join(robots, new URL(origin).host)))),
  );
}

/** Reads a folder of versions. */
async function readFolder(folder: string): Promise<Version[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new CommandError(`cannot read ${visible(folder)}: ${describeFileError(cause)}`, { cause });
  });
  const files = names.filter((name) => name.endsWith('.txt'));
  const wrong = files.find((name) => parseFileName(name) === undefined);
  if (files.length === 0 || wrong !== undefined)
    throw new CommandError(
      `cannot read ${visible(folder)}: ${wrong === undefined ? 'it has no versions' : `${visible(wrong)} is no time`}; name each file by the time from which it was served, such as 2026-11-20T10-00-00Z.txt`,
    );
  if (files.length > MAX_FILES)
    throw new CommandError(`cannot read ${visible(folder)}: it has more than ${MAX_FILES} versions`);
  const versions: Version[] = [];
  let bytes = 0;
  for (const name of files) {
    const from = parseFileName(name) ?? 0;
    const body = await readRobotsFile(join(folder, name));
    bytes += body.length;
    requireSize(folder, bytes);
    versions.push({ name: new Date(from).toISOString().replace('.000Z', 'Z'), from, body });
  }
  return versions;
}

/** Parses the name of a file as a time in milliseconds since 1970; `undefined` if it is none. */
function parseFileName(name: string): number | undefined {
  const [, day, hour = '00', minute = '00', second = '00'] = FILE_NAME.exec(name) ?? [];
  const time = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}

function requireSize(name: string, bytes: number): void {
  if (bytes > MAX_BYTES)
    throw new CommandError(`cannot read ${visible(name)}: its versions have more than ${MAX_BYTES / 1e6} MB`);
}

/** Reads the versions of the monitor. */
async function readMonitored(origins: readonly string[], name: string): Promise<Timeline[]> {
  // Opening would create the file.
  if (!isPostgresUrl(name) && (await stat(name).catch(() => null)) === null)
    throw new CommandError(`cannot read ${visible(name)}: no such file`);
  return withRepository({ database: name }, async (_repository, _outbox, database) => {
    const timelines: Timeline[] = [];
    for (const origin of origins) {
      const timeline = await readTimeline(database, origin).catch((cause: unknown) => {
        if (!(cause instanceof TimelineError)) throw cause;
        throw new CommandError(`cannot read ${visible(name)}: ${visible(cause.message)}`, { cause });
      });
      if (timeline.versions.length === 0)
        throw new CommandError(`${visible(name)} has no versions of ${visible(origin)}: is it monitored?`);
      timelines.push(timeline);
    }
    return timelines;
  });
}
