// Lists of URLs: one a line, a sitemap, or a feed.
import { formatCount } from '../../shared/text.ts';
import { readSitemap } from './sitemap.ts';

/** URLs of a list. */
export const MAX_URLS = 50_000;
/** Characters of a URL: crawlers do not request longer ones. */
const MAX_URL_LENGTH = 100_000;

export interface UrlList {
  readonly urls: readonly string[];
  /** What was omitted; `null` if nothing was. */
  readonly notice: string | null;
}

/** Reads a list with one URL a line, or a sitemap or feed in XML. */
export function readUrlList(text: string): UrlList {
  if (!/^\ufeff?\s*</.test(text)) return limit(text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/));
  const sitemap = readSitemap(text, MAX_URLS + 1);
  if (sitemap.kind === 'none') return { urls: [], notice: sitemap.message };
  const { urls, notice } = limit(sitemap.urls);
  const truncation = sitemap.isTruncated
    ? 'The sitemap is truncated: the URLs after its end are missing.'
    : null;
  return { urls, notice: [truncation, notice].filter((each) => each !== null).join(' ') || null };
}

/** Appends URLs that the list does not contain yet. */
export function addUrls(urls: readonly string[], more: readonly string[]): UrlList {
  return limit([...new Set([...urls, ...more])]);
}

function limit(lines: readonly string[]): UrlList {
  const urls: string[] = [];
  let tooLong = 0;
  let isCut = false;
  for (const line of lines) {
    const url = line.trim();
    if (url === '') continue;
    if (url.length > MAX_URL_LENGTH) tooLong++;
    else if (urls.length === MAX_URLS) isCut = true;
    else urls.push(url);
  }
  const notices: string[] = [];
  if (isCut) notices.push(`The list is too long: only its first ${formatCount(MAX_URLS, 'URL')} are used.`);
  if (tooLong > 0)
    notices.push(
      `${formatCount(tooLong, 'URL')} omitted: longer than ${formatCount(MAX_URL_LENGTH, 'character')}.`,
    );
  return { urls, notice: notices.length === 0 ? null : notices.join(' ') };
}
