/**
 * `@maycrawl/client/undici`: an interceptor for the dispatchers of undici 7, which checks each request, also each redirect hop, and keeps
 * the pace of the client. It loads undici only for types.
 *
 * @module
 */
import { stringify } from 'node:querystring';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from '../http/undici-types.ts';
import type { Turn } from '../pace/turn.ts';
import { SIGNATURE_HEADERS } from '../signatures/request-signer.ts';
import { type Decider, requireDecider, takeTurn } from './forbidden.ts';
import { addHeaders } from './undici-headers.ts';

export { ForbiddenUrlError, type Refusal, type RefusalCode } from '../origins/refusal.ts';
export type { Decider } from './forbidden.ts';

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;

/**
 * A URL of no site. An interceptor cannot tell the URL that the caller passed from one to which a page redirects, so no private address is
 * open by default.
 */
const OUTSIDE = 'http://outside.invalid/';
/** How long the addresses of an origin count as checked, in milliseconds, and for how many origins. */
const CHECK_LIFETIME = 60_000;
const MAX_CHECKED = 10_000;
/** A turn ends with the body of the response, but not later than this after its headers: the caller may never read it. Milliseconds. */
const MAX_BODY_TIME = 10_000;

/**
 * Creates an interceptor that sends no request that the crawler of `client` may not send, and keeps the pace of its origin. It adds the
 * `User-Agent` of the client, unless the caller sets another, and signs requests as the client does.
 *
 * Compose it before the interceptors that send further requests, so that each of their requests is checked: `redirect`, `retry`. After
 * `redirect` it fails each request with a TypeError. With the `fetch` of undici, which follows redirects itself, the order does not matter.
 *
 * A request fails with
 * - {@link ForbiddenUrlError} if the crawler may not send it (now);
 * - PaceError if it would wait too long;
 * - PrivateAddressError if its host has a private address (docs/fetching.md), unless the client has `allowPrivateAddresses: true` or an
 *   `addressPolicy`. undici resolves the name again: only a firewall prevents that the name has another address then;
 * - the errors of `client.decide`.
 *
 * The turn of a request ends with the body of its response, or ten seconds after the headers. A signal aborts the wait if undici passes it
 * (`request`, `stream`); a request of `fetch` that was aborted takes its turn and sends nothing.
 *
 * @throws {TypeError} for a client without `decide`.
 *
 * @example
 * const client = new RobotsClient({ agent: 'MyBot', userAgent: 'MyBot/1.0' });
 * const dispatcher = new Agent().compose(robots(client), interceptors.redirect({ maxRedirections: 5 }));
 * const { statusCode, body } = await request('https://example.com/', { dispatcher });
 */
export function robots(client: Decider): Dispatcher.DispatcherComposeInterceptor {
  requireDecider(client);
  const checked = new LRUCache<string, true>({ max: MAX_CHECKED, ttl: CHECK_LIFETIME });
  /** Waits for the turn of a request. */
  const wait = async (url: string, signal: AbortSignal | undefined): Promise<Turn> => {
    const { origin } = new URL(url);
    const isChecked = checked.has(origin);
    const turn = await takeTurn(client, url, {
      ...(isChecked ? {} : { redirectedFrom: OUTSIDE }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!isChecked) checked.set(origin, true);
    return turn;
  };
  return (dispatch) => (options, handler) => {
    // `fetch` and `request` report the error to their callers by this method.
    const fail = (error: unknown): void => handler.onResponseError?.(null as never, error as Error);
    let url: string;
    try {
      url = getUrl(options);
    } catch (error) {
      fail(error);
      return true;
    }
    wait(url, getSignal(options)).then((turn) => {
      try {
        dispatch(prepare(client, url, options), new PacedHandler(handler, turn));
      } catch (error) {
        turn.cancel();
        fail(error);
      }
    }, fail);
    return true;
  };
}

/** Adds the headers of a client to a request, which has its turn: signatures expire. */
function prepare(
  { userAgent, signer }: Decider,
  url: string,
  options: Dispatcher.DispatchOptions,
): Dispatcher.DispatchOptions {
  if (userAgent === undefined && signer === undefined) return options;
  const replaced = signer === undefined ? [] : SIGNATURE_HEADERS;
  const headers = { ...signer?.sign(url, options.method) };
  return { ...options, headers: addHeaders(options.headers, { userAgent, replaced, headers }) };
}

/** Returns the URL of a request. @throws {TypeError} if it is not a URL. */
function getUrl({ origin, path, query }: Dispatcher.DispatchOptions): string {
  if (origin === undefined)
    throw new TypeError(
      'a request without an origin: compose robots(client) with an Agent, not with a Client or Pool',
    );
  const url = new URL(path, origin);
  // As undici writes it.
  if (query !== undefined && query !== null) url.search = stringify(query as Record<string, string>);
  return url.href;
}

/** The methods of undici pass their signal, which the type of the options does not have. It can be an EventEmitter. */
function getSignal(options: object): AbortSignal | undefined {
  const { signal } = options as { readonly signal?: unknown };
  return signal instanceof AbortSignal ? signal : undefined;
}

/** Passes everything on, and ends the turn. */
class PacedHandler implements Handler {
  readonly #handler: Handler;
  readonly #turn: Turn;
  #response: { readonly status: number; readonly retryAfter: string | null } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(handler: Handler, turn: Turn) {
    this.#handler = handler;
    this.#turn = turn;
  }

  onRequestStart(controller: Controller, context: unknown): void {
    // The redirect interceptor adds it for its own handler, which must be further out than this one.
    if (typeof context === 'object' && context !== null && 'history' in context) {
      controller.abort(new TypeError('compose robots(client) before the redirect interceptor, not after it'));
      return;
    }
    this.#handler.onRequestStart?.(controller, context);
  }

  onRequestUpgrade(...args: Parameters<NonNullable<Handler['onRequestUpgrade']>>): void {
    this.#turn.end({ status: args[1], retryAfter: null });
    this.#handler.onRequestUpgrade?.(...args);
  }

  onResponseStart(...args: Parameters<NonNullable<Handler['onResponseStart']>>): void {
    const [, status, headers] = args;
    const [retryAfter = null] = [headers['retry-after']].flat();
    const response = { status, retryAfter };
    // Before it, there can be informational responses.
    if (status >= 200) {
      this.#response = response;
      this.#timer = setTimeout(() => this.#turn.end(response), MAX_BODY_TIME).unref();
    }
    this.#handler.onResponseStart?.(...args);
  }

  onResponseData(...args: Parameters<NonNullable<Handler['onResponseData']>>): void {
    this.#handler.onResponseData?.(...args);
  }

  onResponseEnd(...args: Parameters<NonNullable<Handler['onResponseEnd']>>): void {
    clearTimeout(this.#timer);
    this.#turn.end(this.#response);
    this.#handler.onResponseEnd?.(...args);
  }

  onResponseError(controller: Controller, error: Error): void {
    clearTimeout(this.#timer);
    if (this.#response !== undefined) this.#turn.end(this.#response);
    else if (controller?.aborted) this.#turn.cancel();
    else this.#turn.fail(error);
    this.#handler.onResponseError?.(controller, error);
  }
}
