/**
 * What of a URL is matched, and which URLs a robots.txt speaks for (Google's page, sections on the file's location
 * and on URL matching; RFC 9309 sections 2.2.2 and 2.3).
 *
 * @module
 */
import { type ParsedUrl, WebUrl } from './platform.ts';

/** The origin (scheme, host and port, default ports left out) that a robots.txt speaks for, or why it has none. */
export type Scope = { readonly origin: string } | { readonly outOfScope: OutOfScopeReason };

/** Why a robots.txt says nothing about a URL. */
export type OutOfScopeReason = 'invalid-url' | 'unsupported-scheme' | 'other-origin' | 'not-a-robots-txt-url';

/** The path that is matched, or why there is none to match. */
export type Target =
  | { readonly path: string; readonly normalized: boolean }
  | { readonly outOfScope: OutOfScopeReason };

const SUPPORTED_SCHEMES = ['http:', 'https:', 'ftp:'];

/**
 * The URL at which the robots.txt stands that speaks for `url`: `/robots.txt` on the same scheme, host and port.
 *
 * @throws {RangeError} if `url` is no absolute http, https or ftp URL.
 */
export function robotsTxtUrl(url: string): string {
  const parsed = parseUrl(url);
  if ('outOfScope' in parsed) throw new RangeError(`not an absolute http, https or ftp URL: ${url}`);
  return `${parsed.origin}/robots.txt`;
}

/** What a robots.txt at `url` speaks for: nothing, unless it stands at exactly `/robots.txt`. */
export function scopeOf(url: string): Scope {
  const parsed = parseUrl(url);
  if ('outOfScope' in parsed) return parsed;
  if (parsed.pathname + parsed.search !== '/robots.txt') return { outOfScope: 'not-a-robots-txt-url' };
  return { origin: parsed.origin };
}

/**
 * Finds what of `url` is matched: path, parameters and query, never the fragment.
 *
 * @param url - an absolute URL, or a path on the file's own origin if it begins with a single `/`.
 * @param scope - where the robots.txt applies; `undefined` if that is not known: then everywhere.
 * @param normalize - bring the URL to the form in which a crawler requests it (WHATWG parsing, `%xx` in upper case);
 *   else the string is taken as it is, as Google's matcher does.
 */
export function findTarget(url: string, scope: Scope | undefined, normalize: boolean): Target {
  if (scope !== undefined && 'outOfScope' in scope) return scope;
  const isPath = url[0] === '/' && url[1] !== '/';
  const literal = literalPath(url);
  if (!normalize && (isPath || scope === undefined)) return { path: literal, normalized: false };
  const parsed = parseUrl(isPath ? `${scope?.origin ?? 'http://localhost'}${url}` : url);
  if ('outOfScope' in parsed) return parsed;
  if (scope !== undefined && parsed.origin !== scope.origin) return { outOfScope: 'other-origin' };
  if (!normalize) return { path: literal, normalized: false };
  const path = requestPath(parsed.href);
  return { path, normalized: path !== literal };
}

function parseUrl(url: string): ParsedUrl | { readonly outOfScope: OutOfScopeReason } {
  try {
    const parsed = new WebUrl(url);
    return SUPPORTED_SCHEMES.includes(parsed.protocol) ? parsed : { outOfScope: 'unsupported-scheme' };
  } catch {
    return { outOfScope: 'invalid-url' };
  }
}

/** Path and query of a serialised URL. Its `search` would lose the `?` of an empty query, which Google keeps. */
function requestPath(href: string): string {
  const hash = href.indexOf('#');
  const start = href.indexOf('/', href.indexOf('://') + 3);
  const path = hash < 0 ? href.slice(start) : href.slice(start, hash);
  return path.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
}

/**
 * Path and query of a string that is taken as it is, found as Google's matcher finds them: from the first `/`, `?` or
 * `;` after the scheme, up to the fragment, with a `/` before it if there is none.
 */
function literalPath(url: string): string {
  const searchStart = url.startsWith('//') ? 2 : 0;
  const scheme = url.indexOf('://', searchStart);
  const early = searchFrom(url, searchStart);
  const authority = scheme < 0 || (early >= 0 && early < scheme) ? searchStart : scheme + 3;
  const start = searchFrom(url, authority);
  if (start < 0) return '/';
  const hash = url.indexOf('#', searchStart);
  if (hash >= 0 && hash < start) return '/';
  const path = hash < 0 ? url.slice(start) : url.slice(start, hash);
  return path[0] === '/' ? path : `/${path}`;
}

function searchFrom(url: string, from: number): number {
  for (let at = from; at < url.length; at++) {
    const char = url[at];
    if (char === '/' || char === '?' || char === ';') return at;
  }
  return -1;
}
