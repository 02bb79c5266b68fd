/// <reference types="node" preserve="true" />
/**
 * `@maycrawl/client/crawlee`: robots.txt and the pace of requests for the HTTP crawlers of Crawlee 3 (HttpCrawler, CheerioCrawler, ...). It
 * has its own types for the parts of Crawlee that it uses, and does not load Crawlee.
 *
 * @module
 */
import { PrivateAddressError } from '../http/address-policy.ts';
import { ForbiddenUrlError, requireAllowed } from '../origins/refusal.ts';
import { isTemporaryRefusal } from '../pace/pace-error.ts';
import type { Turn } from '../pace/turn.ts';
import { SIGNATURE_HEADERS } from '../signatures/request-signer.ts';
import { type CrawleeRequest, CrawleeRequests, type RequestManager } from './crawlee-requests.ts';
import { type Decider, requireDecider, takeTurn } from './forbidden.ts';

export { ForbiddenUrlError, type Refusal, type RefusalCode } from '../origins/refusal.ts';
export type { CrawleeRequest, RequestManager } from './crawlee-requests.ts';
export type { Decider } from './forbidden.ts';

/** The part of a crawling context that the hook uses. */
export interface NavigationContext {
  readonly request: CrawleeRequest;
  /** The crawler, whose request manager the hook wraps. */
  readonly crawler?: unknown;
}

/** The part of the options for got that the hook uses. They belong to one request. */
export interface GotOptions {
  hooks?: {
    beforeRequest?: unknown[];
    beforeRedirect?: unknown[];
    beforeError?: unknown[];
  };
}

/** The options of a request when got is about to send it. */
interface GotRequest {
  readonly url: string | URL;
  readonly method?: string;
  readonly headers?: Record<string, string | string[] | undefined>;
}

/** How long a request waits for its turn at a redirect before it is put back. Milliseconds. */
const MAX_REDIRECT_WAIT = 10_000;

/**
 * Creates a hook for `preNavigationHooks` that prevents requests of pages that the crawler of `client` may not fetch, including the
 * targets of redirects, keeps the pace of the client, and signs requests as the client does.
 *
 * A page that is disallowed for good fails with a {@link ForbiddenUrlError}, which `failedRequestHandler` receives, and is not retried. A
 * page that must wait, because its robots.txt is unreachable or for the pace of its origin, is postponed until its time: no retry is counted, no
 * handler is called, and the crawler continues with others. For that the hook wraps the request manager of the crawler at its first call.
 * At most 10,000 requests are postponed; others that must wait go to the end of the queue. All stay in the queue of the crawler, so that
 * another run finds them.
 *
 * - Put it last, so that it sees the final options.
 * - Leave `respectRobotsTxtFile` and `sameDomainDelaySecs` off: otherwise Crawlee fetches each robots.txt and delays requests, too.
 * - Redirects are checked by hooks of got, which Crawlee's own HTTP client calls; another one (`httpClient`) may not.
 * - Requests that a request handler sends itself (`sendRequest`) are neither checked nor paced.
 * - Crawlee counts a disallowed page as a failure of its session.
 *
 * A redirect to a private address (docs/fetching.md) fails with a PrivateAddressError, and is not retried, unless the client has
 * `allowPrivateAddresses`. Crawlee resolves the name again: only a firewall prevents that the name has another address then. The URLs that Crawlee
 * takes from pages count as passed by the caller: to refuse private addresses there, too, set `allowPrivateAddresses` to `false`.
 *
 * The hook rejects with {@link ForbiddenUrlError}, and with the errors of `client.decide`, after which Crawlee retries.
 *
 * @throws {TypeError} for a client without `decide`.
 *
 * @example
 * const client = new RobotsClient({ agent: 'MyBot', userAgent: 'MyBot/1.0' });
 * const crawler = new CheerioCrawler({ preNavigationHooks: [createRobotsHook(client)], requestHandler });
 */
export function createRobotsHook(
  client: Decider,
): (context: NavigationContext, gotOptions: GotOptions) => Promise<void> {
  requireDecider(client);
  const requests = new CrawleeRequests(client);
  return async (context, gotOptions) => {
    const { request } = context;
    const isWrapped = requests.install(context.crawler as { requestManager?: RequestManager });
    /** Fails a request: for good, or until it may be tried again. */
    const refuse = (error: unknown): void => {
      if (isTemporaryRefusal(error) && isWrapped) requests.putBack(request, error.retryAt);
      else if (isFinal(error)) request.noRetry = true;
    };
    const guard = async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        refuse(error);
        throw error;
      }
    };
    let passed = request.url;
    let isRedirected = false;
    let turn = requests.getTurn(request) ?? (await guard(() => takeTurn(client, passed)));
    const setTurn = (next: Turn): void => {
      turn = next;
      requests.setTurn(request, next);
    };
    setTurn(turn);
    endWithResponse(context, () => turn);
    const checkRequest = async (final: GotRequest): Promise<void> => {
      const next = String(final.url);
      if (!isRedirected) passed = next;
      const options = isRedirected ? { redirectedFrom: passed } : {};
      await guard(async () => requireAllowed(next, await client.decide(next, options)));
      if (client.signer === undefined || final.headers === undefined) return;
      const signed = client.signer.sign(next, final.method ?? 'GET');
      // got does not send a header without a value, so that none of another request remains.
      for (const name of SIGNATURE_HEADERS) final.headers[name] = signed?.[name];
    };
    const checkRedirect = async (
      { url }: { readonly url: string | URL },
      response?: unknown,
    ): Promise<void> => {
      isRedirected = true;
      turn.end(response);
      const options = { redirectedFrom: passed, maxWait: MAX_REDIRECT_WAIT };
      setTurn(await guard(() => takeTurn(client, String(url), options)));
    };
    const endFailed = (error: Error): Error => {
      const own = unwrap(error);
      if (own === error) turn.fail(error);
      else turn.cancel();
      return own;
    };
    const { beforeRequest = [], beforeRedirect = [], beforeError = [], ...others } = gotOptions.hooks ?? {};
    gotOptions.hooks = {
      ...others,
      // Other options can change the URL of the first request: `url`, `searchParams`.
      beforeRequest: [...beforeRequest, checkRequest],
      // Earlier than `beforeRequest`, because got-scraping has connected to an https site by then.
      beforeRedirect: [...beforeRedirect, checkRedirect],
      beforeError: [...beforeError, endFailed],
    };
  };
}

/** Ends a turn when Crawlee sets the response of a context: its handler can then send requests to the same origin. */
function endWithResponse(context: NavigationContext, getTurn: () => Turn): void {
  Object.defineProperty(context, 'response', {
    configurable: true,
    enumerable: true,
    get: () => undefined,
    set: (value: unknown) => {
      Object.defineProperty(context, 'response', {
        configurable: true,
        enumerable: true,
        writable: true,
        value,
      });
      getTurn().end(value);
    },
  });
}

/** Unwraps the error of a hook, which got wraps in its own error. */
function unwrap(error: Error): Error {
  return isFinal(error.cause) || isTemporaryRefusal(error.cause) ? error.cause : error;
}

/** Returns whether a retry would fail, too. */
function isFinal(error: unknown): error is ForbiddenUrlError | PrivateAddressError {
  return error instanceof ForbiddenUrlError || error instanceof PrivateAddressError;
}
