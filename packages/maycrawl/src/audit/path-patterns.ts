// Patterns of paths, as in rules of a robots.txt.
import { parse, type Ruleset } from '@maycrawl/core';

/**
 * Creates a test whether the path of a URL matches one of the patterns; `null` if there are no patterns.
 *
 * @throws {RangeError} for a pattern that can never match.
 */
export function createPathTest(patterns: readonly string[]): ((url: string) => boolean) | null {
  if (patterns.length === 0) return null;
  for (const pattern of patterns)
    if (!/^[/*]/.test(pattern) || /[\r\n#]/.test(pattern))
      throw new RangeError(`a pattern must begin with "/" or "*", as in a robots.txt: ${pattern}`);
  const lines = patterns.map((pattern) => `Disallow: ${pattern}`);
  const ruleset: Ruleset = parse(['User-agent: *', ...lines].join('\n'), {
    maxBytes: Number.POSITIVE_INFINITY,
  }).ruleset('maycrawl');
  // Without an origin the file applies to any host.
  return (url) => ruleset.decide(url).kind === 'disallowed';
}
