// A sample of the pages of a site: a few entries of the first sitemaps that its robots.txt names. It takes few requests and reads only
// the beginning of each sitemap.
import { RequestError } from '@maycrawl/client/internal';
import { openSitemap, readSitemap, SitemapError, type SitemapRequests } from '@maycrawl/client/sitemap';
import { resolveUrl } from '@maycrawl/core/indexability';
import { getOrigin, getPathStart } from '@maycrawl/core/url';
import type { SitemapSample } from '../../api/sample-api.ts';

/** Bounds of a sample. */
const LIMITS = {
  /** Sitemaps of the robots.txt, and of one index. */
  named: 3,
  nested: 2,
  /** Sitemaps that are read, indexes included. */
  sitemaps: 5,
  /** Of one sitemap; the rest is not read. */
  entries: 1_000,
  /** Of one sitemap, compressed as well as uncompressed. */
  bytes: 1_048_576,
  /** URLs in the sample, and characters of one. */
  urls: 6,
  urlChars: 2_048,
} as const;

/** Bytes of one response that may be received. */
export const SAMPLE_BYTES: number = LIMITS.bytes;

type ReadSitemap = SitemapSample['sitemaps'][number];

/**
 * Reads sitemaps, one after another, and selects URLs of the site in different folders.
 *
 * @param sitemaps - URLs as the robots.txt has them.
 * @throws what is neither a failure of a request nor of a sitemap.
 */
export async function sampleSitemaps(
  origin: string,
  sitemaps: readonly string[],
  requests: SitemapRequests,
): Promise<SitemapSample> {
  const waiting = [...new Set(sitemaps)].slice(0, LIMITS.named).map((url) => ({ url, isNested: false }));
  const read: ReadSitemap[] = [];
  const pages = new Set<string>();
  let others = 0;
  while (read.length < LIMITS.sitemaps) {
    const next = waiting.shift();
    if (next === undefined) break;
    const { urls, nested, problem } = await readBeginning(next.url, requests);
    for (const url of urls) {
      if (getOrigin(url) === origin) pages.add(url);
      else others++;
    }
    read.push({ url: next.url, entries: urls.length + nested.length, problem });
    // An index that another index names is not read (sitemaps.org).
    if (!next.isNested)
      waiting.unshift(...nested.slice(0, LIMITS.nested).map((url) => ({ url, isNested: true })));
  }
  return { origin, sitemaps: read, others, urls: selectByFolder([...pages]) };
}

interface Beginning {
  /** Of pages, and of the sitemaps in an index. */
  readonly urls: readonly string[];
  readonly nested: readonly string[];
  /** Why it was not read; `null` if there are entries, or it has none. */
  readonly problem: string | null;
}

async function readBeginning(written: string, requests: SitemapRequests): Promise<Beginning> {
  const urls: string[] = [];
  const nested: string[] = [];
  let count = 0;
  let problem: string | null = null;
  try {
    const body = await openSitemap(resolveUrl(written, written) ?? written, requests);
    for await (const entries of readSitemap(body, { bytes: LIMITS.bytes, entries: LIMITS.entries })) {
      count += entries.length;
      for (const { kind, text } of entries) {
        const url = parseEntry(text);
        if (url !== null) (kind === 'page' ? urls : nested).push(url);
      }
      if (count >= LIMITS.entries) break;
    }
  } catch (error) {
    problem = describeProblem(error);
  }
  return { urls, nested, problem: count > 0 ? null : problem };
}

/** @throws the error, if it is neither a failure of the request nor of the sitemap. */
function describeProblem(error: unknown): string {
  const isExpected =
    error instanceof SitemapError ||
    error instanceof RequestError ||
    // zlib has no class of its own.
    (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'));
  if (isExpected) return (error as Error).message;
  throw error;
}

function parseEntry(text: string): string | null {
  return text.length <= LIMITS.urlChars && /^https?:\/\//i.test(text) ? resolveUrl(text, text) : null;
}

/** Selects URLs: first those in different folders of the site, then in different folders at all, then others. */
export function selectByFolder(urls: readonly string[]): string[] {
  const selected = new Set<string>();
  for (const getFolder of [getTopFolder, getWholeFolder, (url: string) => url]) {
    const seen = new Set([...selected].map(getFolder));
    for (const url of urls) {
      if (selected.size === LIMITS.urls) return [...selected];
      const folder = getFolder(url);
      if (seen.has(folder)) continue;
      seen.add(folder);
      selected.add(url);
    }
  }
  return [...selected];
}

function getTopFolder(url: string): string {
  const folder = getWholeFolder(url);
  const start = getPathStart(url);
  const end = folder.indexOf('/', start + 1);
  return end < 0 ? folder : folder.slice(0, end + 1);
}

/** Returns the URL up to the last slash of its path. */
function getWholeFolder(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.slice(0, path.lastIndexOf('/') + 1);
}
