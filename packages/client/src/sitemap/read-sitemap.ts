// Reads a sitemap from a stream of bytes, compressed with gzip or not, within limits.
import { pipeline, Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { checkOptions, type SitemapEntry, SitemapParser, XmlError } from '@maycrawl/core/internal';
import { readFirstChunk } from '../streams.ts';

/** A sitemap cannot be read, or is beyond the limits. The message is a part of a sentence, for people. */
export class SitemapError extends Error {
  override readonly name = 'SitemapError';
  readonly code = 'unusable-sitemap';
}

/** What a sitemap may have. */
export interface SitemapLimits {
  /** Bytes, compressed as well as uncompressed. */
  readonly bytes: number;
  readonly entries: number;
}

/** The limits of one sitemap (sitemaps.org). */
export const SITEMAP_LIMITS: SitemapLimits = /* @__PURE__ */ Object.freeze({
  bytes: 50 * 2 ** 20,
  entries: 50_000,
});

/** What was read. */
export interface SitemapSummary {
  /** The name of the root element, without its prefix; empty for a text. */
  readonly root: string;
  /** Whether it is a sitemap, an index or a feed. `false` for XML with another root element. */
  readonly isSitemap: boolean;
  /** `false` if it ends inside an element. */
  readonly isComplete: boolean;
  /** Bytes, uncompressed. */
  readonly bytes: number;
}

/**
 * Reads a sitemap. The text is UTF-8.
 *
 * @param body - is destroyed in the end.
 * @returns the entries, those of each piece of the body together, and in the end what was read.
 * @throws {TypeError} for an unknown or missing limit, or one of a wrong type.
 * @throws {SitemapError} if the sitemap is beyond the limits, after the entries before that.
 * @throws what the body fails with, and what zlib throws.
 */
export function readSitemap(
  body: Readable,
  limits: SitemapLimits = SITEMAP_LIMITS,
): AsyncGenerator<readonly SitemapEntry[], SitemapSummary> {
  checkOptions<SitemapLimits>('readSitemap', limits, { bytes: 'number', entries: 'number' }, [
    'bytes',
    'entries',
  ]);
  return readBody(body, limits);
}

async function* readBody(
  body: Readable,
  limits: SitemapLimits,
): AsyncGenerator<readonly SitemapEntry[], SitemapSummary> {
  const decoder = new TextDecoder();
  let entries: SitemapEntry[] = [];
  let [bytes, count] = [0, 0];
  const parser = new SitemapParser((entry) => {
    if (++count > limits.entries) throw new SitemapError(`more than ${limits.entries} entries`);
    entries.push(entry);
  });
  let problem: unknown;
  const parse = (text: string): void => {
    try {
      parser.write(text);
    } catch (error) {
      problem = error instanceof XmlError ? new SitemapError(error.message, { cause: error }) : error;
    }
  };
  let plain = body;
  try {
    plain = await decompress(body, limits.bytes);
    for await (const chunk of plain as AsyncIterable<Uint8Array>) {
      const rest = limits.bytes - bytes;
      bytes += chunk.length;
      parse(decoder.decode(chunk.subarray(0, rest), { stream: true }));
      if (entries.length > 0) yield entries;
      entries = [];
      if (problem !== undefined) throw problem;
      if (bytes > limits.bytes) throw createSizeError(limits.bytes);
    }
    parse(decoder.decode());
    const isComplete = parser.end();
    if (entries.length > 0) yield entries;
    if (problem !== undefined) throw problem;
    return { root: parser.root, isSitemap: parser.isSitemap, isComplete, bytes };
  } finally {
    plain.destroy();
    body.on('error', () => {}).destroy();
  }
}

function createSizeError(maxBytes: number): SitemapError {
  return new SitemapError(`more than ${maxBytes} bytes`);
}

/** The first two bytes of gzip (RFC 1952). */
const GZIP: readonly number[] = [0x1f, 0x8b];

/** Decompresses a body that begins as gzip does. What breaks the body breaks the result. */
async function decompress(source: Readable, maxBytes: number): Promise<Readable> {
  const { body, isGzip } = await readMark(source);
  if (!isGzip) return body;
  let bytes = 0;
  // Compressed blocks of nothing never become bytes that are counted elsewhere.
  const counter = new Transform({
    transform: (chunk: Uint8Array, _encoding, callback) => {
      bytes += chunk.length;
      if (bytes > maxBytes) callback(createSizeError(maxBytes));
      else callback(null, chunk);
    },
  });
  return pipeline(body, counter, createGunzip(), () => {});
}

/** Reads the first two bytes of a body, which may come one by one, and leaves them in it. */
async function readMark(body: Readable): Promise<{ readonly body: Readable; readonly isGzip: boolean }> {
  const start = (await readFirstChunk(body)) ?? [];
  if (start.length !== 1 || start[0] !== GZIP[0])
    return { body, isGzip: GZIP.every((byte, index) => start[index] === byte) };
  const first: Uint8Array = body.read();
  const second = first.length > 1 ? first.subarray(1) : await readFirstChunk(body);
  // An end cannot be undone.
  if (second === undefined) return { body: Readable.from([first]), isGzip: false };
  body.unshift(first);
  return { body, isGzip: second[0] === GZIP[1] };
}
