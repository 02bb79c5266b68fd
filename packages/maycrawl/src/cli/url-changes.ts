/**
 * Which URLs of a list, or of a sitemap, have another verdict by one file than by another.
 *
 * @module
 */
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { RobotsTxt } from '@maycrawl/core';
import { CommandError, describeFileError } from './errors.ts';
import type { NamedCrawler } from './options.ts';
import { standardInput } from './standard-input.ts';
import { visible } from './terminal.ts';

/** A sitemap has at most 50 MiB (sitemaps.org); a list may be as long. */
const MAX_BYTES = 50 * 1024 * 1024;
const FETCH_TIMEOUT = 60_000;

/** A URL whose verdict changes for a crawler. */
export interface UrlChange {
  readonly url: string;
  readonly agent: string;
  readonly direction: 'blocked' | 'allowed';
}

/**
 * Decides about all URLs of a list by two files.
 *
 * @param list - a path, `-` or a URL: a list with one URL a line, or a sitemap in XML, which may be compressed with gzip.
 * @throws {CommandError} if it cannot be read.
 */
export async function compareUrls(
  list: string,
  before: RobotsTxt,
  after: RobotsTxt,
  crawlers: readonly NamedCrawler[],
): Promise<UrlChange[]> {
  const urls = await readUrls(list);
  const changes: UrlChange[] = [];
  for (const { name, crawler } of crawlers) {
    const [was, is] = [before.ruleset(crawler), after.ruleset(crawler)];
    for (const url of urls) {
      const [old, now] = [was.decide(url), is.decide(url)];
      if (old.kind === 'out-of-scope' || now.kind === 'out-of-scope')
        throw new CommandError(`${visible(list)}: "${visible(url)}" is neither an absolute URL nor a path`);
      if (old.allowed !== now.allowed)
        changes.push({ url, agent: name, direction: old.allowed ? 'blocked' : 'allowed' });
    }
  }
  return changes;
}

async function readUrls(list: string): Promise<string[]> {
  const text = (await unpack(list, await readBytes(list))).toString();
  if (/^\ufeff?\s*</.test(text)) return readSitemap(list, text);
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

async function readBytes(list: string): Promise<Buffer> {
  try {
    if (list === '-') return await buffer(standardInput());
    if (!/^https?:\/\//i.test(list)) return await readFile(list);
    const response = await fetch(list, { signal: AbortSignal.timeout(FETCH_TIMEOUT) });
    if (!response.ok) throw new CommandError(`cannot fetch ${visible(list)}: status ${response.status}`);
    return Buffer.from(await response.arrayBuffer());
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`cannot read ${visible(list)}: ${describeFileError(cause)}`, { cause });
  }
}

async function unpack(list: string, bytes: Buffer): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES });
  } catch (cause) {
    throw new CommandError(`cannot read ${visible(list)}: ${(cause as Error).message}`, { cause });
  }
}

/** The URLs of a sitemap (sitemaps.org, "urlset"). */
async function readSitemap(list: string, text: string): Promise<string[]> {
  const { XMLParser } = await import('fast-xml-parser');
  const parser = new XMLParser({
    removeNSPrefix: true,
    isArray: (name) => name === 'url',
    parseTagValue: false,
  });
  let document: { urlset?: { url?: { loc?: unknown }[] }; sitemapindex?: unknown };
  try {
    document = parser.parse(text);
  } catch (cause) {
    throw new CommandError(`cannot read ${visible(list)}: ${visible((cause as Error).message)}`, { cause });
  }
  if (document.sitemapindex !== undefined)
    throw new CommandError(`${visible(list)} is an index of sitemaps: give one of those that it names`);
  if (document.urlset === undefined) throw new CommandError(`${visible(list)} is XML, but no sitemap`);
  return (document.urlset.url ?? []).flatMap(({ loc }) => (typeof loc === 'string' ? [loc.trim()] : []));
}
