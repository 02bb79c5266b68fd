/**
 * The sample of the pages of a site that the service takes from its sitemaps (docs/serve.md).
 *
 * @module
 */
import type { SitemapSample } from 'maycrawl/api';
import { type Result, requestJson } from '../../shared/service.ts';
import { formatCount } from '../../shared/text.ts';

/** Bytes of a response: a few URLs. */
const MAX_RESPONSE = 1024 * 1024;

/** Requests a sample. */
export async function requestSample(origin: string, signal: AbortSignal): Promise<Result<SitemapSample>> {
  const result = await requestJson('v1/sample', {
    method: 'POST',
    body: { origin },
    signal,
    maxBytes: MAX_RESPONSE,
  });
  // The page and the service are of the same release.
  return result as Result<SitemapSample>;
}

/** Describes where the URLs of a sample are from, or why the list is empty, in a sentence. */
export function describeSample(result: Result<SitemapSample>): string {
  if (result.kind === 'problem') return `The sitemaps were not read. ${result.message}`;
  const { urls, sitemaps, others } = result.value;
  const [first] = sitemaps;
  if (first === undefined) return 'The robots.txt names no sitemap.';
  if (urls.length > 0) {
    const read = sitemaps.filter(({ problem }) => problem === null).length;
    return `${formatCount(urls.length, 'URL')} of ${read === 1 ? 'its sitemap' : 'its sitemaps'} ${urls.length === 1 ? 'is' : 'are'} in the list.`;
  }
  if (others > 0)
    return 'Its sitemaps list URLs of other hosts or schemes, to which this file does not apply.';
  const failed = sitemaps.find(({ problem }) => problem !== null);
  if (failed !== undefined) return `No sitemap was read: ${failed.url}: ${failed.problem}.`;
  return 'Its sitemaps list no URL.';
}
