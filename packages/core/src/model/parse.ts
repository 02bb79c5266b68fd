/**
 * Parsing for the engine that is made for many decisions.
 *
 * @module
 */

import { FAST_ENGINE } from '../matching/fast-engine.ts';
import { type ParseOptions, parseFor, type RobotsTxt } from './robots-txt.ts';

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
  return parseFor(FAST_ENGINE, content, options);
}
