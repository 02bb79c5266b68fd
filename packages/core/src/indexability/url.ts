/**
 * URLs of a page, resolved and normalized for comparison (WHATWG URL Standard).
 *
 * @module
 */
import { getPathStart, parseUrl, removeFragment } from '../bytes/url.ts';
import { toRequestPath } from '../matching/request-path.ts';

/**
 * Resolves a reference: the result is absolute, has no fragment, and has the `%xx` of path and query in
 * upper case. URLs with equal results are the same page for a crawler.
 *
 * @param href - an absolute or relative URL.
 * @param base - an absolute URL.
 * @returns `null` if the result is not an http or https URL.
 */
export function resolveUrl(href: string, base: string): string | null {
  if (PLAIN_PATH.test(href)) {
    const prefix = getOriginPrefix(base);
    if (prefix !== null) return prefix + href;
  }
  const url = parseUrl(href, base);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return null;
  const start = getPathStart(url.href);
  // The set of characters that the URL parser encodes depends on the version of the runtime (request-path.ts).
  return url.href.slice(0, start) + toRequestPath(removeFragment(url.href.slice(start)));
}

/**
 * Matches absolute paths that resolution does not change: characters that are never encoded, and no dot
 * segments. Most links of a site match, and creating URL objects for them takes half of the time to read a
 * page.
 */
const PLAIN_PATH = /^\/(?:[\w~-][\w~.-]*(?:\/+[\w~-][\w~.-]*)*\/*)?$/;

let lastBase = '';
let lastPrefix: string | null = null;

/**
 * Returns the part of an http or https URL before its path; `null` for other URLs. Caches the last result,
 * because all links of a page have the same base.
 */
function getOriginPrefix(base: string): string | null {
  if (base === lastBase) return lastPrefix;
  const url = parseUrl(base);
  lastBase = base;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  lastPrefix = isWeb ? url.href.slice(0, getPathStart(url.href)) : null;
  return lastPrefix;
}

/**
 * Resolves the base URL of a document (HTML Standard, section 4.2.3).
 *
 * @param href - the `href` of the first base element that has one; `null` if there is none.
 * @param url - the URL of the document.
 */
export function resolveBase(href: string | null, url: string): string {
  const base = href === null ? undefined : parseUrl(href, url);
  if (base === undefined || base.protocol === 'data:' || base.protocol === 'javascript:') return url;
  return base.href;
}
