/**
 * What of a URL is matched, and which URLs a robots.txt speaks for (Google's page, sections on the file's location
 * and on URL matching; RFC 9309 sections 2.2.2 and 2.3).
 *
 * @module
 */
import { HYPHEN, SLASH } from './ascii.ts';
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

/**
 * Where the path starts in a URL that is in the form of a request already, so that nothing needs to be parsed: then it
 * goes on to the end. Most URLs that a crawler meets are of this kind.
 *
 * @returns an index, or -1: then {@link findTarget} must look.
 */
export function normalPathStart(url: string, scope: Scope | undefined): number {
  let start: number;
  if (url.charCodeAt(0) === SLASH) start = 0;
  else if (scope === undefined) start = normalHostEnd(url);
  else start = 'origin' in scope && url.startsWith(scope.origin) ? scope.origin.length : -1;
  // A path that starts with two slashes is, without an origin before it, an origin.
  if (start < 0 || url.charCodeAt(start) !== SLASH || (start === 0 && url.charCodeAt(1) === SLASH)) return -1;
  if (scope !== undefined && 'outOfScope' in scope) return -1;
  for (let at = start, previous = 0; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code >= 128) return -1;
    switch (CHARACTERS[code]) {
      case PLAIN:
        break;
      case DOT:
        // A segment that begins with a dot may be `.` or `..`.
        if (previous === SLASH) return -1;
        break;
      case ESCAPE:
        // `%2e` is a dot too, and hexadecimal digits must be in upper case.
        if (!isNormalEscape(url, at) || (previous === SLASH && url.startsWith('%2E', at))) return -1;
        break;
      default:
        return -1;
    }
    previous = code;
  }
  return start;
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

/** What a character of a path or query means to {@link normalPathStart}; any other needs a closer look. */
const PLAIN = 1;
const DOT = 2;
const ESCAPE = 3;
const DOT_CODE = 0x2e;
const CHARACTERS: Uint8Array = /* @__PURE__ */ makeCharacters();

function makeCharacters(): Uint8Array {
  const characters = new Uint8Array(128);
  const plain = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~!$&()*+,;=:@/?[]|';
  for (let i = 0; i < plain.length; i++) characters[plain.charCodeAt(i)] = PLAIN;
  characters['.'.charCodeAt(0)] = DOT;
  characters['%'.charCodeAt(0)] = ESCAPE;
  return characters;
}

/** Whether `%` and two hexadecimal digits in upper case stand at `at`. */
function isNormalEscape(url: string, at: number): boolean {
  return isUpperHex(url.charCodeAt(at + 1)) && isUpperHex(url.charCodeAt(at + 2));
}

function isUpperHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46);
}

/**
 * Where the host ends in an http or https URL whose host is plain: lower-case letters, digits, `-` and `.`, its last label
 * with a letter at either end (so no number), and no two `-` in a row (so no international label). -1 for any other.
 */
function normalHostEnd(url: string): number {
  const start = url.startsWith('https://') ? 8 : url.startsWith('http://') ? 7 : -1;
  if (start < 0) return -1;
  let previous = DOT_CODE;
  let labelStartsWithLetter = false;
  let at = start;
  for (; at < url.length; at++) {
    const code = url.charCodeAt(at);
    const isLetter = isLowerLetter(code);
    if (!isLetter && code !== DOT_CODE && (code < 0x30 || code > 0x39)) {
      if (code !== HYPHEN) break;
      if (previous === HYPHEN) return -1;
    }
    if (previous === DOT_CODE) labelStartsWithLetter = isLetter;
    previous = code;
  }
  return labelStartsWithLetter && isLowerLetter(previous) ? at : -1;
}

function isLowerLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}
