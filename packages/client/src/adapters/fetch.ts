/**
 * `maycrawl/fetch`: a `fetch` that obeys robots.txt. It follows redirects itself (Fetch standard, "HTTP-redirect fetch"), because
 * each of them leads to a URL that may be forbidden.
 *
 * @module
 */
import { decodeLocation, followRedirects } from '../http/redirects.ts';
import { type Decider, requireAllowed } from './forbidden.ts';

export { type Decider, ForbiddenUrlError } from './forbidden.ts';

export interface RobotsFetchOptions {
  /** What sends the requests; the global `fetch` if left out. It must honour `redirect: 'manual'` and show what it got. */
  readonly fetch?: typeof globalThis.fetch;
  /** How many redirects are followed; 20 if left out, as the standard says. */
  readonly maxRedirects?: number;
}

/** Headers that speak of a body, and go with it. */
const BODY_HEADERS = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
];
/** Headers that are meant for one origin. */
const ORIGIN_HEADERS = ['authorization', 'cookie', 'host', 'proxy-authorization'];
/** What else of a Request holds for all requests that come of it. Options beside a Request reset some of it. */
const KEPT = [
  'cache',
  'credentials',
  'integrity',
  'keepalive',
  'mode',
  'referrer',
  'referrerPolicy',
] as const;

/**
 * Makes a function that is used as `fetch` is, and requests no URL that is forbidden to the crawler of `client`: neither the one
 * that it is given nor one to which a redirect leads. It sends the client's `User-Agent`, unless the caller gives another.
 *
 * Some things differ from `fetch`:
 * - URLs are http or https.
 * - After redirects, `url` of the response is that of the last request as ever, but `redirected` is false.
 * - Where a redirect repeats a body (307, 308), that must not be a stream. The body of a Request always is one: give it in the
 *   second argument.
 * - Options of the runtime's own that a Request hides (undici's `dispatcher`) do not hold for redirects: give those there, too.
 *
 * The function throws (rejects with)
 * - {@link ForbiddenUrlError} before the request that is forbidden;
 * - TypeError as `fetch` does, for more than `maxRedirects` redirects among other things;
 * - the signal's reason if it aborts, even while a robots.txt is asked for;
 * - what `client.decide` throws, which are failures of this machine.
 *
 * @throws {RangeError} if `maxRedirects` is no number of redirects.
 *
 * @example
 * const client = new RobotsClient({ crawler: 'MyBot', userAgent: 'MyBot/1.0' });
 * const fetch = createRobotsFetch(client);
 * const response = await fetch('https://example.com/');
 */
export function createRobotsFetch(
  client: Decider,
  { fetch = globalThis.fetch, maxRedirects = 20 }: RobotsFetchOptions = {},
): typeof globalThis.fetch {
  if (!(maxRedirects >= 0)) throw new RangeError(`not a number of redirects: ${maxRedirects}`);
  return async (input, init) => {
    const request = typeof input === 'object' && 'url' in input ? input : undefined;
    const url = parseUrl(request?.url ?? String(input));
    const signal = (init?.signal === undefined ? request?.signal : init.signal) ?? null;
    const waiting = signal === null ? {} : { signal };
    // All is read before anything is waited for: the caller may change it meanwhile.
    const redirect = init?.redirect ?? request?.redirect ?? 'follow';
    const kept = request === undefined ? {} : Object.fromEntries(KEPT.map((name) => [name, request[name]]));
    let message = messageOf(request, init);
    // A site decides by this name, so the pages must be requested under it too.
    if (client.userAgent !== undefined && !message.headers.has('user-agent'))
      message.headers.set('user-agent', client.userAgent);
    const { headers } = message;
    const mode = redirect === 'follow' ? 'manual' : redirect;
    const options: RequestInit = { ...kept, ...init, headers, redirect: mode };
    await requireAllowed(client, url.href, waiting);
    if (redirect !== 'follow') return fetch(request ?? url.href, options);
    let isFirst = true;
    const { response: last, problem } = await followRedirects(url.href, {
      maxRedirects,
      // The Fetch Standard has no such rule: a page can set a cookie and redirect to itself.
      stopsAtLoop: false,
      request: async (next) => {
        const response = isFirst
          ? await fetch(request ?? url.href, options)
          : await fetch(next, { ...options, ...message, signal });
        isFirst = false;
        const location = decodeLocation(response.headers.get('location'));
        return { url: next, status: response.status, location, response };
      },
      mayFollow: async (next, { url: before, status, response }) => {
        await discard(response);
        message = afterRedirect(message, status, new URL(next).origin !== new URL(before).origin);
        await requireAllowed(client, next, waiting);
        return true;
      },
      release: async () => {},
    });
    const { response } = last;
    if (problem === undefined || problem.kind === 'missing-location') return response;
    await discard(response);
    throw new TypeError(
      problem.kind === 'invalid-location'
        ? `not an http or https URL: ${problem.location}, to which ${last.url} redirects`
        : `more than ${maxRedirects} redirects, the last one to ${last.url}`,
    );
  };
}

/** Discards the body of a response, so that its connection can serve the next request. */
async function discard({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => {});
}

/** The part of a request that redirects change. */
interface Message {
  readonly method: string;
  readonly headers: Headers;
  readonly body: NonNullable<RequestInit['body']> | null;
}

function messageOf(request: Request | undefined, init: RequestInit | undefined): Message {
  return {
    method: init?.method ?? request?.method ?? 'GET',
    headers: new Headers(init?.headers ?? request?.headers),
    body: init?.body ?? request?.body ?? null,
  };
}

/**
 * What is sent to the place that a redirect names.
 *
 * @throws {TypeError} if a body has to be sent twice that cannot be.
 */
function afterRedirect(before: Message, status: number, isOtherOrigin: boolean): Message {
  const { method, body } = before;
  const name = method.toUpperCase();
  const becomesGet = status === 303 ? name !== 'GET' && name !== 'HEAD' : status <= 302 && name === 'POST';
  if (!becomesGet && body !== null && typeof body === 'object' && Symbol.asyncIterator in body) {
    throw new TypeError(`a redirect with status ${status} asks for the body again, which was a stream`);
  }
  const headers = new Headers(before.headers);
  for (const header of becomesGet ? BODY_HEADERS : []) headers.delete(header);
  for (const header of isOtherOrigin ? ORIGIN_HEADERS : []) headers.delete(header);
  return becomesGet ? { method: 'GET', headers, body: null } : { method, headers, body };
}

/** @throws {TypeError} if it is no http or https URL. */
function parseUrl(url: string): URL {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch (cause) {
    throw new TypeError(`not a URL: ${url}`, { cause });
  }
  if (!/^https?:$/.test(parsed.protocol)) throw new TypeError(`not an http or https URL: ${url}`);
  return parsed;
}
