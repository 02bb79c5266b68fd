/**
 * Parsing with the fast engine.
 *
 * @module
 */

import { checkOptions } from '../bytes/check-options.ts';
import { FAST_ENGINE } from '../matching/fast-engine.ts';
import { PARSE_OPTIONS, type ParseOptions, parseFor, type RobotsTxt } from './robots-txt.ts';

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
  return parseFor(FAST_ENGINE, content, options, true);
}
