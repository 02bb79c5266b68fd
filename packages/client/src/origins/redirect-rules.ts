// Which redirects of a robots.txt are followed. A URL that the robots.txt of its own site disallows is not requested (RFC 9309 section
// 2.3.1.2 leaves this open; docs/fetching.md).
import { GLOBAL_CRAWLER, type RobotsTxt } from '@maycrawl/core';

/** Returns whether the rules for `*` permit a redirect to a URL of their site. */
export function allowsRedirect(url: string, robots: RobotsTxt): boolean {
  return robots.ruleset(GLOBAL_CRAWLER).decide(url).kind !== 'disallowed';
}

/**
 * Returns whether a redirect may be followed, by the rules of its target's site.
 *
 * @param getRobots - returns the robots.txt of an origin; `null` if there are no rules.
 * @param isAllowed - decides by these rules.
 */
export async function mayFollowRedirect(
  url: string,
  getRobots: (origin: string) => Promise<RobotsTxt | null>,
  isAllowed: (url: string, robots: RobotsTxt) => boolean = allowsRedirect,
): Promise<boolean> {
  const { origin, pathname, search } = new URL(url);
  // Any robots.txt may be fetched (RFC 9309 section 2.2.2).
  if (pathname + search === '/robots.txt') return true;
  const robots = await getRobots(origin);
  return robots === null || isAllowed(url, robots);
}
