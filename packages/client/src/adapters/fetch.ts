/// <reference types="node" preserve="true" />
/**
 * `@maycrawl/client/fetch`: a `fetch` that obeys robots.txt. It follows redirects itself (Fetch Standard, "HTTP-redirect fetch"),
 * because the target of each redirect may be disallowed.
 *
 * @module
 */
import { checkOptions, quoteValue } from '@maycrawl/core/internal';
import { type ParsedUrl, parseUrl } from '@maycrawl/core/url';
import { decodeLocation, followRedirects } from '../http/redirects.ts';
import { runInTurn } from '../pace/turn.ts';
import {
  createRequestSigner,
  type RequestSigner,
  SIGNATURE_HEADERS,
  type SignatureOptions,
} from '../signatures/request-signer.ts';
import { type Decider, requireDecider, takeTurn } from './forbidden.ts';

export { ForbiddenUrlError, type Refusal, type RefusalCode } from '../origins/refusal.ts';
export type { Decider } from './forbidden.ts';

/** Options of {@link createRobotsFetch}. */
export interface RobotsFetchOptions {
  /**
   * The function that sends the requests. It must implement `redirect: 'manual'` and return redirect responses with their headers.
   *
   * @defaultValue the global `fetch`
   */
  readonly fetch?: typeof globalThis.fetch;
  /**
   * Maximum number of redirects.
   *
   * @defaultValue 20, as in the Fetch Standard
   */
  readonly maxRedirects?: number;
  /**
   * Signs each request, also those of redirects. Its headers replace those of the caller with the same names.
   *
   * @defaultValue that of the client
   */
  readonly signature?: SignatureOptions;
}

/** Headers that describe the body. They are removed with it. */
const BODY_HEADERS = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
];
/** Headers for one origin. They are not sent to another one. */
const ORIGIN_HEADERS = ['authorization', 'cookie', 'host', 'proxy-authorization'];
/** Properties of a Request that apply to all requests of its redirect chain. Options in the second argument reset some of them. */
const INHERITED = [
  'cache',
  'credentials',
  'integrity',
  'keepalive',
  'mode',
  'referrer',
  'referrerPolicy',
] as const;

/**
 * Creates a function with the interface of `fetch` that requests no URL that the crawler of `client` may not fetch, including the
 * targets of redirects. It sends the `User-Agent` of the client, unless the caller sets another, and signs requests as the client does.
 *
 * Differences from `fetch`:
 * - It accepts only http and https URLs. A Request must be an instance of the global class.
 * - After redirects, `url` of the response is the URL of the last request, but `redirected` is false.
 * - If a redirect repeats a body (307, 308), the body must not be a stream. The body of a Request always is one: pass it in the
 *   second argument.
 * - Options of the runtime that a Request hides (undici's `dispatcher`) do not apply to redirects: pass them in the second argument.
 *
 * The function rejects with
 * - {@link ForbiddenUrlError} before a disallowed request;
 * - PrivateAddressError before a request to a private address to which a redirect leads (docs/fetching.md), unless the client has
 *   `allowPrivateAddresses`. `fetch` resolves the name again: only a firewall prevents that the name has another address then;
 * - TypeError as `fetch` does, for example for more than `maxRedirects` redirects;
 * - the reason of the signal if it aborts, also while the client fetches a robots.txt;
 * - the errors of `client.decide`, which are failures of this machine.
 *
 * @throws {RangeError} if `maxRedirects` is negative.
 * @throws {TypeError} for a client without `decide`, for an unknown option, or one of a wrong type.
 * @throws as `createRequestSigner` does for `signature`.
 *
 * @example
 * const client = new RobotsClient({ agent: 'MyBot', userAgent: 'MyBot/1.0' });
 * const fetch = createRobotsFetch(client);
 * const response = await fetch('https://example.com/');
 */
export function createRobotsFetch(
  client: Decider,
  options: RobotsFetchOptions = {},
): typeof globalThis.fetch {
  requireDecider(client);
  checkOptions<RobotsFetchOptions>('createRobotsFetch', options, {
    fetch: 'function',
    maxRedirects: 'number',
    // `createRequestSigner` checks it.
    signature: 'any',
  });
  const { fetch = globalThis.fetch, maxRedirects = 20, signature } = options;
  const signer = signature === undefined ? client.signer : createRequestSigner(signature);
  if (!(maxRedirects >= 0)) throw new RangeError(`not a number of redirects: ${maxRedirects}`);
  return async (input, init) => {
    // One URL is decided about and requested. A copy has the URL that `fetch` would request, whatever `url` the caller's object has.
    const request = input instanceof Request ? new Request(input) : undefined;
    const url = parseWebUrl(request?.url ?? String(input));
    const signal = (init?.signal === undefined ? request?.signal : init.signal) ?? null;
    const waiting = signal === null ? {} : { signal };
    // Everything is read before the first await, because the caller may change it later.
    const redirect = toRedirectMode(init?.redirect ?? request?.redirect ?? 'follow');
    const inherited =
      request === undefined ? {} : Object.fromEntries(INHERITED.map((name) => [name, request[name]]));
    let message = toMessage(request, init);
    // Site owners write rules for this name, so pages must be requested under it too.
    if (client.userAgent !== undefined && !message.headers.has('user-agent'))
      message.headers.set('user-agent', client.userAgent);
    const requestInit: RequestInit = { ...inherited, ...init, headers: message.headers, redirect: 'manual' };
    let turn = await takeTurn(client, url.href, waiting);
    // Signatures expire: a request is signed when its turn has come.
    const fetchFirst = (): Promise<Response> =>
      fetch(request ?? url.href, { ...requestInit, headers: signRequest(signer, url.href, message) });
    if (redirect === 'manual') return runInTurn(turn, fetchFirst, signal);
    let isFirst = true;
    const { response: last, problem } = await followRedirects(url.href, {
      // A redirect that is an error for the caller is no failure of the server.
      maxRedirects: redirect === 'error' ? 0 : maxRedirects,
      // The Fetch Standard has no such rule: a page can set a cookie and redirect to itself.
      stopsAtLoop: false,
      request: async (next) => {
        const response = await runInTurn(
          turn,
          () =>
            isFirst
              ? fetchFirst()
              : fetch(next, {
                  ...requestInit,
                  ...message,
                  headers: signRequest(signer, next, message),
                  signal,
                }),
          signal,
        );
        isFirst = false;
        const location = decodeLocation(response.headers.get('location'));
        return { url: next, status: response.status, location, response };
      },
      mayFollow: async (next, { url: before, status, response }) => {
        await discard(response);
        message = afterRedirect(message, status, new URL(next).origin !== new URL(before).origin);
        turn = await takeTurn(client, next, { ...waiting, redirectedFrom: url.href });
        return true;
      },
      release: async () => {},
    });
    const { response } = last;
    if (problem === undefined || (problem.kind === 'missing-location' && redirect === 'follow'))
      return response;
    await discard(response);
    if (redirect === 'error') throw new TypeError(`unexpected redirect of ${last.url}`);
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

function toMessage(request: Request | undefined, init: RequestInit | undefined): Message {
  return {
    method: init?.method ?? request?.method ?? 'GET',
    headers: new Headers(init?.headers ?? request?.headers),
    body: init?.body ?? request?.body ?? null,
  };
}

/**
 * Returns the message for the target of a redirect.
 *
 * @throws {TypeError} if a stream would have to be sent twice.
 */
function afterRedirect(before: Message, status: number, isOtherOrigin: boolean): Message {
  const { method, body } = before;
  const name = method.toUpperCase();
  const becomesGet = status === 303 ? name !== 'GET' && name !== 'HEAD' : status <= 302 && name === 'POST';
  if (!becomesGet && body !== null && typeof body === 'object' && Symbol.asyncIterator in body) {
    throw new TypeError(`a redirect with status ${status} requires the body again, which was a stream`);
  }
  const headers = new Headers(before.headers);
  for (const header of becomesGet ? BODY_HEADERS : []) headers.delete(header);
  for (const header of isOtherOrigin ? ORIGIN_HEADERS : []) headers.delete(header);
  return becomesGet ? { method: 'GET', headers, body: null } : { method, headers, body };
}

/** The headers of a request with its signature. A request that is not signed has no other one: it would be that of another request. */
function signRequest(signer: RequestSigner | undefined, url: string, { method, headers }: Message): Headers {
  if (signer === undefined) return headers;
  const signed = new Headers(headers);
  for (const name of SIGNATURE_HEADERS) signed.delete(name);
  // The name of a method as `fetch` sends it.
  const sent = method === 'GET' ? method : new Request(url, { method }).method;
  for (const [name, value] of Object.entries(signer.sign(url, sent) ?? {})) signed.set(name, value);
  return signed;
}

/** Converts a redirect mode to a string, as `fetch` does. @throws {TypeError} if it is unknown. */
function toRedirectMode(value: unknown): NonNullable<RequestInit['redirect']> {
  const mode = String(value);
  if (mode === 'follow' || mode === 'manual' || mode === 'error') return mode;
  throw new TypeError(`not a redirect mode: ${quoteValue(value)}`);
}

/** @throws {TypeError} if `url` is not an http or https URL. */
function parseWebUrl(url: string): ParsedUrl {
  const parsed = parseUrl(url);
  if (parsed === undefined) throw new TypeError(`not a URL: ${url}`);
  if (!/^https?:$/.test(parsed.protocol)) throw new TypeError(`not an http or https URL: ${url}`);
  return parsed;
}
