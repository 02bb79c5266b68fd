/**
 * `@maycrawl/core/light`: the same answers in less than half the size, for pages that decide now and then. Each URL is
 * parsed, and one rule is tried after another: the time grows with the number of rules.
 *
 * @module
 */
import type { CrawlerLike } from './crawler/crawler.ts';
import { PLAIN_ENGINE } from './matching/engine.ts';
import { type ParseOptions, parseFor, type RobotsTxt } from './model/robots-txt.ts';
import type { DecideOptions } from './model/ruleset.ts';
import type { Verdict } from './model/verdict.ts';

export type { Crawler, CrawlerLike } from './crawler/crawler.ts';
export type { ParseOptions, RobotsTxt } from './model/robots-txt.ts';
export type { DecideOptions, Ruleset } from './model/ruleset.ts';
export type { Verdict } from './model/verdict.ts';

/**
 * Parses a robots.txt. Whatever the content, this succeeds: what is odd in it, `diagnose` tells.
 *
 * @param content - the file as bytes. A string is encoded as UTF-8 first.
 * @throws {TypeError} if `content` is neither, or the profile is none.
 * @throws {RangeError} for a profile name that there is not, or a `maxBytes` that is no count.
 * @example
 * const robots = parse('User-agent: *\nDisallow: /private');
 * robots.ruleset('Googlebot').decide('https://example.com/private/a').kind; // 'disallowed'
 */
export function parse(content: Uint8Array | string, options: ParseOptions = {}): RobotsTxt {
  return parseFor(PLAIN_ENGINE, content, options);
}

/**
 * Decides whether a crawler may fetch a URL: {@link parse}, ruleset and decision in one call.
 *
 * @throws {TypeError} {RangeError} as these do.
 */
export function decide(
  content: Uint8Array | string,
  crawler: CrawlerLike,
  url: string,
  options: ParseOptions & DecideOptions = {},
): Verdict {
  return parse(content, options).ruleset(crawler).decide(url, options);
}
