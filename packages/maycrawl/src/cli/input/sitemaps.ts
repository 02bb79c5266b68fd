// Reads lists of URLs: a text, a sitemap, or the sitemaps that an index names (sitemaps.org).
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { ConnectionPool } from '@maycrawl/client/internal';
import { describeFileError } from '../../files/file-error.ts';
import { visible } from '../../text/printable.ts';
import type { ReadingOptions } from '../options/fetch-options.ts';
import { CommandError, createFetchError } from '../output/errors.ts';
import { formatDuration } from './duration.ts';
import { openStandardInput } from './standard-input.ts';

/** How files on sites are requested. */
export interface FetchingOptions
  extends Pick<ReadingOptions, 'userAgent' | 'timeout' | 'allowPrivate' | 'offline'> {
  /** Its abort ends the requests. @defaultValue they end by themselves */
  readonly signal?: AbortSignal;
}

export interface Limits {
  /** Bytes of one file, compressed and decompressed. */
  readonly fileBytes: number;
  /** Bytes of all files, decompressed. */
  readonly bytes: number;
  /** Sitemaps of an index. */
  readonly sitemaps: number;
  readonly urls: number;
  /** Milliseconds for all files. */
  readonly time: number;
}

/**
 * A sitemap has at most 50 MiB, and an index 50,000 sitemaps (sitemaps.org). All of those would have 2,500,000,000 URLs, and could take
 * weeks.
 */
export const LIMITS: Limits = {
  ...{ fileBytes: 50 * 2 ** 20, bytes: 2 ** 30, sitemaps: 50_000, urls: 2_000_000 },
  time: 2 * 3_600_000,
};

/** What a decoder has in place of bytes that are not UTF-8. */
const REPLACEMENT = '\ufffd';

/** The content of one file: URLs of pages, or of sitemaps if it is an index. */
interface Content {
  readonly isIndex: boolean;
  readonly locations: readonly string[];
  readonly bytes: number;
}

/** Opens a file or a URL. */
type Open = (name: string) => Promise<Readable>;

/**
 * Reads the URLs of a list, file by file.
 *
 * @param list - a path, `-` or an http or https URL: a list with one URL a line, a sitemap, a feed, or an index of sitemaps. Each may
 *   be compressed with gzip.
 * @param opened - the file if it is open already.
 * @throws {CommandError} if a file cannot be read, or exceeds the limits.
 */
export async function* readUrls(
  list: string,
  fetching: FetchingOptions,
  limits: Limits = LIMITS,
  opened?: Readable,
): AsyncGenerator<readonly string[]> {
  let pool: Promise<ConnectionPool> | undefined;
  const start = performance.now();
  const openAny: Open = async (name) => {
    if (performance.now() - start > limits.time)
      throw new CommandError(
        `reading the sitemaps of ${visible(list)} takes more than ${formatDuration(limits.time)}`,
      );
    if (name === list && opened !== undefined) return opened;
    if (!isFetchable(name)) return openFile(name);
    pool ??= createPool(list, fetching);
    return openUrl(name, await pool, fetching, limits);
  };
  try {
    const first = await readContent(list, openAny, limits);
    const contents = first.isIndex ? readSitemaps(list, first.locations, openAny, limits) : [first];
    let [bytes, urls] = [0, 0];
    for await (const { locations, ...content } of contents) {
      bytes += content.bytes;
      urls += locations.length;
      if (bytes > limits.bytes)
        throw new CommandError(`the sitemaps of ${visible(list)} have more than ${limits.bytes} bytes`);
      if (urls > limits.urls) throw new CommandError(`${visible(list)} has more than ${limits.urls} URLs`);
      yield locations;
    }
  } finally {
    await (await pool)?.close();
  }
}

/** Reads the sitemaps that an index names, one after the other. */
async function* readSitemaps(
  index: string,
  locations: readonly string[],
  open: Open,
  limits: Limits,
): AsyncGenerator<Content> {
  const sitemaps = new Set(locations);
  if (sitemaps.size > limits.sitemaps)
    throw new CommandError(`${visible(index)} names more than ${limits.sitemaps} sitemaps`);
  const wrong = locations.find((location) => !isFetchable(location));
  if (wrong !== undefined)
    throw new CommandError(`${visible(index)} names "${visible(wrong)}", which is not an http or https URL`);
  for (const sitemap of sitemaps) {
    const content = await readContent(sitemap, open, limits);
    if (content.isIndex)
      throw new CommandError(`${visible(sitemap)} is an index within an index: give it as the list`);
    yield content;
  }
}

export function isFetchable(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

/** Reads a file. @throws {CommandError} if it is not a complete sitemap: missing URLs would count as unchanged. */
async function readContent(name: string, open: Open, { fileBytes, urls }: Limits): Promise<Content> {
  // Loaded late: most calls of the command read no list.
  const { MAX_ENTRY_CHARS, readSitemap, SitemapError } = await import('@maycrawl/client/sitemap');
  const locations: string[] = [];
  let [pages, sitemaps] = [0, 0];
  const body = await open(name);
  const pieces = readSitemap(body, { bytes: fileBytes, entries: Number.POSITIVE_INFINITY });
  try {
    for (;;) {
      const { value, done } = await pieces.next();
      if (done) {
        const { root, isSitemap, isComplete, bytes } = value;
        if (!isSitemap) throw new CommandError(`${visible(name)} is XML, but not a sitemap`);
        if (!isComplete) throw unreadable(name, 'it ends inside an element');
        const isIndex = root === 'sitemapindex';
        if (isIndex && pages > 0) throw unreadable(name, 'it is a sitemap index, but lists pages');
        if (!isIndex && sitemaps > 0) throw unreadable(name, 'it is a sitemap, but lists sitemaps');
        return { isIndex, locations, bytes };
      }
      if (locations.length + value.length > urls) throw unreadable(name, `it has more than ${urls} URLs`);
      for (const { kind, text } of value) {
        if (text.length >= MAX_ENTRY_CHARS)
          throw unreadable(name, `it has a URL of more than ${MAX_ENTRY_CHARS} characters`);
        if (text.includes(REPLACEMENT)) throw unreadable(name, `it has a URL that is not UTF-8: ${text}`);
        if (kind === 'page') pages++;
        else sitemaps++;
        locations.push(text);
      }
    }
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    if (cause instanceof SitemapError) throw unreadable(name, `it has ${cause.message}`);
    const isFileError = (cause as NodeJS.ErrnoException).syscall !== undefined;
    throw unreadable(name, isFileError ? describeFileError(cause) : (cause as Error).message, cause);
  } finally {
    body.destroy();
  }
}

async function openFile(name: string): Promise<Readable> {
  return name === '-' ? openStandardInput() : createReadStream(name);
}

async function createPool(list: string, { timeout, allowPrivate }: FetchingOptions): Promise<ConnectionPool> {
  // Loaded late: the HTTP client takes a while to load.
  const { ConnectionPool, createAddressPolicy } = await import('./http-client.ts');
  // The operator named the list, so it may be on a private address. Its content is untrusted.
  const openOrigins = isFetchable(list) ? [list] : [];
  return new ConnectionPool({
    connections: 1,
    timeout,
    addressPolicy: createAddressPolicy({ allowPrivateAddresses: allowPrivate, openOrigins }),
  });
}

async function openUrl(
  url: string,
  pool: ConnectionPool,
  { userAgent, offline, signal = new AbortController().signal }: FetchingOptions,
  { fileBytes }: Limits,
): Promise<Readable> {
  if (offline) throw new CommandError(`cannot fetch ${visible(url)}: --offline sends no request`);
  const [{ openSitemap }, { ACCEPT_ENCODING }] = await Promise.all([
    import('@maycrawl/client/sitemap'),
    import('./http-client.ts'),
  ]);
  const headers = { 'user-agent': userAgent, accept: '*/*', 'accept-encoding': ACCEPT_ENCODING };
  try {
    return await openSitemap(url, {
      request: (next) => pool.stream(next, { headers, maxBytes: fileBytes }, signal),
      // The operator names the list, so robots.txt does not apply.
      findRefusal: () => null,
    });
  } catch (cause) {
    throw createFetchError(url, cause);
  }
}

function unreadable(name: string, problem: string, cause?: unknown): CommandError {
  return new CommandError(`cannot read ${visible(name)}: ${visible(problem)}`, { cause });
}
