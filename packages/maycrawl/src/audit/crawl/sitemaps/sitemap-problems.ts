// What is wrong with a sitemap: from a failure, or from what was read, to the true cause.
import { RequestError } from '@maycrawl/client/internal';
import { SitemapError, type SitemapSummary } from '@maycrawl/client/sitemap';
import { truncate, XmlError } from '@maycrawl/core/internal';
import type { SitemapProblem } from '../../run/tables/sitemap-table.ts';

/** Characters of the name of a root element that are quoted. */
const MAX_NAME = 60;

/** Describes why a sitemap could not be requested, or has no usable response. */
export function describeFailedRequest(error: unknown): SitemapProblem {
  return { code: 'sitemap-not-fetched', detail: getMessage(error) };
}

/** Describes why the body of a sitemap could not be read to its end. */
export function describeFailedBody(error: unknown): SitemapProblem {
  const detail = getMessage(error);
  if (error instanceof RequestError)
    return { code: 'sitemap-damaged', detail: `its response is cut off: ${detail}` };
  if (error instanceof SitemapError)
    return error.cause instanceof XmlError
      ? { code: 'sitemap-invalid', detail: `it is no valid XML: ${detail}` }
      : { code: 'sitemap-too-large', detail };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'Z_BUF_ERROR') return { code: 'sitemap-damaged', detail: 'its compressed data is cut off' };
  if (code.startsWith('Z_'))
    return { code: 'sitemap-damaged', detail: `its compressed data is damaged: ${detail}` };
  return { code: 'sitemap-damaged', detail };
}

/** What was read of a sitemap. */
export interface ReadEntries {
  readonly count: number;
  /** Of these, entries that are no absolute URLs. */
  readonly invalid: number;
}

/** Describes what is wrong with a sitemap that was read to its end; `null` if nothing is. */
export function describeContent(
  { root, isSitemap, isComplete, bytes }: SitemapSummary,
  { count, invalid }: ReadEntries,
): SitemapProblem | null {
  if (/^html$/i.test(root)) return { code: 'sitemap-invalid', detail: 'it is an HTML page' };
  if (!isSitemap) {
    const name = truncate(root, MAX_NAME);
    const detail =
      root === '' ? 'it has no XML element' : `its root element is <${name}>, not <urlset> or <sitemapindex>`;
    return { code: 'sitemap-invalid', detail };
  }
  if (!isComplete) return { code: 'sitemap-damaged', detail: 'it is cut off: it ends inside an XML element' };
  if (bytes === 0) return { code: 'sitemap-empty', detail: 'the file is empty' };
  if (count === 0) return { code: 'sitemap-empty', detail: 'it has no entries' };
  // A text has a URL in each line.
  if (root === '' && invalid === count)
    return { code: 'sitemap-invalid', detail: 'it is a text without URLs' };
  return null;
}

function getMessage(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
