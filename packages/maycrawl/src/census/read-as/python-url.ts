// URLs as `urllib.parse` of Python 3.11 splits and joins them, which changes the paths of rules: an empty query disappears, so
// `Disallow: /?` becomes `Disallow: /`.
import { isIPv6 } from 'node:net';

export interface UrlParts {
  readonly scheme: string;
  readonly netloc: string;
  readonly path: string;
  readonly params: string;
  readonly query: string;
  readonly fragment: string;
}

const WITH_PARAMS: ReadonlySet<string> = new Set([
  ...['', 'ftp', 'hdl', 'prospero', 'http', 'imap', 'https', 'shttp', 'rtsp'],
  ...['rtspu', 'sip', 'sips', 'mms', 'sftp', 'tel'],
]);
const WITH_NETLOC: ReadonlySet<string> = new Set([
  ...['', 'ftp', 'http', 'gopher', 'nntp', 'telnet', 'imap', 'wais', 'file', 'mms', 'https', 'shttp'],
  ...['snews', 'prospero', 'rtsp', 'rtspu', 'rsync', 'svn', 'svn+ssh', 'sftp', 'nfs', 'git', 'git+ssh'],
  ...['ws', 'wss'],
]);

/** Splits a URL. `null` where Python raises ValueError. */
export function splitUrl(text: string): UrlParts | null {
  let rest = text.replace(/^[\0-\x20]+/, '').replace(/[\t\r\n]/g, '');
  let scheme = '';
  const colon = rest.indexOf(':');
  if (colon > 0 && /^[A-Za-z0-9+.-]+$/.test(rest.slice(0, colon))) {
    scheme = rest.slice(0, colon).toLowerCase();
    rest = rest.slice(colon + 1);
  }
  let netloc = '';
  if (rest.startsWith('//')) {
    const end = rest.slice(2).search(/[/?#]/);
    netloc = end < 0 ? rest.slice(2) : rest.slice(2, end + 2);
    rest = rest.slice(netloc.length + 2);
    if (!isValidNetloc(netloc)) return null;
  }
  const [beforeFragment, fragment] = splitOnce(rest, '#');
  const [beforeQuery, query] = splitOnce(beforeFragment, '?');
  const semicolon = WITH_PARAMS.has(scheme)
    ? beforeQuery.indexOf(';', Math.max(beforeQuery.lastIndexOf('/'), 0))
    : -1;
  const path = semicolon < 0 ? beforeQuery : beforeQuery.slice(0, semicolon);
  const params = semicolon < 0 ? '' : beforeQuery.slice(semicolon + 1);
  return { scheme, netloc, path, params, query, fragment };
}

function splitOnce(text: string, separator: string): readonly [before: string, after: string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Brackets must surround an IP address, and no character may become a delimiter by Unicode normalization. */
function isValidNetloc(netloc: string): boolean {
  if (netloc.includes('[') !== netloc.includes(']')) return false;
  if (netloc.includes('[')) {
    const afterOpen = netloc.slice(netloc.indexOf('[') + 1);
    const [host] = splitOnce(afterOpen, ']');
    const isFuture = /^v[0-9a-fA-F]+\../.test(host);
    if (host.startsWith('v') ? !isFuture : !isIPv6(host)) return false;
  }
  // Each character by itself, of which no two become a delimiter: long runs of marks take quadratic time to order.
  const characters = new Set(netloc.replace(/[@:#?]/g, ''));
  return ![...characters].some((character) => /[/?#@:]/.test(character.normalize('NFKC')));
}

/** Joins the parts of a URL. Empty parts disappear. */
export function joinUrl({ scheme, netloc, path, params, query, fragment }: UrlParts): string {
  let url = params === '' ? path : `${path};${params}`;
  if (netloc !== '' || (scheme !== '' && WITH_NETLOC.has(scheme) && !url.startsWith('//'))) {
    if (url !== '' && !url.startsWith('/')) url = `/${url}`;
    url = `//${netloc}${url}`;
  }
  if (scheme !== '') url = `${scheme}:${url}`;
  if (query !== '') url = `${url}?${query}`;
  return fragment === '' ? url : `${url}#${fragment}`;
}
