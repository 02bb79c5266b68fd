// Finds the files that paths, folders, patterns and URLs name.

import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { checkOptions, requireStrings } from '@maycrawl/core/internal';
import { parseUrl } from '@maycrawl/core/url';
import { matchesNamePattern } from '../../files/name-pattern.ts';
import type { InputFile, InputFormat } from './task.ts';

/** The name of standard input. */
export const STANDARD_INPUT = '-';

/** Whether an input is read over HTTP. */
export function isRemote(path: string): boolean {
  return /^(?:https?|s3):\/\//i.test(path);
}

/** An input that does not exist, or of a format that is not known. */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly code = 'unusable-input';
}

/** An object of S3: its bucket and its key. */
const S3_URL = /^s3:\/\/([\w.-]+)\/(.+)$/is;
/** The longest name of a bucket, in characters. */
const MAX_BUCKET = 63;

/** The formats by the end of the name. */
const FORMATS: readonly (readonly [RegExp, InputFormat])[] = [
  [/\.warc(?:\.gz)?$/i, 'warc'],
  [/\.parquet$/i, 'parquet'],
  [/\.(?:tar|tar\.gz|tgz)$/i, 'tar'],
  [/\.(?:ndjson|jsonl)(?:\.gz)?$/i, 'ndjson'],
  [/\.(?:txt|robots)$/i, 'robots-txt'],
];

/**
 * Finds the files of inputs, in the order of the inputs; those of a folder or a pattern sorted by name.
 *
 * @param inputs - paths of files and folders, patterns with `*` in the last part, http, https and s3 URLs, or `-`.
 * @param options - `keepsMissing`: whether a file that does not exist is an input all the same. It cannot be read, and is reported
 *   with the others.
 * @throws {InputError} if an input does not exist, or its format is not known.
 */
export async function findInputs(
  inputs: readonly string[],
  options: { readonly keepsMissing?: boolean } = {},
): Promise<InputFile[]> {
  checkOptions<typeof options>('findInputs', options, { keepsMissing: 'boolean' });
  requireStrings('findInputs: inputs', inputs);
  const { keepsMissing = false } = options;
  const lists: InputFile[][] = [];
  for (const input of inputs) lists.push(await findInput(input, keepsMissing));
  return lists.flat();
}

async function findInput(input: string, keepsMissing: boolean): Promise<InputFile[]> {
  if (input === STANDARD_INPUT) return [{ path: input, format: 'warc', bytes: 0 }];
  if (isRemote(input)) return [createRemoteInput(input)];
  const found = await stat(input).catch(() => undefined);
  if (found?.isDirectory()) return listFolder(input, () => true);
  // To open a pipe waits for a writer, also if the user interrupts the command.
  if (found?.isFile() === false)
    throw new InputError(`${input}: neither a file nor a folder; - reads an archive from standard input`);
  if (found !== undefined) return [{ path: input, format: requireFormat(input), bytes: found.size }];
  const name = basename(input);
  const missing: InputFile[] = keepsMissing ? [{ path: input, format: requireFormat(input), bytes: 0 }] : [];
  if (!name.includes('*')) {
    if (keepsMissing) return missing;
    throw new InputError(`${input}: no such file or folder`);
  }
  const matched = await listFolder(dirname(input), (each) => matchesNamePattern(each, name)).catch(
    (error: unknown) => {
      if (keepsMissing) return missing;
      throw error;
    },
  );
  if (matched.length === 0 && !keepsMissing) throw new InputError(`${input}: no file matches`);
  return matched.length === 0 ? missing : matched;
}

/** Creates the input of a URL. Its length is not known before it is requested. */
function createRemoteInput(url: string): InputFile {
  if (/^s3:/i.test(url)) return createS3Input(url);
  const { pathname, username, password } = parseUrl(url) ?? {};
  if (pathname === undefined) throw new InputError(`${url}: not a URL`);
  if (username !== '' || password !== '')
    throw new InputError(
      'a URL with a user name or a password is not supported: it would be stored in the tables',
    );
  const format = requireFormat(pathname, url);
  if (format === 'robots-txt')
    throw new InputError(`${url}: not an archive; name sites with --sites to fetch their robots.txt`);
  return { path: url, format, bytes: 0 };
}

function createS3Input(url: string): InputFile {
  const [, bucket = '', key] = S3_URL.exec(url) ?? [];
  // In a URL, such parts of a key would be removed, and name another object.
  if (key === undefined || bucket.length > MAX_BUCKET || /(?:^|\/)\.{1,2}(?:\/|$)/.test(key))
    throw new InputError(`${url}: not s3://BUCKET/KEY`);
  const format = requireFormat(key, url);
  if (format === 'robots-txt') throw new InputError(`${url}: not an archive`);
  return { path: url, format, bytes: 0 };
}

/** Lists the files of a folder, and of the folders in it. Files of other formats, pipes, devices and links to folders are no inputs. */
async function listFolder(folder: string, isWanted: (name: string) => boolean): Promise<InputFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw new InputError(`${folder}: the folder cannot be read`, { cause });
  });
  const lists: InputFile[][] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (!isWanted(entry.name)) continue;
    if (entry.isDirectory()) lists.push(await listFolder(path, () => true));
    else {
      const format = getFormat(entry.name);
      if (format === undefined) continue;
      // A link to nothing is an input that cannot be read. It must not be in the way of all others.
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || found.isFile()) lists.push([{ path, format, bytes: found?.size ?? 0 }]);
    }
  }
  return lists.flat();
}

function requireFormat(path: string, input: string = path): InputFormat {
  const format = getFormat(path);
  if (format !== undefined) return format;
  throw new InputError(
    `${input}: unknown format; the name must end with .warc, .warc.gz, .ndjson, .jsonl, .parquet, .tar or .txt`,
  );
}

function getFormat(path: string): InputFormat | undefined {
  return FORMATS.find(([pattern]) => pattern.test(path))?.[1];
}
