// URLs of a page, resolved and normalized for comparison (WHATWG URL Standard).
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
  const fragment = href.indexOf('#');
  const plain = fragment < 0 ? href : href.slice(0, fragment);
  if (PLAIN_PATH.test(plain)) {
    const prefix = getPrefixes(base)?.[plain.startsWith('/') ? 'origin' : 'folder'];
    if (prefix !== undefined) return prefix + plain;
  }
  return resolveByStandard(href, base);
}

function resolveByStandard(href: string, base: string): string | null {
  const url = parseUrl(href, base);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return null;
  const start = getPathStart(url.href);
  // The set of characters that the URL parser encodes depends on the version of the runtime (request-path.ts).
  return url.href.slice(0, start) + toRequestPath(removeFragment(url.href.slice(start)));
}

/**
 * Matches absolute and relative paths that resolution does not change: characters that are never encoded, and no dot
 * segments. Most links of a site match, and creating URL objects for them takes half of the time to read a page.
 */
const PLAIN_PATH = /^\/?[\w~-][\w~.-]*(?:\/+[\w~-][\w~.-]*)*\/*$|^\/$/;

interface Prefixes {
  /** For absolute paths: all before the path. */
  readonly origin: string;
  /** For relative paths: all to the last slash of the path. */
  readonly folder: string;
}

let lastBase = '';
let lastPrefixes: Prefixes | null = null;

/**
 * Returns the prefixes of an http or https URL; `null` for other URLs. Caches the last result, because all links of a page
 * have the same base.
 */
function getPrefixes(base: string): Prefixes | null {
  if (base === lastBase) return lastPrefixes;
  const file = resolveByStandard('x', base);
  lastBase = base;
  lastPrefixes =
    file === null ? null : { origin: file.slice(0, getPathStart(file)), folder: file.slice(0, -1) };
  return lastPrefixes;
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
