// The lines of a log that are new since the last reading: the rest of the file that was read last, which may have another name now or may
// be compressed, the files that were rotated since then, and the current file.
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LogError } from '../../logs/input/log-error.ts';
import type { LogSource } from '../../logs/input/open-log.ts';
import { LogFile, type TrackedFile } from './log-file.ts';
import { isCompressedName, isRotatedName, removeCompression } from './rotated-names.ts';

/** What is stored of a log until the next reading. */
export interface TrackedLog {
  /** When the current file was changed last, in nanoseconds since 1970. Rotated files that are older were read. */
  readonly changedAt: string;
  /** The files that were read: the current file is the last one. */
  readonly files: readonly TrackedFile[];
}

/** New lines, and the open files that have them. */
export interface NewLines {
  readonly sources: readonly LogSource[];
  /** Whether lines may be missing: the file that was read last is gone. */
  readonly hasGap: boolean;
  /** Returns what is stored, after all sources were read. */
  readonly track: () => Promise<TrackedLog>;
  readonly close: () => Promise<void>;
}

/** Rotated files that are open together, and files that stay in the database. */
const [MAX_OPEN, MAX_TRACKED] = [200, 100] as const;
/** A rotated file that was read can be written to until the server opens the new one, also with a clock that was put back. Nanoseconds. */
const TOLERANCE = 3_600_000_000_000n;
/** Attempts to open files that are renamed meanwhile. */
const MAX_ATTEMPTS = 10;

/**
 * Opens the new lines of a log.
 *
 * @param tracked - what was stored; `null` at the first reading, which reads the current file only.
 * @throws {LogError} if the current file cannot be read.
 */
export async function openNewLines(
  path: string,
  tracked: TrackedLog | null,
  signal: AbortSignal,
): Promise<NewLines> {
  const files = await openFiles(path, tracked, signal);
  const close = (): Promise<void> => closeFiles(files);
  try {
    const current = files.at(-1) as LogFile;
    const matches = await matchFiles(files, tracked?.files ?? []);
    const read: LogFile[] = [];
    for (const file of files)
      if (file === current || matches.has(file) || (await isUnread(file, current, tracked))) read.push(file);
    const sources: LogSource[] = [];
    for (const file of read) {
      const source = await file.continue(matches.get(file));
      if (source !== undefined) sources.push(source);
    }
    const last = tracked?.files.at(-1);
    const found = new Set(matches.values());
    return {
      sources,
      hasGap: last !== undefined && last.position > 0 && !found.has(last),
      track: async () => {
        const lost = (tracked?.files ?? []).filter((each) => !found.has(each));
        const own: TrackedFile[] = [];
        for (const file of read) own.push(await file.track());
        return { changedAt: String(current.changedAt), files: [...lost, ...own].slice(-MAX_TRACKED) };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether a rotated file that is not tracked was written since the last reading. */
async function isUnread(file: LogFile, current: LogFile, tracked: TrackedLog | null): Promise<boolean> {
  return file.changedAt >= BigInt(tracked?.changedAt ?? 0) && !(await file.isCopyOf(current));
}

/** Opens the rotated files that may have new lines, the oldest first, and the current file as the last one. */
async function openFiles(path: string, tracked: TrackedLog | null, signal: AbortSignal): Promise<LogFile[]> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const files = [await LogFile.open(path, signal)];
    try {
      const names = tracked === null ? [] : await listRotated(path);
      const missing = tracked === null ? [] : await openRotated(files, names, tracked, signal);
      if (await isUnchanged(files, missing, tracked === null ? null : names)) return files;
    } catch (error) {
      await closeFiles(files);
      throw error;
    }
    await closeFiles(files);
  }
  throw new LogError('unreadable', `cannot read ${path}: its files are renamed all the time`);
}

/** Lists the names of rotated files. A folder that cannot be listed has none: if the log is rotated, that is a gap. */
async function listRotated(path: string): Promise<string[]> {
  const entries = await readdir(dirname(path)).catch(() => [] as string[]);
  const names = new Set(entries.filter((name) => isRotatedName(basename(path), name)));
  // While a file is being compressed, both files are there.
  return [...names].filter((name) => !isCompressedName(name) || !names.has(removeCompression(name))).sort();
}

/** Opens rotated files, and adds them before the current one. @returns the paths of those that are gone. */
async function openRotated(
  files: LogFile[],
  names: readonly string[],
  { changedAt }: TrackedLog,
  signal: AbortSignal,
): Promise<string[]> {
  const missing: string[] = [];
  const current = files[0] as LogFile;
  const since = BigInt(changedAt) - TOLERANCE;
  for (const name of names) {
    const path = join(dirname(current.path), name);
    let file: LogFile;
    try {
      file = await LogFile.open(path, signal);
    } catch (error) {
      // Others are such as this user may not read.
      if (isMissing(error)) missing.push(path);
      continue;
    }
    // The log can be a link to a file with the name of a rotated one.
    if (file.changedAt < since || files.some((each) => each.hasInode(file))) await file.close();
    else files.unshift(file);
    if (files.length <= MAX_OPEN) continue;
    const oldest = files.slice(0, -1).sort(compareTimes)[0] as LogFile;
    files.splice(files.indexOf(oldest), 1);
    await oldest.close();
  }
  files.splice(0, files.length, ...files.slice(0, -1).sort(compareTimes), current);
  return missing;
}

/** Whether files still have their names, and no other ones were rotated meanwhile. */
async function isUnchanged(
  files: readonly LogFile[],
  missing: readonly string[],
  names: readonly string[] | null,
): Promise<boolean> {
  const [{ path }] = files.slice(-1) as [LogFile];
  if (names !== null && (await listRotated(path)).join('\0') !== names.join('\0')) return false;
  for (const file of files) {
    const stats = await stat(file.path, { bigint: true }).catch(() => null);
    if (stats === null || !file.hasInode({ dev: String(stats.dev), ino: String(stats.ino) })) return false;
  }
  for (const each of missing) if ((await stat(each).catch(() => null)) !== null) return false;
  return true;
}

function isMissing(error: unknown): boolean {
  return ((error as LogError).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}

async function closeFiles(files: readonly LogFile[]): Promise<void> {
  for (const file of files) await file.close();
}

function compareTimes(a: LogFile, b: LogFile): number {
  if (a.changedAt === b.changedAt) return a.path < b.path ? 1 : -1;
  return a.changedAt < b.changedAt ? -1 : 1;
}

/** Finds the tracked files: by device and inode, then by their first bytes. */
async function matchFiles(
  files: readonly LogFile[],
  tracked: readonly TrackedFile[],
): Promise<ReadonlyMap<LogFile, TrackedFile>> {
  const matches = new Map<LogFile, TrackedFile>();
  const rest = new Set([...tracked].reverse());
  const match = async (canBe: (file: LogFile, each: TrackedFile) => boolean): Promise<void> => {
    for (const file of files) {
      if (matches.has(file)) continue;
      for (const each of rest) {
        if (!canBe(file, each) || !(await canFit(file, each))) continue;
        matches.set(file, each);
        rest.delete(each);
        break;
      }
    }
  };
  await match((file, each) => each.head.bytes > 0 && file.hasInode(each));
  await match((_file, each) => each.head.bytes > 0);
  // A file of which nothing was read has no first bytes. Last, because the inode of a deleted file is used again.
  await match((file, each) => !file.isCompressed && file.hasInode(each));
  return matches;
}

async function canFit(file: LogFile, each: TrackedFile): Promise<boolean> {
  try {
    return await file.fits(each);
  } catch (error) {
    // A compressed file that is damaged, or is being written.
    if (file.isCompressed) return false;
    throw error;
  }
}
