/**
 * `@maycrawl/client/undici`: an interceptor for the dispatchers of undici 7, which checks each request, also each redirect hop, and keeps
 * the pace of the client. It loads undici only for types.
 *
 * @module
 */
import { stringify } from 'node:querystring';
import { quoteValue } from '@maycrawl/core/internal';
import { LRUCache } from 'lru-cache';
import type { Dispatcher } from '../http/undici.ts';
import type { PacedResponse } from '../pace/response-outcome.ts';
import type { Turn } from '../pace/turn.ts';
import { SIGNATURE_HEADERS } from '../signatures/request-signer.ts';
import { type Decider, OUTSIDE, requireDecider, takeTurn } from './forbidden.ts';
import { addHeaders, hasUserAgent } from './undici-headers.ts';

export { ForbiddenUrlError, type Refusal, type RefusalCode } from '../origins/refusal.ts';
export type { Decider } from './forbidden.ts';

type Handler = Dispatcher.DispatchHandler;
type Controller = Dispatcher.DispatchController;

/** How long the addresses of an origin count as checked, in milliseconds, and for how many origins. */
const CHECK_LIFETIME = 60_000;
const MAX_CHECKED = 10_000;
/** A turn ends with the body of the response, but not later than this after its headers: the caller may never read it. Milliseconds. */
const MAX_BODY_TIME = 10_000;
/** How often bodies are checked for that, in milliseconds. */
const CHECK_INTERVAL = 1_000;

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
  const bodies = new OpenBodies();
  /** Origins whose addresses were checked, as undici and as URLs write them. */
  const checked = new LRUCache<string, string>({ max: MAX_CHECKED, ttl: CHECK_LIFETIME });
  /** Waits for the turn of a request. */
  const wait = async (url: string, key: string, signal: AbortSignal | undefined): Promise<Turn> => {
    const isChecked = checked.has(key);
    const turn = await takeTurn(client, url, {
      // It does not know whether the caller passed a URL, or a page redirects to it, so no private address is open by default.
      ...(isChecked ? {} : { redirectedFrom: OUTSIDE }),
      ...(signal === undefined ? {} : { signal }),
    });
    if (!isChecked) checked.set(key, new URL(url).origin);
    return turn;
  };
  return (dispatch) => (options, handler) => {
    // `fetch` and `request` report the error to their callers by this method.
    const fail = (error: unknown): void => handler.onResponseError?.(null as never, error as Error);
    let origin: string;
    let url: string;
    let turn: Turn | undefined;
    try {
      origin = getOriginText(options);
      const known = checked.get(origin);
      url = getUrl(options, known ?? new URL(origin).origin);
      turn = known === undefined ? undefined : client.tryTurn?.(url);
    } catch (error) {
      fail(error);
      return true;
    }
    const send = (own: Turn, sent: Dispatcher.DispatchOptions): boolean => {
      try {
        return dispatch(prepare(client, url, sent), new PacedHandler(handler, own, bodies));
      } catch (error) {
        own.cancel();
        throw error;
      }
    };
    if (turn !== undefined) return send(turn, options);
    // The caller may use its object for another request meanwhile.
    const copy = { ...options, origin };
    wait(url, origin, getSignal(options))
      .then((own) => send(own, copy))
      .catch(fail);
    return true;
  };
}

/** Adds the headers of a client to a request, which has its turn: signatures expire. */
function prepare(
  { userAgent, signer }: Decider,
  url: string,
  options: Dispatcher.DispatchOptions,
): Dispatcher.DispatchOptions {
  if (signer === undefined && (userAgent === undefined || hasUserAgent(options.headers))) return options;
  const replaced = signer === undefined ? [] : SIGNATURE_HEADERS;
  const headers = { ...signer?.sign(url, options.method) };
  return { ...options, headers: addHeaders(options.headers, { userAgent, replaced, headers }) };
}

/** Returns the origin of a request as undici writes it. @throws {TypeError} if it has none. */
function getOriginText({ origin }: Dispatcher.DispatchOptions): string {
  if (origin === undefined)
    throw new TypeError(
      'a request without an origin: compose robots(client) with an Agent, not with a Client or Pool',
    );
  // The caller can change an instance of URL.
  return String(origin);
}

/** Returns the URL of a request. @throws {TypeError} if its path is no path. */
function getUrl({ path, query }: Dispatcher.DispatchOptions, origin: string): string {
  // Resolved, a path such as `//other.example/` would be a URL of another site than the one that gets the request.
  if (!path.startsWith('/')) throw new TypeError(`not a path: ${quoteValue(path)}`);
  const url = `${origin}${path}`;
  // As undici writes it: without `?` if nothing is in it.
  const text = stringify(query as Record<string, string> | undefined);
  return text === '' ? url : `${url}?${text}`;
}

/** The methods of undici pass their signal, which the type of the options does not have. It can be an EventEmitter. */
function getSignal(options: object): AbortSignal | undefined {
  const { signal } = options as { readonly signal?: unknown };
  return signal instanceof AbortSignal ? signal : undefined;
}

/** Turns of responses whose bodies have not ended. One timer serves all of them. */
class OpenBodies {
  readonly #turns: Map<Turn, { readonly response: PacedResponse; readonly until: number }> = new Map();
  #timer: NodeJS.Timeout | undefined;

  add(turn: Turn, response: PacedResponse): void {
    this.#turns.set(turn, { response, until: performance.now() + MAX_BODY_TIME });
    this.#timer ??= setInterval(() => this.#endLate(), CHECK_INTERVAL).unref();
  }

  delete(turn: Turn): void {
    this.#turns.delete(turn);
  }

  #endLate(): void {
    const now = performance.now();
    for (const [turn, { response, until }] of this.#turns) {
      if (until > now) break;
      this.#turns.delete(turn);
      turn.end(response);
    }
    if (this.#turns.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** Passes everything on, and ends the turn. */
class PacedHandler implements Handler {
  readonly #handler: Handler;
  readonly #turn: Turn;
  readonly #bodies: OpenBodies;
  #response: PacedResponse | undefined;

  constructor(handler: Handler, turn: Turn, bodies: OpenBodies) {
    this.#handler = handler;
    this.#turn = turn;
    this.#bodies = bodies;
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
    // Before it, there can be informational responses.
    if (status >= 200) {
      const header = headers['retry-after'];
      this.#response = { status, retryAfter: (Array.isArray(header) ? header[0] : header) ?? null };
      this.#bodies.add(this.#turn, this.#response);
    }
    this.#handler.onResponseStart?.(...args);
  }

  onResponseData(...args: Parameters<NonNullable<Handler['onResponseData']>>): void {
    this.#handler.onResponseData?.(...args);
  }

  onResponseEnd(...args: Parameters<NonNullable<Handler['onResponseEnd']>>): void {
    this.#bodies.delete(this.#turn);
    this.#turn.end(this.#response);
    this.#handler.onResponseEnd?.(...args);
  }

  onResponseError(controller: Controller, error: Error): void {
    this.#bodies.delete(this.#turn);
    if (this.#response !== undefined) this.#turn.end(this.#response);
    else if (controller?.aborted) this.#turn.cancel();
    else this.#turn.fail(error);
    this.#handler.onResponseError?.(controller, error);
  }
}
