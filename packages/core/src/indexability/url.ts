/**
 * The URLs that a page names: resolved, and in the one form in which they are compared (WHATWG URL Standard).
 *
 * @module
 */
import { type ParsedUrl, WebUrl } from '../bytes/platform.ts';
import { toRequestPath } from '../matching/request-path.ts';

const RelativeUrl: new (url: string, base: string) => ParsedUrl = WebUrl;

/**
 * The URL that `href` names: absolute, without its fragment, with `%xx` in upper case. Equal results are the same page to a
 * crawler.
 *
 * @param base - an absolute URL.
 * @returns `null` for what is no http or https URL: nobody can crawl that.
 */
export function resolveUrl(href: string, base: string): string | null {
  if (PLAIN_PATH.test(href)) {
    const start = startOf(base);
    if (start !== null) return start + href;
  }
  const url = parseReference(href, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const start = getPathStart(url);
  const hash = url.href.indexOf('#');
  // Which characters the runtime has encoded depends on its age (request-path.ts).
  return url.href.slice(0, start) + toRequestPath(url.href.slice(start, hash < 0 ? undefined : hash));
}

/**
 * A path that resolving leaves as it is: from the root, of characters that are never encoded, without dot segments. Most links of a site
 * are of this kind, and a URL object for each takes half the time of reading a page.
 */
const PLAIN_PATH = /^\/(?:[\w~-][\w~.-]*(?:\/+[\w~-][\w~.-]*)*\/*)?$/;

let lastBase = '';
let lastStart: string | null = null;

/** What of an http or https URL is before its path; of the last one it is kept, since all links of a page have the same base. */
function startOf(base: string): string | null {
  if (base === lastBase) return lastStart;
  const url = parseReference(base, base);
  lastBase = base;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  lastStart = url !== null && isWeb ? url.href.slice(0, getPathStart(url)) : null;
  return lastStart;
}

/** Where the path starts in the serialisation of an http or https URL. */
function getPathStart({ href, protocol }: ParsedUrl): number {
  return href.indexOf('/', protocol.length + 2);
}

/**
 * What the relative URLs of a document are relative to (HTML Standard, section 4.2.3).
 *
 * @param href - of the first base element that has one; `null` if there is none.
 * @param url - where the document is.
 */
export function resolveBase(href: string | null, url: string): string {
  const base = href === null ? null : parseReference(href, url);
  if (base === null || base.protocol === 'data:' || base.protocol === 'javascript:') return url;
  return base.href;
}

function parseReference(href: string, base: string): ParsedUrl | null {
  try {
    return new RelativeUrl(href, base);
  } catch {
    return null;
  }
}
