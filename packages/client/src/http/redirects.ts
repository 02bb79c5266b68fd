// Redirects (RFC 9110 section 15.4): the one follower. The caller sends the requests and says which URLs may be requested.
import { parseUrl, removeFragment } from '@maycrawl/core/url';

/** Statuses that redirect. 300, 304 and 305 do not: they name no single URL to request instead. */
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Checks whether a response with this status redirects. */
export function isRedirectStatus(status: number): boolean {
  return REDIRECT_STATUSES.has(status);
}

/** What the follower reads of a response. */
export interface RedirectResponse {
  readonly url: string;
  readonly status: number;
  /** The Location header, decoded as UTF-8; `undefined` if the response has none. */
  readonly location: string | undefined;
}

/** Why a redirect was not followed. `url` is its target. */
export type RedirectProblem =
  | { readonly kind: 'missing-location' }
  | { readonly kind: 'invalid-location'; readonly location: string }
  | { readonly kind: 'loop'; readonly url: string }
  | { readonly kind: 'too-many'; readonly url: string }
  | { readonly kind: 'refused'; readonly url: string };

/** How redirects are followed. */
export interface RedirectPolicy<R extends RedirectResponse> {
  readonly maxRedirects: number;
  /** Whether a redirect to a URL of the same chain ends it. @defaultValue `true` */
  readonly stopsAtLoop?: boolean;
  /** Sends a request. Called for the start and for each target. */
  readonly request: (url: string) => Promise<R>;
  /** Releases a response whose redirect is followed. The body is not read. */
  readonly release: (response: R) => Promise<void>;
  /** Decides whether the target may be requested. @defaultValue every http and https URL may */
  readonly mayFollow?: (url: string, response: R) => boolean | Promise<boolean>;
}

/** The response at which a chain ended. The caller releases it. */
export interface RedirectEnd<R> {
  readonly response: R;
  /** Why its redirect was not followed; `undefined` if the response is no redirect. */
  readonly problem: RedirectProblem | undefined;
}

/**
 * Requests a URL and follows redirects.
 *
 * @throws what `request`, `release` and `mayFollow` throw.
 */
export async function followRedirects<R extends RedirectResponse>(
  start: string,
  policy: RedirectPolicy<R>,
): Promise<RedirectEnd<R>> {
  const urls = [start];
  for (;;) {
    const response = await policy.request(urls[urls.length - 1] as string);
    if (!isRedirectStatus(response.status)) return { response, problem: undefined };
    const target = await getTarget(response, urls, policy);
    if (typeof target !== 'string') return { response, problem: target };
    await policy.release(response);
    urls.push(target);
  }
}

async function getTarget<R extends RedirectResponse>(
  response: R,
  urls: readonly string[],
  { maxRedirects, stopsAtLoop = true, mayFollow = () => true }: RedirectPolicy<R>,
): Promise<string | RedirectProblem> {
  const { location } = response;
  if (location === undefined) return { kind: 'missing-location' };
  const url = resolveLocation(location, response.url);
  if (url === undefined) return { kind: 'invalid-location', location };
  if (stopsAtLoop && urls.includes(url)) return { kind: 'loop', url };
  if (urls.length > maxRedirects) return { kind: 'too-many', url };
  return (await mayFollow(url, response)) ? url : { kind: 'refused', url };
}

/**
 * Decodes a Location header. Servers send raw UTF-8 in it, each byte of which arrives as one character.
 *
 * @param header - of several headers the first counts.
 * @returns the text, or the header itself if it is not UTF-8; `undefined` if there is no header.
 */
export function decodeLocation(header: string | readonly string[] | null | undefined): string | undefined {
  const [raw] = [header ?? []].flat();
  if (raw === undefined || !/[^\0-\x7f]/.test(raw)) return raw;
  const bytes = Buffer.from(raw, 'latin1');
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : raw;
}

/** Resolves a location. Returns `undefined` unless it is an http or https URL. The fragment is removed. */
function resolveLocation(location: string, base: string): string | undefined {
  const url = parseUrl(location, base);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? removeFragment(url.href) : undefined;
}
