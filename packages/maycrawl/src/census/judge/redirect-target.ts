// The target of a redirect, by the URL Standard.
import { parseUrl } from '@maycrawl/core/url';

/**
 * Resolves the Location header of a response.
 *
 * @param url - the URL of the response.
 * @returns the URL of the target without its fragment, or `null` if it is not an http or https URL. A robots.txt has no query, as in
 * the table `captures`.
 */
export function resolveTarget(url: string, location: string): string | null {
  const target = parseUrl(location, url);
  if (target === undefined || !/^https?:$/.test(target.protocol)) return null;
  return target.pathname === '/robots.txt'
    ? `${target.origin}/robots.txt`
    : `${target.origin}${target.pathname}${target.search}`;
}
