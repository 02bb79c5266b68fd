// The logs that the command line names.
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { RecognizableCrawler } from '@maycrawl/core';
import { truncate } from '@maycrawl/core/internal';
import { describeFileError } from '../../../files/file-error.ts';
import { matchesNamePattern } from '../../../files/name-pattern.ts';
import { readFileChunks } from '../../../files/read-chunks.ts';
import { LogError } from '../../../logs/input/log-error.ts';
import type { LogSource } from '../../../logs/input/open-log.ts';
import { type LogFiles, readLogs } from '../../../logs/read-log.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { openStandardInput } from '../../input/standard-input.ts';
import { CommandError, type ErrorClasses, withCommandErrors } from '../../output/errors.ts';
import { createProgress } from '../../output/progress.ts';
import { keepHeapsSmall } from '../../v8-flags.ts';
import type { LogsOptions } from './options.ts';

/** Errors about a log that cannot be read, and about an invalid format. */
export const LOG_ERRORS: ErrorClasses = [LogError, RangeError];

/** The share of lines that may be unreadable. */
const MAX_UNPARSED_SHARE = 0.01;
/** Bytes of logs whose reading ends before much garbage is there. */
const SMALL_BYTES = 32 * 2 ** 20;
/** Characters of an unreadable line in a message. */
const MAX_QUOTED_CHARS = 100;

/** Logs, and the end of the progress that is shown while they are read. */
export interface OpenedLogs {
  readonly log: LogFiles;
  readonly finish: () => void;
}

/** Opens logs. @throws {CommandError} if one cannot be read, or an option is invalid. */
export async function openLogs(
  names: readonly string[],
  { format, clientIp, trustedProxies }: LogsOptions,
  crawlers: readonly RecognizableCrawler[],
): Promise<OpenedLogs> {
  if (names.filter((name) => name === '-').length > 1)
    throw new CommandError('- can stand for standard input only once');
  const files = (await Promise.all(names.map(findFiles))).flat();
  const isSizeKnown = files.every(({ size }) => size !== undefined);
  const total = files.reduce((sum, { size = 0 }) => sum + size, 0);
  if (!isSizeKnown || total > SMALL_BYTES) keepHeapsSmall();
  const progress = await createProgress('lines', isSizeKnown ? total : undefined);
  const log = await withCommandErrors(LOG_ERRORS, async () =>
    readLogs(files.map(toSource), {
      crawlers,
      ...(format !== undefined && { format }),
      ...(clientIp !== undefined && { clientIp, trustedProxies: trustedProxies ?? [] }),
      onRead: (bytes, lines) => {
        progress.read(bytes);
        progress.show(lines);
      },
    }),
  );
  return { log, finish: () => progress.finish() };
}

/** A file of the command line. */
interface NamedFile {
  readonly name: string;
  /** Bytes; `undefined` for standard input, pipes and devices, which can be read only once. */
  readonly size: number | undefined;
}

/** Finds the files of a name, which can be a pattern with `*` in its last part; those of a pattern are sorted by name. */
async function findFiles(name: string): Promise<NamedFile[]> {
  const pattern = basename(name);
  const isPattern = pattern.includes('*') && (await stat(name).catch(() => undefined)) === undefined;
  if (!isPattern) return [await examineFile(name)];
  const folder = dirname(name);
  const entries = await readdir(folder).catch((cause: unknown) => {
    throw new CommandError(`cannot read ${visible(name)}: ${describeFileError(cause)}`, { cause });
  });
  const matched = entries.filter((entry) => matchesNamePattern(entry, pattern)).sort();
  if (matched.length === 0) throw new CommandError(`cannot read ${visible(name)}: no file matches`);
  return Promise.all(matched.map((entry) => examineFile(join(folder, entry))));
}

async function examineFile(name: string): Promise<NamedFile> {
  if (name === '-') return { name, size: undefined };
  const stats = await stat(name).catch((cause: unknown) => {
    throw new CommandError(`cannot read ${visible(name)}: ${describeFileError(cause)}`, { cause });
  });
  if (stats.isDirectory())
    throw new CommandError(`cannot read ${visible(name)}: it is a directory, not a file`);
  return { name, size: stats.isFile() ? stats.size : undefined };
}

function toSource({ name, size }: NamedFile): LogSource {
  if (name === '-') return { name: 'standard input', open: openStandardInput, canReopen: false };
  return { name, open: () => readFileChunks(name), canReopen: size !== undefined };
}

/** Checks that most lines were read. @throws {CommandError} with the first lines that were not. */
export function requireReadable({ counts: { read, unparsed }, unparsedLines }: LogFiles): void {
  if (unparsed <= read * MAX_UNPARSED_SHARE) return;
  const lines = unparsedLines.map((line) => `"${visible(truncate(line, MAX_QUOTED_CHARS))}"`).join(', ');
  throw new CommandError(
    `${formatCount(unparsed)} of ${formatCount(read, 'line')} cannot be read: ${lines}; name their format with --format`,
  );
}
