// Parsing with the runtime's URL class, and the parts of serialized URLs. The path that is matched is not parsed like this (target.ts).
import { quoteValue } from './check-options.ts';
import { type ParsedUrl, WebUrl } from './platform.ts';

/**
 * Parses a URL. `URL.canParse` is not used: once optimized, that of Node 20 is wrong where a character is not ASCII.
 *
 * @param base - an absolute URL, if `text` may be relative.
 * @returns `undefined` if the URL is invalid.
 */
export function parseUrl(text: string, base?: string): ParsedUrl | undefined {
  try {
    return new WebUrl(text, base);
  } catch {
    return undefined;
  }
}

/** A URL: a string, or an object with its serialization, such as an instance of the class `URL`. */
export type UrlInput = string | { readonly href: string };

/**
 * Returns a URL as a string.
 *
 * @throws {TypeError} if it is neither a string nor an object with a string as `href`.
 */
export function toUrlText(url: UrlInput): string {
  if (typeof url === 'string') return url;
  const href: unknown = url?.href;
  if (typeof href === 'string') return href;
  throw new TypeError(`a URL must be a string or an instance of URL, not ${quoteValue(url)}`);
}

/** Returns whether a text begins with a scheme and `//`, as URLs with an authority do. */
export function hasScheme(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(text);
}

/** Returns the index of the path in a serialized URL with an authority. */
export function getPathStart(href: string): number {
  return href.indexOf('/', href.indexOf('//') + 2);
}

/** Returns a URL without its fragment. */
export function removeFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
}

/** Returns an IPv6 address without the brackets that it has in a URL, and any other host unchanged. */
export function removeBrackets(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
