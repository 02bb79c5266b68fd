/**
 * Decisions about a file in one call.
 *
 * @module
 */
import { checkOptions, type OptionTypes } from '../bytes/check-options.ts';
import type { UrlInput } from '../bytes/url.ts';
import type { CrawlerInput } from '../crawler/crawler.ts';
import { getPreference } from '../crawler/resolve-agent.ts';
import { CrawlerRules } from './crawler-rules.ts';
import { DECIDE_OPTIONS, type DecideOptions, decideUrl } from './decide-url.ts';
import { createSource, PARSE_OPTIONS, type ParseOptions } from './source.ts';
import type { Verdict } from './verdict.ts';

/** The types of the options of {@link decide}. */
const OPTIONS: OptionTypes<ParseOptions & DecideOptions> = { ...PARSE_OPTIONS, ...DECIDE_OPTIONS };

/**
 * Decides whether a crawler may fetch a URL. For several URLs, parse the file once. The verdict reads the match
 * that lost from the bytes on demand, so do not change the bytes while the verdict is in use.
 *
 * @param content - the robots.txt as bytes, or as a string, which is encoded as UTF-8.
 * @param crawler - an agent name (`resolveAgent`), bare tokens, or a crawler with fallbacks.
 * @param url - an absolute URL, or a path on the origin of the robots.txt if it begins with a single `/`.
 * @throws {TypeError} {RangeError} if `content`, `crawler`, `url` or an option is invalid. The text of the file and of the URL never
 *   cause an error.
 * @example
 * decide('User-agent: *\nDisallow: /a', 'Googlebot', 'https://example.com/a').kind; // 'disallowed'
 */
export function decide(
  content: Uint8Array | string,
  crawler: CrawlerInput,
  url: UrlInput,
  options?: ParseOptions & DecideOptions,
): Verdict {
  if (options !== undefined) checkOptions<ParseOptions & DecideOptions>('decide', options, OPTIONS);
  const source = createSource(content, options, false);
  return decideUrl(new CrawlerRules(source, getPreference(crawler)), url, options?.normalize);
}
