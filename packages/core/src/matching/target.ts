/**
 * What of a URL is matched, and which URLs a robots.txt speaks for (Google's page, sections on the file's location
 * and on URL matching; RFC 9309 sections 2.2.2 and 2.3).
 *
 * @module
 */
import { SPACE } from '../bytes/ascii.ts';
import { WebUrl } from '../bytes/platform.ts';
import { toRequestPath } from './request-path.ts';

/** The origin (scheme, host and port, default ports left out) that a robots.txt speaks for, or why it has none. */
export type Scope = { readonly origin: string } | { readonly outOfScope: OutOfScopeReason };

/** Why a robots.txt says nothing about a URL. */
export type OutOfScopeReason = 'invalid-url' | 'unsupported-scheme' | 'other-origin' | 'not-a-robots-txt-url';

/** The path that is matched, or why there is none to match. */
export type Target =
  | { readonly path: string; readonly normalized: boolean }
  | { readonly outOfScope: OutOfScopeReason };

/** A URL that a robots.txt can apply to. */
interface SplitUrl {
  readonly origin: string;
  /** What follows the host, up to the fragment, without the tabs and newlines that a URL parser removes. */
  readonly pathAndQuery: string;
}

/** All of them are special schemes (URL Standard). */
const SUPPORTED_SCHEMES = ['http', 'https', 'ftp'];

/**
 * The URL at which the robots.txt stands that speaks for `url`: `/robots.txt` on the same scheme, host and port.
 *
 * @throws {RangeError} if `url` is no absolute http, https or ftp URL.
 */
export function robotsTxtUrl(url: string): string {
  const split = splitUrl(url);
  if ('outOfScope' in split) throw new RangeError(`not an absolute http, https or ftp URL: ${url}`);
  return `${split.origin}/robots.txt`;
}

/** What a robots.txt at `url` speaks for: nothing, unless it stands at exactly `/robots.txt`. */
export function getScope(url: string): Scope {
  const split = splitUrl(url);
  if ('outOfScope' in split) return split;
  const path = toRequestPath(split.pathAndQuery);
  // A query that is empty selects no other resource.
  if (path !== '/robots.txt' && path !== '/robots.txt?') return { outOfScope: 'not-a-robots-txt-url' };
  return { origin: split.origin };
}

/**
 * Finds what of `url` is matched: path, parameters and query, never the fragment.
 *
 * @param url - an absolute URL, or a path on the file's own origin if it begins with a single `/`.
 * @param scope - where the robots.txt applies; `undefined` if that is not known: then everywhere.
 * @param normalize - bring the URL to the form in which a crawler requests it (request-path.ts); else the
 *   string is taken as it is, as Google's matcher does: a NUL is a character like any other, an empty string is the path `/`.
 */
export function findTarget(url: string, scope: Scope | undefined, normalize: boolean): Target {
  if (scope !== undefined && 'outOfScope' in scope) return scope;
  const isPath = url[0] === '/' && url[1] !== '/';
  const literal = toLiteralPath(url);
  if (!normalize && (isPath || url === '' || scope === undefined))
    return { path: literal, normalized: false };
  const split = isPath
    ? { origin: scope?.origin, pathAndQuery: removeFragment(toParserInput(url)) }
    : splitUrl(url);
  if ('outOfScope' in split) return split;
  if (scope !== undefined && split.origin !== scope.origin) return { outOfScope: 'other-origin' };
  if (!normalize) return { path: literal, normalized: false };
  const path = toRequestPath(split.pathAndQuery);
  return { path, normalized: path !== literal };
}

/** The last valid scheme and authority, as they were written, and their origin: most URLs in a row are of one host. */
let lastRoot = '';
let lastOrigin = '';

/**
 * Splits an absolute URL where the basic URL parser of the URL Standard ends the authority of a special scheme: slashes and
 * backslashes after the scheme are skipped, however many there are, and the authority goes up to the next `/`, `\`, `?` or `#`.
 * The runtime's URL class parses scheme and authority alone; what follows must not depend on the runtime.
 */
function splitUrl(url: string): SplitUrl | { readonly outOfScope: OutOfScopeReason } {
  const input = toParserInput(url);
  if (lastRoot === '' || !input.startsWith(lastRoot) || !endsAuthority(input[lastRoot.length])) {
    const colon = input.indexOf(':');
    const scheme = input.slice(0, Math.max(colon, 0));
    if (!/^[a-z][a-z\d+.-]*$/i.test(scheme)) return { outOfScope: 'invalid-url' };
    if (!SUPPORTED_SCHEMES.includes(scheme.toLowerCase())) return { outOfScope: 'unsupported-scheme' };
    let start = colon + 1;
    while (input[start] === '/' || input[start] === '\\') start++;
    let end = start;
    while (!endsAuthority(input[end])) end++;
    try {
      lastOrigin = new WebUrl(`${scheme}://${input.slice(start, end)}/`).origin;
    } catch {
      return { outOfScope: 'invalid-url' };
    }
    lastRoot = input.slice(0, end);
  }
  return { origin: lastOrigin, pathAndQuery: removeFragment(input.slice(lastRoot.length)) };
}

function endsAuthority(char: string | undefined): boolean {
  return char === undefined || char === '/' || char === '\\' || char === '?' || char === '#';
}

/**
 * The input of the basic URL parser's states: without C0 controls and spaces at both ends, tabs and newlines anywhere. Lone surrogates
 * are replaced before that, as in a USVString of Web IDL, so that two of them do not become a pair.
 */
function toParserInput(url: string): string {
  let start = 0;
  let end = url.length;
  while (start < end && url.charCodeAt(start) <= SPACE) start++;
  while (end > start && url.charCodeAt(end - 1) <= SPACE) end--;
  const input = url.slice(start, end);
  return /[\t\n\r\ud800-\udfff]/.test(input)
    ? input.replace(/[\ud800-\udfff]/gu, '\ufffd').replace(/[\t\n\r]/g, '')
    : input;
}

function removeFragment(text: string): string {
  const hash = text.indexOf('#');
  return hash < 0 ? text : text.slice(0, hash);
}

/**
 * Path and query of a string that is taken as it is, found as Google's matcher finds them: from the first `/`, `?` or
 * `;` after the scheme, up to the fragment, with a `/` before it if there is none.
 */
function toLiteralPath(url: string): string {
  const searchStart = url.startsWith('//') ? 2 : 0;
  const scheme = url.indexOf('://', searchStart);
  const early = findPathDelimiter(url, searchStart);
  const authority = scheme < 0 || (early >= 0 && early < scheme) ? searchStart : scheme + 3;
  const start = findPathDelimiter(url, authority);
  if (start < 0) return '/';
  const hash = url.indexOf('#', searchStart);
  if (hash >= 0 && hash < start) return '/';
  const path = hash < 0 ? url.slice(start) : url.slice(start, hash);
  return path[0] === '/' ? path : `/${path}`;
}

function findPathDelimiter(url: string, from: number): number {
  for (let at = from; at < url.length; at++) {
    const char = url[at];
    if (char === '/' || char === '?' || char === ';') return at;
  }
  return -1;
}
