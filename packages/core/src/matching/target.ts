// The target of a URL, which is the path that is matched, and the scope of a robots.txt, which is the origin that it applies to
// (Google's robots.txt page, on file location and URL matching; RFC 9309 sections 2.2.2 and 2.3).
import { SLASH, SPACE } from '../bytes/ascii.ts';
import { quoteValue } from '../bytes/check-options.ts';
import { freezeDeep } from '../bytes/freeze.ts';
import { parseUrl, removeFragment, toUrlText, type UrlInput } from '../bytes/url.ts';
import { PLAIN_CHARACTERS, SEGMENT_START, toRequestPath } from './request-path.ts';

/** The origin that a robots.txt applies to (scheme, host and non-default port), or the reason why it applies to no origin. */
export type Scope = { readonly origin: string } | { readonly outOfScope: OutOfScopeReason };

/**
 * The reason why a robots.txt does not apply to a URL. `invalid-url`: the URL cannot be parsed. `unsupported-scheme`: its scheme is not
 * http, https or ftp. `other-origin`: the robots.txt belongs to another origin. `invalid-robots-txt-url`: the file is not at
 * `/robots.txt`.
 */
export type OutOfScopeReason =
  | 'invalid-url'
  | 'unsupported-scheme'
  | 'other-origin'
  | 'invalid-robots-txt-url';

/** The path that is matched, or the reason why the URL is out of scope. */
export type Target =
  | { readonly path: string; readonly normalized: boolean }
  | { readonly outOfScope: OutOfScopeReason };

interface SplitUrl {
  readonly origin: string;
  /** The part between authority and fragment, without tabs and newlines. */
  readonly pathAndQuery: string;
}

/** Special schemes of the URL Standard. */
const SUPPORTED_SCHEMES = ['http', 'https', 'ftp'];

/**
 * Returns the URL of the robots.txt that applies to `url`: `/robots.txt` at the same scheme, host and port.
 *
 * @throws {RangeError} if `url` is not an absolute http, https or ftp URL.
 * @throws {TypeError} if `url` is not a URL.
 */
export function getRobotsTxtUrl(url: UrlInput): string {
  return `${getOrigin(url)}/robots.txt`;
}

/**
 * Returns the origin (scheme, host and non-default port) of a URL, whose robots.txt applies to the URL.
 *
 * @throws as {@link getRobotsTxtUrl} does.
 */
export function getOrigin(url: UrlInput): string {
  const text = toUrlText(url);
  const origin = findOrigin(text);
  if (origin === undefined)
    throw new RangeError(`not an absolute http, https or ftp URL: ${quoteValue(text)}`);
  return origin;
}

/** Returns the origin of a URL; `undefined` if the string is not an absolute http, https or ftp URL. */
export function findOrigin(url: string): string | undefined {
  const split = splitUrl(url);
  return 'origin' in split ? split.origin : undefined;
}

/**
 * Returns the scope of the robots.txt at `url`, which is frozen. It has no origin unless its path is `/robots.txt`.
 *
 * @throws {RangeError} if `url` is not an absolute http, https or ftp URL.
 * @throws {TypeError} if `url` is not a URL.
 */
export function getScope(url: UrlInput): Scope {
  const text = toUrlText(url);
  const split = splitUrl(text);
  if ('outOfScope' in split)
    throw new RangeError(
      `the URL of a robots.txt must be an absolute http, https or ftp URL, not ${quoteValue(text)}`,
    );
  const path = toRequestPath(split.pathAndQuery);
  // An empty query identifies the same resource.
  const isRobotsTxt = path === '/robots.txt' || path === '/robots.txt?';
  return freezeDeep(isRobotsTxt ? { origin: split.origin } : { outOfScope: 'invalid-robots-txt-url' });
}

/**
 * Finds the target of `url`: path, parameters and query, without the fragment.
 *
 * @param url - an absolute URL, or a path on the origin of the robots.txt if it begins with a single `/`.
 * @param scope - the scope of the robots.txt; `undefined` applies to all origins.
 * @param normalize - `true` converts the URL to request form (request-path.ts). `false` uses the string unchanged, as Google's matcher
 *   does: NUL is an ordinary character, and the empty string is the path `/`.
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

/** Cache of the last valid scheme and authority as written, and their origin. Successive URLs often have the same host. */
let lastRoot = '';
let lastOrigin = '';

/**
 * Splits an absolute URL after the authority, like the basic URL parser of the URL Standard for special schemes: it skips all slashes
 * and backslashes after the scheme, and the authority ends before the next `/`, `\`, `?` or `#`. The runtime's URL class only parses
 * scheme and authority, because the path must not depend on the runtime.
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
    const root = parseUrl(`${scheme}://${input.slice(start, end)}/`);
    if (root === undefined) return { outOfScope: 'invalid-url' };
    lastOrigin = root.origin;
    lastRoot = input.slice(0, end);
  }
  return { origin: lastOrigin, pathAndQuery: removeFragment(input.slice(lastRoot.length)) };
}

function endsAuthority(char: string | undefined): boolean {
  return char === undefined || char === '/' || char === '\\' || char === '?' || char === '#';
}

/**
 * Prepares a string like the basic URL parser: removes leading and trailing C0 controls and spaces, and all tabs and newlines. Lone
 * surrogates are replaced first (USVString of Web IDL), so that removing a tab does not join two of them to a pair.
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

/**
 * Returns path and query of an unparsed string as in Google's matcher: from the first `/`, `?` or `;` after the scheme to the fragment,
 * with a leading `/` if it is missing.
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

/** Longer URLs are parsed: V8's regular expressions take memory per character. */
const MAX_URL_LENGTH = 4096;

const PLAIN = `[${PLAIN_CHARACTERS}]*`;
/** A slash, and a segment that does not begin with `.` or `%2E`. */
const SEGMENT = `/(?:(?:[${SEGMENT_START}]|%(?:2[\\dA-DF]|[013-9A-F][\\dA-F]))${PLAIN}(?:%[\\dA-F]{2}${PLAIN})*)?`;

/**
 * A path and query in request form: no segment begins with a dot, and the digits of `%XX` are in upper case. The time is linear,
 * because each repetition begins with a character that cannot continue the previous one.
 */
const REQUEST_PATH = new RegExp(`(?:${SEGMENT})+$`, 'y');

/**
 * An http or https URL with such a path and a simple host: lower-case letters, digits, single `-` and `.`, and a last label that is
 * not a number.
 */
const REQUEST_URL = new RegExp(`^https?://(?:[a-z\\d]+[.-])*[a-z](?:[a-z\\d]*[a-z])?(?:${SEGMENT})+$`);

/**
 * Finds the path in a URL that is already in request form, as most URLs are. The path extends to the end of the URL.
 *
 * It uses regular expressions because reading single characters of concatenated or sliced strings is slow in V8.
 *
 * @returns the index of the path, or -1 if {@link findTarget} must parse the URL.
 */
export function findRequestPathStart(url: string, scope: Scope | undefined): number {
  if (url.length > MAX_URL_LENGTH) return -1;
  const isPath = url.charCodeAt(0) === SLASH;
  if (scope === undefined && !isPath) return REQUEST_URL.test(url) ? url.indexOf('/', MIN_PATH_START) : -1;
  // `//host/path` is a scheme-relative URL, not a path.
  if (isPath && url.charCodeAt(1) === SLASH) return -1;
  if (scope !== undefined && 'outOfScope' in scope) return -1;
  const start = isPath ? 0 : scope !== undefined && url.startsWith(scope.origin) ? scope.origin.length : -1;
  if (start < 0) return -1;
  REQUEST_PATH.lastIndex = start;
  return REQUEST_PATH.test(url) ? start : -1;
}

/** Length of `http://a`: no path starts before this index. */
const MIN_PATH_START = 8;
