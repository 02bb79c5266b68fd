/**
 * Where many URLs are written: in a list, in a sitemap, or in the sitemaps that an index names (sitemaps.org).
 *
 * @module
 */
import { createReadStream } from 'node:fs';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { readStart } from '@maycrawl/client/streams';
import { CommandError, describeFileError } from '../output/errors.ts';
import { visible } from '../output/terminal.ts';
import type { ReadingOptions } from './source.ts';
import { standardInput } from './standard-input.ts';

/** How files on sites are asked for. The timeout is seconds for each, as they were written. */
export type Asking = Pick<ReadingOptions, 'userAgent' | 'timeout' | 'allowPrivate' | 'offline'>;

/** How the files of one list are read. */
type Reading = Asking & {
  /** URLs that may be on private addresses. */
  readonly openOrigins: readonly string[];
};

/** How much is read. */
export interface Limits {
  /** The bytes of one file, as it comes and unpacked. */
  readonly fileBytes: number;
  /** The bytes of all files, unpacked. */
  readonly bytes: number;
  /** The sitemaps in an index. */
  readonly sitemaps: number;
  /** The URLs of all files. */
  readonly urls: number;
}

/** A sitemap has at most 50 MiB, and an index 50,000 sitemaps (sitemaps.org). All of those would have 2,500,000,000 URLs. */
export const LIMITS: Limits = {
  fileBytes: 50 * 2 ** 20,
  bytes: 2 ** 30,
  sitemaps: 50_000,
  urls: 2_000_000,
};

/** What a file has: URLs, or, if it is an index, where sitemaps are. */
interface Content {
  readonly isIndex: boolean;
  readonly locations: readonly string[];
  readonly bytes: number;
}

/**
 * Reads URLs, those of each file together.
 *
 * @param list - a path, `-` or an http or https URL: a list with one URL a line, a sitemap, or an index of sitemaps. Each may be
 *   compressed with gzip.
 * @throws {CommandError} if one of them cannot be read, or they are more than the limits allow.
 */
export async function* readUrls(
  list: string,
  asking: Asking,
  limits: Limits = LIMITS,
): AsyncGenerator<readonly string[]> {
  // The list was named by the operator, and may be on a private address. What it names comes from outside.
  const reading = { ...asking, openOrigins: isFetchable(list) ? [list] : [] };
  const first = await readContent(list, reading, limits);
  const contents = first.isIndex ? readSitemaps(list, first.locations, reading, limits) : [first];
  let [bytes, urls] = [0, 0];
  for await (const { locations, ...content } of contents) {
    bytes += content.bytes;
    urls += locations.length;
    if (bytes > limits.bytes)
      throw new CommandError(`the sitemaps of ${visible(list)} have more than ${limits.bytes} bytes`);
    if (urls > limits.urls) throw new CommandError(`${visible(list)} has more than ${limits.urls} URLs`);
    yield locations;
  }
}

/** Reads the sitemaps that an index names, one after the other. */
async function* readSitemaps(
  index: string,
  locations: readonly string[],
  asking: Reading,
  limits: Limits,
): AsyncGenerator<Content> {
  const sitemaps = new Set(locations);
  if (sitemaps.size > limits.sitemaps)
    throw new CommandError(`${visible(index)} names more than ${limits.sitemaps} sitemaps`);
  const wrong = locations.find((location) => !isFetchable(location));
  if (wrong !== undefined)
    throw new CommandError(`${visible(index)} names "${visible(wrong)}", which is no http or https URL`);
  for (const sitemap of sitemaps) {
    const content = await readContent(sitemap, asking, limits);
    if (content.isIndex)
      throw new CommandError(`${visible(sitemap)} is an index of sitemaps in another: give it by itself`);
    yield content;
  }
}

function isFetchable(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

async function readContent(name: string, asking: Reading, { fileBytes }: Limits): Promise<Content> {
  const bytes = await unpack(name, await readBytes(name, asking, fileBytes), fileBytes);
  const text = bytes.toString();
  if (/^\ufeff?\s*</.test(text)) return { ...(await readSitemap(name, text)), bytes: bytes.length };
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  const locations = lines.map((line) => line.trim()).filter((line) => line !== '');
  return { isIndex: false, locations, bytes: bytes.length };
}

async function readBytes(name: string, asking: Reading, maxBytes: number): Promise<Uint8Array> {
  const bytes = isFetchable(name)
    ? await fetchBytes(name, asking, maxBytes)
    : await readFileBytes(name, maxBytes);
  if (bytes.length > maxBytes) throw tooLong(name, maxBytes);
  return bytes;
}

async function readFileBytes(name: string, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readStart(name === '-' ? standardInput() : createReadStream(name), maxBytes + 1);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`cannot read ${visible(name)}: ${describeFileError(cause)}`, { cause });
  }
}

async function fetchBytes(url: string, asking: Reading, maxBytes: number): Promise<Uint8Array> {
  const { userAgent, timeout = '30', allowPrivate, offline, openOrigins } = asking;
  if (offline) throw new CommandError(`cannot fetch ${visible(url)}: --offline asks nobody`);
  // Loaded late: the HTTP client takes a while to load.
  const [{ fetchRobotsTxt }, { createAddressPolicy }] = await Promise.all([
    import('@maycrawl/client'),
    import('@maycrawl/client/http'),
  ]);
  // A robots.txt is small; so much may take as long as it is given.
  const whole = Math.round(Number(timeout) * 1000);
  const options = { userAgent, maxBytes, timeout: whole, deadlines: { body: whole } };
  try {
    const addressPolicy = createAddressPolicy({ allowPrivate, openOrigins });
    const outcome = await fetchRobotsTxt(url, { ...options, addressPolicy });
    if (outcome.kind === 'found') return outcome.bytes;
    throw new CommandError(`cannot fetch ${visible(url)}: ${visible(outcome.reason)}`);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`cannot fetch ${visible(url)}: ${visible((cause as Error).message)}`, { cause });
  }
}

async function unpack(name: string, bytes: Uint8Array, maxBytes: number): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: maxBytes });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(name, maxBytes);
    throw new CommandError(`cannot read ${visible(name)}: ${(cause as Error).message}`, { cause });
  }
}

function tooLong(name: string, maxBytes: number): CommandError {
  return new CommandError(`cannot read ${visible(name)}: it has more than ${maxBytes} bytes`);
}

/** The first elements of what names URLs, and of what names sitemaps. */
const ROOTS: readonly string[] = ['urlset', 'sitemapindex', 'rss', 'RDF', 'feed'];

/** @throws {CommandError} for what is no sitemap, or not all of one: what is missing in it would count as URLs that do not change. */
async function readSitemap(name: string, text: string): Promise<Omit<Content, 'bytes'>> {
  // Loaded late: most calls read no XML.
  const { MAX_ENTRY_CHARS, SitemapText } = await import('../../audit/crawl/sitemap-text.ts');
  const locations: string[] = [];
  let [pages, sitemaps] = [0, 0];
  const wrong = (problem: string): CommandError =>
    new CommandError(`cannot read ${visible(name)}: ${problem}`);
  const sitemap = new SitemapText(({ kind, text: location }) => {
    if (location.length >= MAX_ENTRY_CHARS)
      throw wrong(`it names a URL of more than ${MAX_ENTRY_CHARS} characters`);
    if (kind === 'page') pages++;
    else sitemaps++;
    locations.push(location);
  });
  try {
    sitemap.write(text);
    sitemap.end();
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw wrong(visible((cause as Error).message));
  }
  if (!ROOTS.includes(sitemap.root)) throw new CommandError(`${visible(name)} is XML, but no sitemap`);
  if (sitemap.isBroken) throw wrong('it ends in the midst of an element');
  const isIndex = sitemap.root === 'sitemapindex';
  if (isIndex && pages > 0) throw wrong('it is an index of sitemaps, but names pages');
  if (!isIndex && sitemaps > 0) throw wrong('it is a sitemap, but names further sitemaps');
  return { isIndex, locations };
}
