/**
 * `@maycrawl/core/light`: the same verdicts in four fifths of the bundle size, for pages that decide few URLs by each file. It has no
 * index of rules, so the time of many decisions grows with the number of rules.
 *
 * @module
 */
import type { CrawlerInput } from './crawler/crawler.ts';
import { PLAIN_ENGINE } from './matching/engine.ts';
import { type ParseOptions, parseFor, type RobotsTxt } from './model/robots-txt.ts';
import type { DecideOptions } from './model/ruleset.ts';
import type { Verdict } from './model/verdict.ts';

export type { Crawler, CrawlerInput } from './crawler/crawler.ts';
export type { ParseOptions, RobotsTxt } from './model/robots-txt.ts';
export type { DecideOptions, Ruleset } from './model/ruleset.ts';
export type { Verdict } from './model/verdict.ts';

/**
 * Parses a robots.txt. Content never causes an error; `diagnose` reports its problems.
 *
 * @param content - the file as bytes, or as a string, which is encoded as UTF-8.
 * @throws {TypeError} if `content` is neither a `Uint8Array` nor a string, or `profile` is not a profile.
 * @throws {RangeError} if the profile name is unknown, or `maxBytes` is negative or not a number.
 * @example
 * const robots = parse('User-agent: *\nDisallow: /private');
 * robots.ruleset('Googlebot').decide('https://example.com/private/a').kind; // 'disallowed'
 */
export function parse(content: Uint8Array | string, options: ParseOptions = {}): RobotsTxt {
  return parseFor(PLAIN_ENGINE, content, options, true);
}

/**
 * Decides whether a crawler may fetch a URL: {@link parse}, {@link RobotsTxt.ruleset} and {@link Ruleset.decide} in one call.
 *
 * @throws {TypeError} {RangeError} as these methods do.
 */
export function decide(
  content: Uint8Array | string,
  crawler: CrawlerInput,
  url: string,
  options: ParseOptions & DecideOptions = {},
): Verdict {
  return parseFor(PLAIN_ENGINE, content, options, false).ruleset(crawler).decide(url, options);
}
