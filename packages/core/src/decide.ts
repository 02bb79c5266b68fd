/**
 * The whole question in one call.
 *
 * @module
 */
import type { CrawlerLike } from './crawler.ts';
import { Decision } from './decision.ts';
import { type ParseOptions, parse } from './document.ts';
import { NONE } from './rule-table.ts';
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

/**
 * Decides where there is no file to read: the site has none (everything is allowed), or it could not be fetched
 * (everything is disallowed). A crawler that ignores robots.txt ignores that too.
 *
 * @throws {TypeError} {RangeError} as {@link decide} does.
 */
export function decideWithoutFile(
  because: 'absent' | 'unreachable',
  crawler: CrawlerLike,
  url: string,
  options: ParseOptions & DecideOptions = {},
): Verdict {
  const ruleset = parse('', options).ruleset(crawler);
  const verdict = ruleset.decide(url, options);
  if (verdict.kind === 'out-of-scope' || verdict.because !== 'no-group') return verdict;
  return new Decision(ruleset, NONE, because, verdict.path, 0, verdict.normalized).asVerdict();
}
