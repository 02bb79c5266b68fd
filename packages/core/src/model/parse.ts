/**
 * Parsing with the fast engine.
 *
 * @module
 */

import { FAST_ENGINE } from '../matching/fast-engine.ts';
import { type ParseOptions, parseFor, type RobotsTxt } from './robots-txt.ts';

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
  return parseFor(FAST_ENGINE, content, options, true);
}
