// Where directories of keys are from: a folder, or the well-known URL of the agent.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DIRECTORY_PATH,
  type KeyDirectory,
  MAX_DIRECTORY_BYTES,
  parseKeyDirectory,
} from '@maycrawl/client/internal';
import { LRUCache } from 'lru-cache';
import {
  DocumentError,
  type DocumentRequestOptions,
  DocumentRequests,
} from '../../../documents/document-requests.ts';

const MAX_ORIGINS = 1_000;
const MAX_FILES = 10_000;

/** Finds the keys of an agent. */
export interface KeySource {
  /** @param origin - of the agent, such as `https://bot.example`. @returns `undefined` if its keys are unknown. */
  get(origin: string): KeyDirectory | undefined | Promise<KeyDirectory | undefined>;
}

/** A folder of keys cannot be read. The message is one line. */
export class KeyFolderError extends Error {
  override readonly name = 'KeyFolderError';
  readonly code = 'invalid-keys';
}

/**
 * Reads a folder of directories: `FOLDER/<host>.json`, with the port if it is not 443.
 *
 * @throws {KeyFolderError} if the folder or one of the files cannot be read.
 */
export async function readKeyFolder(folder: string): Promise<KeySource> {
  const directories = new Map<string, KeyDirectory>();
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
    if (names.length > MAX_FILES) throw new KeyFolderError(`the folder has more than ${MAX_FILES} files`);
    for (const name of names) directories.set(toOrigin(name), await readDirectory(join(folder, name), name));
  } catch (cause) {
    if (cause instanceof KeyFolderError) throw cause;
    const { code = 'an error of the system' } = cause as NodeJS.ErrnoException;
    throw new KeyFolderError(`cannot read the folder of keys: ${code}`, { cause });
  }
  return { get: (origin) => directories.get(origin) };
}

/** The name of the file of an origin is its host. */
function toOrigin(name: string): string {
  const host = name.slice(0, -'.json'.length);
  const url = URL.canParse(`https://${host}`) ? new URL(`https://${host}`) : undefined;
  if (url === undefined || url.host !== host.toLowerCase())
    throw new KeyFolderError('the name of a file of keys is no host with .json');
  return url.origin;
}

async function readDirectory(path: string, name: string): Promise<KeyDirectory> {
  const directory =
    (await stat(path)).size > MAX_DIRECTORY_BYTES ? undefined : parseKeyDirectory(await readFile(path));
  if (directory === undefined) throw new KeyFolderError(`${name} is no set of JSON Web Keys`);
  return directory;
}

/** A source that fetches directories. The caller closes it. */
export interface KeyFetcher extends KeySource {
  close(): Promise<void>;
}

/**
 * Creates a source that fetches directories: only a response with the status 200, without redirects. Each origin is requested once.
 *
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 */
export function createKeyFetcher(options: DocumentRequestOptions): KeyFetcher {
  const requests = new DocumentRequests(options);
  const cache = new LRUCache<string, { readonly directory: Promise<KeyDirectory | undefined> }>({
    max: MAX_ORIGINS,
  });
  const fetchDirectory = async (origin: string): Promise<KeyDirectory | undefined> => {
    try {
      const limits = { maxBytes: MAX_DIRECTORY_BYTES, maxRedirects: 0 };
      return parseKeyDirectory(await requests.get(origin + DIRECTORY_PATH, limits));
    } catch (error) {
      if (error instanceof DocumentError) return undefined;
      throw error;
    }
  };
  return {
    get: (origin) => {
      const cached = cache.get(origin) ?? { directory: fetchDirectory(origin) };
      cache.set(origin, cached);
      return cached.directory;
    },
    close: () => requests.close(),
  };
}
