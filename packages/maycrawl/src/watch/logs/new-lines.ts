// The lines of a log that are new since the last reading: the rest of the file that was read last, which may have another name now or may
// be compressed, the files that were rotated since then, and the current file.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
  const files: LogFile[] = [];
  const close = async (): Promise<void> => {
    for (const file of files) await file.close();
  };
  try {
    const current = await LogFile.open(path, signal);
    files.push(current);
    if (tracked !== null) files.unshift(...(await openRotated(current, tracked, signal)));
    const matches = await matchFiles(files, tracked?.files ?? []);
    const isNew = (file: LogFile): boolean =>
      file === current || matches.has(file) || file.changedAt >= BigInt(tracked?.changedAt ?? 0);
    const read = files.filter(isNew);
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

/** Opens the rotated files of a log that may have new lines, the oldest first. */
async function openRotated(
  current: LogFile,
  { changedAt }: TrackedLog,
  signal: AbortSignal,
): Promise<LogFile[]> {
  const [folder, log] = [dirname(current.path), basename(current.path)];
  // A folder that cannot be listed has no rotated files: if the log is rotated, that is a gap.
  const entries = await readdir(folder).catch(() => [] as string[]);
  const names = new Set(entries.filter((name) => isRotatedName(log, name)));
  // While a file is being compressed, both files are there.
  const wanted = [...names].filter((name) => !isCompressedName(name) || !names.has(removeCompression(name)));
  const files: LogFile[] = [];
  for (const name of wanted) {
    const file = await LogFile.open(join(folder, name), signal).catch(() => undefined);
    if (file === undefined) continue;
    if (file.hasInode(current) || file.changedAt < BigInt(changedAt) - TOLERANCE) await file.close();
    else files.push(file);
    if (files.length <= MAX_OPEN) continue;
    files.sort(compareTimes);
    await files.shift()?.close();
  }
  return files.sort(compareTimes);
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
  await match((file, each) => file.hasInode(each));
  // A file of which nothing was read has no first bytes.
  await match((_file, each) => each.head.bytes > 0);
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
