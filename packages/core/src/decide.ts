/**
 * The whole question in one call.
 *
 * @module
 */
import type { CrawlerLike } from './crawler.ts';
import { type ParseOptions, parse } from './document.ts';
import type { DecideOptions } from './ruleset.ts';
import type { Verdict } from './verdict.ts';

/**
 * Decides whether a crawler may fetch a URL. For several URLs or crawlers, {@link parse} once instead.
 *
 * @param content - the robots.txt as bytes, or as a string.
 * @param crawler - a product token, several of which each counts, or a crawler with fallbacks.
 * @param url - an absolute URL, or a path on the file's own origin if it begins with a single `/`.
 * @throws {TypeError} {RangeError} for a `crawler` or an option that is none; never for the content or the URL.
 * @example
 * decide('User-agent: *\nDisallow: /a', 'Googlebot', 'https://example.com/a').kind; // 'disallowed'
 */
export function decide(
  content: Uint8Array | string,
  crawler: CrawlerLike,
  url: string,
  options: ParseOptions & DecideOptions = {},
): Verdict {
  return parse(content, options).ruleset(crawler).decide(url, options);
}
