/**
 * The URLs that a page names: resolved, and in the one form in which they are compared (WHATWG URL Standard).
 *
 * @module
 */
import { type ParsedUrl, WebUrl } from '../platform.ts';

const RelativeUrl: new (url: string, base: string) => ParsedUrl = WebUrl;

/**
 * The URL that `href` names: absolute, without its fragment, with `%xx` in upper case. Equal results are the same page to a
 * crawler.
 *
 * @param base - an absolute URL.
 * @returns `null` for what is no http or https URL: nobody can crawl that.
 */
export function resolveUrl(href: string, base: string): string | null {
  const url = parseReference(href, base);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  const hash = url.href.indexOf('#');
  const whole = hash < 0 ? url.href : url.href.slice(0, hash);
  return whole.includes('%') ? whole.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase()) : whole;
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
