// The folder of stored lists: `FOLDER/<name of the crawler>/2026-11-01.json`, the list that was fetched on this day (UTC), and its
// SHA-256 in `2026-11-01.json.sha256`, in the form of sha256sum. A list that a user wrote may have no digest, and may be text (`.txt`) or a
// geofeed (`.csv`).
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '@maycrawl/client/internal';
import type { RangeFormat } from '@maycrawl/core/crawlers';
import { replaceFile } from '../../files/replace-file.ts';
import { MAX_RANGE_BYTES, RangeFileError } from './range-file.ts';

const MAX_FILES = 200_000;
const LIST_NAME = /^(\d{4}-\d{2}-\d{2})\.(json|txt|csv)$/;
const FORMATS: Readonly<Record<string, RangeFormat>> = { json: 'json', txt: 'text', csv: 'geofeed' };

/** A file of the folder. */
export interface ListFile {
  /** The name of the crawler. */
  readonly crawler: string;
  /** The day from which the list is valid (UTC), such as `2026-11-01`. */
  readonly day: string;
  readonly path: string;
  readonly format: RangeFormat;
}

/** The content of a file. */
export interface ListContent {
  readonly bytes: Uint8Array;
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
}

/**
 * Lists the files of the folder, sorted by crawler and day. Other files are ignored.
 *
 * @throws {RangeFileError} if a folder cannot be read, has too many files, or two lists of one day.
 */
export async function listRangeFiles(folder: string): Promise<ListFile[]> {
  const files: ListFile[] = [];
  for (const entry of await readFolder(folder)) {
    const crawler = entry.isDirectory() ? toCrawler(entry.name) : undefined;
    if (crawler === undefined) continue;
    for (const { name } of await readFolder(join(folder, entry.name))) {
      const [, day = '', extension = ''] = LIST_NAME.exec(name) ?? [];
      const format = FORMATS[extension];
      if (format === undefined || Number.isNaN(Date.parse(day))) continue;
      files.push({ crawler, day, path: join(folder, entry.name, name), format });
      if (files.length > MAX_FILES)
        throw new RangeFileError('too-many-files', `the folder has more than ${MAX_FILES} lists`);
    }
  }
  files.sort((a, b) => compare(a.crawler, b.crawler) || compare(a.day, b.day));
  const twice = files.find((file, index) => {
    const before = files[index - 1];
    return before !== undefined && before.crawler === file.crawler && before.day === file.day;
  });
  if (twice !== undefined)
    throw new RangeFileError('invalid-name', `there are two lists of ${twice.crawler} of ${twice.day}`);
  return files;
}

/**
 * Reads a list of the folder.
 *
 * @throws {RangeFileError} if it cannot be read, is too large, or has another digest than the file beside it.
 */
export async function readListFile({ path, crawler, day }: ListFile): Promise<ListContent> {
  const owner = `the list of ${crawler} of ${day}`;
  const bytes = await readBounded(path, MAX_RANGE_BYTES, owner);
  const digest = toDigest(bytes);
  const beside = await readDigest(toDigestPath(path), owner);
  if (beside !== undefined && beside !== digest)
    throw new RangeFileError('digest-mismatch', `${owner} has another SHA-256 than the file beside it says`);
  return { bytes, digest };
}

/** Writes a list and its digest. Each file has the old or the new content at each moment. @throws {Error} of the system. */
export async function writeListFile(
  folder: string,
  { crawler, day, content }: { readonly crawler: string; readonly day: string; readonly content: string },
): Promise<void> {
  const owner = join(folder, toFolderName(crawler));
  makeFolder(owner);
  const name = `${day}.json`;
  const path = join(owner, name);
  // Between the two writes the list has no digest, rather than a wrong one.
  await rm(toDigestPath(path), { force: true });
  await replaceFile(path, content);
  await replaceFile(toDigestPath(path), `${toDigest(Buffer.from(content))}  ${name}\n`);
}

/** The SHA-256 of a list, in hexadecimal. */
export function toDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function toDigestPath(path: string): string {
  return `${path}.sha256`;
}

/** Names of crawlers come from files of users: they must not lead out of the folder. */
function toFolderName(crawler: string): string {
  const name = encodeURIComponent(crawler).replaceAll('%20', ' ').replaceAll('*', '%2A');
  return name.replace(/^\./, '%2E').replace(/[. ]$/, (last) => (last === '.' ? '%2E' : '%20'));
}

function toCrawler(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

async function readFolder(path: string) {
  return readdir(path, { withFileTypes: true }).catch((cause: unknown) => {
    throw new RangeFileError('unreadable', `cannot read the folder: ${getCode(cause)}`, { cause });
  });
}

async function readDigest(path: string, owner: string): Promise<string | undefined> {
  if ((await stat(path).catch(() => undefined)) === undefined) return undefined;
  const text = Buffer.from(await readBounded(path, 1_000, owner)).toString('latin1');
  return text.split(/\s/, 1)[0]?.toLowerCase();
}

async function readBounded(path: string, most: number, owner: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size <= most) {
      const bytes = await readFile(path);
      if (bytes.length <= most) return bytes;
    }
  } catch (cause) {
    throw new RangeFileError('unreadable', `cannot read ${owner}: ${getCode(cause)}`, { cause });
  }
  throw new RangeFileError('too-large', `${owner} has more than ${most} bytes`);
}

function getCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'an error of the system';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
