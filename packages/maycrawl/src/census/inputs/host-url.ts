// The URL of the robots.txt of a host, which a field or the name of a file contains.
import { parseUrl } from '@maycrawl/core/url';

/** Parses a host, with its port if it has one. Returns `undefined` for other text, such as a part of a URL. */
export function parseHostUrl(host: string): { readonly href: string } | undefined {
  // The URL parser would skip an empty host, and read a part of other text as the host.
  return /^[^\s/\\?#@]+$/.test(host) ? parseUrl(`https://${host}/robots.txt`) : undefined;
}
