/**
 * Lists of URLs: one a line, a sitemap, or a feed.
 *
 * @module
 */
import { readSitemap } from './sitemap.ts';

/** More rows than this are cut off. */
export const MAX_URLS = 50_000;
/** A longer one is left out: no crawler asks for it. */
const MAX_URL_LENGTH = 100_000;

/** What a text says. */
export interface UrlList {
  readonly urls: readonly string[];
  /** What should be known of it; `null` if all went well. */
  readonly notice: string | null;
}

/** Reads a list with one URL a line, or a sitemap or feed in XML. */
export function readUrlList(text: string): UrlList {
  if (!/^\ufeff?\s*</.test(text)) return bound(text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/));
  const sitemap = readSitemap(text, MAX_URLS + 1);
  if (sitemap.kind === 'none') return { urls: [], notice: sitemap.message };
  const { urls, notice } = bound(sitemap.urls);
  const cut = sitemap.isCut ? 'The sitemap breaks off: the URLs after that are missing.' : null;
  return { urls, notice: [cut, notice].filter((each) => each !== null).join(' ') || null };
}

/** Puts URLs behind others; those that are there already are not put again. */
export function addUrls(urls: readonly string[], more: readonly string[]): UrlList {
  return bound([...new Set([...urls, ...more])]);
}

function bound(lines: readonly string[]): UrlList {
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
  const notices = [
    ...(isCut ? [`The list was cut: it keeps its first ${MAX_URLS.toLocaleString('en')} URLs.`] : []),
    ...(tooLong > 0
      ? [`${tooLong} left out, longer than ${MAX_URL_LENGTH.toLocaleString('en')} characters.`]
      : []),
  ];
  return { urls, notice: notices.length === 0 ? null : notices.join(' ') };
}
