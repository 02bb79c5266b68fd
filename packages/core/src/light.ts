/**
 * `@maycrawl/core/light`: the same verdicts in four fifths of the bundle size, for pages that decide few URLs by each file. It has no
 * index of rules, so the time of many decisions grows with the number of rules.
 *
 * @module
 */
import { checkOptions, type OptionTypes } from './bytes/check-options.ts';
import type { UrlInput } from './bytes/url.ts';
import type { CrawlerInput } from './crawler/crawler.ts';
import { PLAIN_ENGINE } from './matching/engine.ts';
import { PARSE_OPTIONS, type ParseOptions, parseFor, type RobotsTxt } from './model/robots-txt.ts';
import { DECIDE_OPTIONS, type DecideOptions, decideUrl } from './model/ruleset.ts';
import type { Verdict } from './model/verdict.ts';

export type { Crawler, CrawlerInput } from './crawler/crawler.ts';
export type { ParseOptions, RobotsTxt } from './model/robots-txt.ts';
export type { DecideOptions, Ruleset } from './model/ruleset.ts';
export type { Verdict } from './model/verdict.ts';

/**
 * Parses a robots.txt. Content never causes an error; `diagnose` reports its problems.
 *
 * @param content - the file as bytes, or as a string, which is encoded as UTF-8.
 * @throws {TypeError} if `content` is neither a `Uint8Array` nor a string, `profile` is not a profile, or an option is unknown.
 * @throws {RangeError} if the profile name is unknown, `maxBytes` is negative, or `url` is not an absolute http, https or ftp URL.
 * @example
 * const robots = parse('User-agent: *\nDisallow: /private');
 * robots.ruleset('Googlebot').decide('https://example.com/private/a').kind; // 'disallowed'
 */
export function parse(content: Uint8Array | string, options?: ParseOptions): RobotsTxt {
  if (options !== undefined) checkOptions<ParseOptions>('parse', options, PARSE_OPTIONS);
  return parseFor(PLAIN_ENGINE, content, options, true);
}

/** The types of the options of {@link decide}. */
const OPTIONS: OptionTypes<ParseOptions & DecideOptions> = { ...PARSE_OPTIONS, ...DECIDE_OPTIONS };

/**
 * Decides whether a crawler may fetch a URL: {@link parse}, {@link RobotsTxt.ruleset} and {@link Ruleset.decide} in one call.
 *
 * @throws {TypeError} {RangeError} as these methods do.
 */
export function decide(
  content: Uint8Array | string,
  crawler: CrawlerInput,
  url: UrlInput,
  options?: ParseOptions & DecideOptions,
): Verdict {
  if (options !== undefined) checkOptions<ParseOptions & DecideOptions>('decide', options, OPTIONS);
  return decideUrl(parseFor(PLAIN_ENGINE, content, options, false).ruleset(crawler), url, options?.normalize);
}
